package memory

import (
	"context"
	"fmt"
)

// Severity says whether a finding is a fault or only worth knowing.
type Severity string

// A fault keeps commands from working and needs a human; a note is what the next
// writer mends by itself.
const (
	SeverityFault Severity = "fault"
	SeverityNote  Severity = "note"
)

// A Finding is one thing that Verify found.
type Finding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"` // 0 where the whole file is meant
	What     string   `json:"what"` // what is wrong
	Why      string   `json:"why"`  // what it means, and what to do
	Severity Severity `json:"severity"`
}

// Verify reads everything anew and holds it together: every record's shape and scope,
// chains, fingerprints and ids, the journal, each adjudication against its case and its
// entry, each entry's evidence in the logs, MEMORY.md against curated.json. It takes no
// lease and writes nothing. An error is one of the disk.
func (e *Engine) Verify(ctx context.Context) ([]Finding, error) {
	f := newFollower(e.store)
	f.journal.thorough = true
	if err := f.follow(true); err != nil {
		return nil, err
	}
	s := f.state()
	v := &verifier{state: s, findings: []Finding{}}
	v.faults()
	v.entries()
	v.audit()
	v.notes(f)
	return v.findings, nil
}

// A verifier collects findings.
type verifier struct {
	state    *State
	findings []Finding
}

func (v *verifier) fault(name Name, line int, why, format string, args ...any) {
	v.findings = append(v.findings, Finding{string(name), line, fmt.Sprintf(format, args...), why, SeverityFault})
}

func (v *verifier) note(name Name, line int, why, format string, args ...any) {
	v.findings = append(v.findings, Finding{string(name), line, fmt.Sprintf(format, args...), why, SeverityNote})
}

// faults names what could not be read.
func (v *verifier) faults() {
	why := map[Part]string{
		PartFacts:     "Distillation and decisions wait until the line is mended; the other facts are shown. Restore it from a copy; do not delete evidence.",
		PartCurated:   "Agents keep the MEMORY.md that they have; nothing is distilled or decided until the file is restored from a copy.",
		PartConflicts: "No case can be shown or decided until the file is restored from a copy.",
		PartAudit:     "Who decided what cannot be shown whole, and nothing new is decided until the line is restored from a copy.",
		PartJournal:   "No adjudication can be made or finished until the journal and the files agree; compare them with a copy from before.",
	}
	for _, part := range []Part{PartFacts, PartCurated, PartConflicts, PartAudit, PartJournal} {
		for _, f := range v.state.faults[part] {
			v.fault(Name(f.File), f.Line, why[part], "%s", f.Reason)
		}
	}
}

// readable reports whether all of the parts could be read: only then is it fair to
// hold them against each other.
func (v *verifier) readable(parts ...Part) bool {
	for _, part := range parts {
		if v.state.Readable(part) != nil {
			return false
		}
	}
	return true
}

// entries holds curated.json against itself and the logs.
func (v *verifier) entries() {
	s := v.state
	for _, entry := range s.Entries() {
		if entryKey(entry.MemoryKey, entry.Revision, entry.Kind, entry.Content) != entry.Key {
			v.fault(CuratedDocument, 0, "Its content, kind or key was edited by hand; new facts that say the same will not find it.",
				"the key of entry %q does not follow from what it says", entry.Key)
		}
		if !v.readable(PartFacts) {
			continue
		}
		for _, id := range entry.EvidenceIDs {
			if _, ok := s.Fact(id); !ok {
				v.fault(CuratedDocument, 0, "What agents read cannot be traced to its source; a log was deleted or edited.",
					"entry %q rests on the fact %q, which is in no log", entry.Key, clip(id))
			}
		}
	}
}

// audit holds adjudications, cases and entries against each other.
func (v *verifier) audit() {
	s := v.state
	if !v.readable(PartAudit, PartConflicts, PartCurated) {
		return
	}
	const why = "The record of a decision and what came of it do not agree; one of the files was edited or restored alone."
	for _, a := range s.Adjudications() {
		c, ok := s.Case(a.ConflictID)
		switch {
		case !ok:
			v.fault(AuditLog, a.Line, why, "event %q decided the case %q, which does not exist", a.EventID, a.ConflictID)
		case !agrees(a, c):
			v.fault(AuditLog, a.Line, why, "event %q and the case %q say different things about the decision", a.EventID, a.ConflictID)
		}
		if _, ok := s.Entry(a.ResultingActiveEntryKey); !ok {
			v.fault(AuditLog, a.Line, why, "event %q put the entry %q in force, which does not exist", a.EventID, a.ResultingActiveEntryKey)
		}
	}
	for _, c := range s.Cases() {
		if _, ok := s.Adjudication(c.ResolutionEventID); c.Status == StatusResolved && !ok {
			v.fault(ConflictsDocument, 0, why, "case %q was decided by event %q, which is not in the audit", c.ID, c.ResolutionEventID)
		}
	}
}

// agrees reports whether the case was closed by the adjudication.
func agrees(a Adjudication, c Case) bool {
	return c.Status == StatusResolved && c.ResolutionEventID == a.EventID && c.Revision == a.CaseRevision &&
		c.SelectedCandidateID == a.SelectedCandidateID && c.ResolutionActor == a.Actor &&
		c.ResolutionRationale == a.Rationale && c.ResolvedAt.Equal(a.ResolvedAt) &&
		c.ActiveEntryKey == a.PriorActiveEntryKey && c.ResultingActiveEntryKey == a.ResultingActiveEntryKey
}

// notes names what the next writer mends by itself.
func (v *verifier) notes(f *follower) {
	s := v.state
	if event, ok := s.Pending(); ok {
		v.note(JournalLog, f.journal.pending.line, "It is recorded and will happen: the next command that writes finishes it.",
			"the adjudication of event %q is not finished", event)
	}
	const torn = "Nobody was told that it was written; the next writer drops it."
	for name, t := range f.days {
		if t.torn() {
			v.note(name, t.lines+1, torn, "the last line is torn")
		}
	}
	for _, log := range []struct {
		name Name
		tail *tail
	}{{AuditLog, &f.audit}, {JournalLog, &f.journalTail}} {
		if log.tail.torn() {
			v.note(log.name, log.tail.lines+1, torn, "the last line is torn")
		}
	}
	if text, _ := s.Memory(); s.HasCurated() && text != s.Rendered() {
		v.note(Projection, 0, "It was edited, or a writer died before it; the next command that writes rebuilds it.",
			"it is not what curated.json says")
	}
}
