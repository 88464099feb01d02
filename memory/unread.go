package memory

import (
	"cmp"
	"errors"
	"maps"
	"slices"
)

// partOf names the part that a file is read for; daily/ is read for the facts, too.
func partOf(name Name) Part {
	switch name {
	case CuratedDocument:
		return PartCurated
	case ConflictsDocument:
		return PartConflicts
	case AuditLog:
		return PartAudit
	case JournalLog:
		return PartJournal
	case Projection:
		return PartProjection
	}
	return PartFacts
}

// shared are the files that one adjudication touches.
func shared() []Name {
	return []Name{JournalLog, ConflictsDocument, CuratedDocument, AuditLog, Projection}
}

// ownFault tells an error of one file from one of the store: it returns the Fault of the
// file of that name, or else err.
func ownFault(name Name, err error) (*Fault, error) {
	var fault *Fault
	if errors.As(err, &fault) && fault.File == string(name) {
		return fault, nil
	}
	return nil, err
}

// wholeFault names an error that is of no file of the store: nothing of it is known.
func wholeFault(err error) *Fault {
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.Is(err, errRestless):
		return &Fault{Code: CodeIO, File: ".", Reason: "the store cannot be read: " + errRestless.Error()}
	}
	return &Fault{Code: CodeIO, File: ".", Reason: "the store cannot be read"}
}

// refused returns the fault that keeps one of the files from being read at all that an
// adjudication touches, nil for none. Readers go on past it, writers never: some of them
// would put a new file in its place.
func (f *follower) refused() *Fault {
	for _, name := range shared() {
		if fault := f.unread[name]; fault != nil {
			return fault
		}
	}
	return nil
}

// faults returns what could not be read, by part: in each, files that could not be read
// at all, and what is wrong in those that could.
func (f *follower) faults() map[Part][]*Fault {
	faults := map[Part][]*Fault{PartFacts: f.dayFaults, PartAudit: f.auditFaults, PartJournal: f.journalFaults}
	for part, fault := range map[Part]*Fault{PartCurated: f.curated.fault, PartConflicts: f.conflicts.fault} {
		if fault != nil {
			faults[part] = []*Fault{fault}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.unread)) {
		part := partOf(name)
		faults[part] = append(slices.Clip(faults[part]), f.unread[name])
	}
	// The others have at most one file, which is either unread or not.
	faults[PartFacts] = slices.SortedStableFunc(slices.Values(faults[PartFacts]), byPlace)
	return faults
}

func byPlace(a, b *Fault) int {
	return cmp.Or(compareText(a.File, b.File), cmp.Compare(a.Line, b.Line))
}
