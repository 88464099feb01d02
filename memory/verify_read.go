package memory

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A pace tells how far the reading is, and ends it when nobody waits any more.
type pace struct {
	done func() error   // why to end, nil to go on
	tell func(Progress) // nil for nobody

	sizes map[Name]int64
	total int64
	past  int64 // bytes of the files that are read
	now   Name  // the file that is being read
}

// measure takes down how much there is to read. The journal is read twice. What cannot be
// looked at counts nothing: reading it names what is wrong.
func (p *pace) measure(store Store) {
	p.sizes = map[Name]int64{}
	days, _ := store.Days()
	for name, stamp := range days {
		p.sizes[name] = stamp.Size
	}
	for _, name := range shared() {
		stamp, _ := store.Stat(name)
		p.sizes[name] = stamp.Size
	}
	for _, size := range p.sizes {
		p.total += size
	}
	p.total += p.sizes[JournalLog]
}

// begin says that the next file is read; "" ends the reading.
func (p *pace) begin(name Name) error {
	p.past, p.now = p.past+p.sizes[p.now], name
	return p.at(0)
}

// at says that so many bytes of the file are read.
func (p *pace) at(bytes int64) error {
	if p.tell != nil {
		p.tell(Progress{File: string(p.now), Done: min(p.past+bytes, p.total), Total: p.total})
	}
	return p.done()
}

// A pacedStore keeps a pace while a store is read.
type pacedStore struct {
	Store
	pace *pace
}

func (s *pacedStore) Read(name Name, offset int64) ([]byte, Stamp, error) {
	if err := s.pace.begin(name); err != nil {
		return nil, Stamp{}, err
	}
	return s.Store.Read(name, offset)
}

// read reads every file. A folder around them that is none is a finding, and then nothing
// can be said of them.
func (v *verifier) read() error {
	v.pace.measure(v.follow.store)
	err := v.follow.follow(true)
	if err == nil {
		// The documents were read after the logs and may rest on what was appended between.
		err = v.follow.followDays()
	}
	v.state = v.follow.state()
	if fault := new(Fault); errors.As(err, &fault) {
		v.outside = true
		v.fault(Name(fault.File), fault.Line, whyNothing(fault), "it %s", fault.Reason)
		return nil
	}
	if err != nil {
		return err
	}
	return v.pace.begin("")
}

// whyNothing is what it means that the store as a whole cannot be read.
func whyNothing(f *Fault) string {
	if f.Code == CodeIO {
		return "Nothing can be read or written until Docket may look at it: give its user the right to, with chmod or chown, or see to the disk."
	}
	return "Nothing can be read or written until it is put right: move it away, and restore what belongs there from a copy."
}

// whyUnread is what it means that a file, or daily/, cannot be read at all.
func whyUnread(f *Fault) string {
	why := "What it holds is not shown, and nothing is distilled or decided"
	if f.Code == CodeIO {
		return why + " until Docket may read it: give its user the right to, with chmod or chown, or see to the disk."
	}
	if f.File == string(Projection) {
		return why + " until it is moved away; the next command that writes then makes it anew from curated.json."
	}
	return why + " until it is put right: move it away, and restore what belongs there from a copy."
}

const (
	whyScope  = "It was made in another project, or this one was moved. If it was moved or cloned, name with --identity the path where its records were made; if not, restore the file from a copy."
	alsoLater = ", and so do later lines"
)

// faults names what could not be read.
func (v *verifier) faults() error {
	if v.outside {
		return nil
	}
	why := map[Part]string{
		PartFacts:     "Distillation and decisions wait until the line is mended; the other facts are shown. Restore it from a copy; do not delete evidence.",
		PartCurated:   "Agents keep the MEMORY.md that they have; nothing is distilled or decided until the file is restored from a copy.",
		PartConflicts: "No case can be shown or decided until the file is restored from a copy.",
		PartAudit:     "Who decided what cannot be shown whole, and nothing new is decided until the line is restored from a copy.",
		PartJournal:   "No adjudication can be made or finished until the journal and the files agree; compare them with a copy from before.",
	}
	foreign := map[Name]int{} // places in findings
	for _, part := range parts() {
		for _, f := range v.state.faults[part] {
			if v.follow.unread[Name(f.File)] == f {
				v.fault(Name(f.File), 0, whyUnread(f), "it %s", f.Reason)
				continue
			}
			if f.Code != CodeScope {
				v.fault(Name(f.File), f.Line, why[part], "%s", f.Reason)
				continue
			}
			// In a store that was moved that is every line: the first of each file will do.
			if at, ok := foreign[Name(f.File)]; ok {
				v.findings[at].What = strings.TrimSuffix(v.findings[at].What, alsoLater) + alsoLater
				continue
			}
			foreign[Name(f.File)] = len(v.findings)
			v.fault(Name(f.File), f.Line, whyScope, "%s", f.Reason)
		}
	}
	v.curatedFaults(why[PartCurated])
	v.conflictsFaults(why[PartConflicts])
	return nil
}

// curatedFaults names every entry that is refused, and not the first alone.
func (v *verifier) curatedFaults(why string) {
	var r curatedRecord
	text := v.follow.curated.text
	if v.follow.curated.fault == nil || strict(text, &r) != nil || r.Entries == nil ||
		r.SchemaVersion == nil || *r.SchemaVersion < 1 || *r.SchemaVersion > curatedSchema {
		return
	}
	for _, record := range *r.Entries {
		if _, err := record.entry(*r.SchemaVersion); err != nil && record.Key != nil {
			f := documentFault(CuratedDocument, text, *record.Key, fmt.Errorf("entry %q %w", clip(*record.Key), err))
			v.fault(CuratedDocument, f.Line, why, "%s", f.Reason)
		}
	}
}

// conflictsFaults names every case that is refused, and not the first alone.
func (v *verifier) conflictsFaults(why string) {
	var r conflictsRecord
	text, own := v.follow.conflicts.text, v.state.workspaceID
	if v.follow.conflicts.fault == nil || strict(text, &r) != nil || r.Cases == nil || r.WorkspaceID == nil || *r.WorkspaceID != own {
		return
	}
	for _, record := range *r.Cases {
		if _, err := record.toCase(own); err != nil && record.ConflictID != nil {
			f := documentFault(ConflictsDocument, text, *record.ConflictID, fmt.Errorf("case %q %w", clip(*record.ConflictID), err))
			v.fault(ConflictsDocument, f.Line, why, "%s", f.Reason)
		}
	}
}

// tails names what a dead writer left for the next one.
func (v *verifier) tails() error {
	if v.outside {
		return nil
	}
	const torn = "Nobody was told that it was written; the next writer drops it."
	f := v.follow
	logs := map[Name]*tail{AuditLog: &f.audit, JournalLog: &f.journalTail}
	maps.Copy(logs, f.days)
	for name, t := range logs {
		if t.torn() {
			v.note(name, t.lines+1, torn, "the last line is torn")
		}
	}
	if event, ok := v.state.Pending(); ok {
		v.note(JournalLog, f.journal.pending.line, "It is recorded and will happen: the next command that writes finishes it.",
			"the adjudication of event %q is not finished", event)
	}
	return nil
}

// projection holds MEMORY.md against curated.json.
func (v *verifier) projection() error {
	f := v.follow
	if !v.readable(PartCurated, PartProjection) {
		return nil
	}
	text := f.memory.text
	if f.curated.stamp == (Stamp{}) {
		if f.memory.stamp != (Stamp{}) {
			v.note(Projection, 0, "Agents read it as it is. The first distillation that promotes something writes it anew: copy what is to be kept.",
				"there is no curated.json that it could come from")
		}
		return nil
	}
	if want := []byte(RenderMemory(f.entries)); !bytes.Equal(text, want) {
		v.note(Projection, firstDifference(text, want), "It was edited, or a writer died before it; the next command that writes rebuilds it.",
			"it is not what curated.json says")
	}
	return nil
}

// firstDifference returns the line in which two texts begin to differ, 0 where there is
// no text.
func firstDifference(text, want []byte) int {
	if len(text) == 0 {
		return 0
	}
	at := 0
	for at < len(text) && at < len(want) && text[at] == want[at] {
		at++
	}
	return min(lineAt(text, int64(at)), lineAt(text, int64(len(text)-1)))
}

// surroundings names what the store itself finds: modes, leftovers, strangers.
func (v *verifier) surroundings() error {
	inspector, ok := v.store.(Inspector)
	if !ok {
		return nil
	}
	found, err := inspector.Inspect()
	v.findings = append(v.findings, found...)
	return err
}

// doubles names the facts that stand in the logs more than once. A log that gave fewer
// facts than it has lines is read again for them.
func (v *verifier) doubles() error {
	if v.outside {
		return nil
	}
	short := map[Name]int{}
	for name, t := range v.follow.days {
		if short[name] = t.lines; t.whole {
			short[name]++
		}
	}
	for f := range v.state.Facts() {
		short[Name(f.File)]--
	}
	for _, f := range v.state.faults[PartFacts] {
		short[Name(f.File)]--
	}
	for _, name := range slices.Sorted(maps.Keys(short)) {
		if short[name] <= 0 {
			continue
		}
		data, _, err := v.follow.store.Read(name, 0)
		if err != nil {
			if err := v.overtaken(err); err != nil {
				return err
			}
			continue
		}
		v.doublesIn(name, data)
	}
	return nil
}

// overtaken makes a finding of what keeps a file from being read again that could be read
// before, and returns any other error.
func (v *verifier) overtaken(err error) error {
	var fault *Fault
	if !errors.As(err, &fault) {
		return err
	}
	v.fault(Name(fault.File), 0, whyUnread(fault), "it %s", fault.Reason)
	return nil
}

func (v *verifier) doublesIn(name Name, data []byte) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		fact, err := decodeDaily(bytes.TrimSuffix(line, []byte{'\n'}), v.state.workspaceID, name, n)
		if err != nil {
			continue // blank, or named already
		}
		if first, ok := v.state.Fact(fact.ID); ok && (first.File != fact.File || first.Line != n) && fact.same(&first, false) {
			v.note(name, n, "It counts once, and nothing has to be done.",
				"the fact %q stands in %s:%d too, word for word", clip(fact.ID), first.File, first.Line)
		}
	}
}
