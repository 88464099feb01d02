package memory

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A tail is how far one log has been read.
type tail struct {
	stamp Stamp
	end   int64 // behind the last line that was taken in and ended
	lines int   // how many those were
	// whole is set where a last line without its end was taken in: the next append ends it.
	whole bool
}

// torn reports whether bytes stand behind the end that the next append drops.
func (t *tail) torn() bool { return t.stamp.Size > t.end && !t.whole }

// moved says what became of a log since it was last read.
type moved int

const (
	unmoved   moved = iota
	grown           // read on from the end
	rewritten       // read anew
)

func (t *tail) moved(now Stamp) moved {
	switch {
	case t.stamp == now:
		return unmoved
	case t.stamp == Stamp{}:
		return grown
	case now.ID != t.stamp.ID || now.Size < t.end || now.Size == t.stamp.Size:
		return rewritten
	case t.whole && now.Size < t.stamp.Size: // what was taken in without its end is gone
		return rewritten
	}
	return grown
}

// A follower keeps what has been read of a store, and reads on from there. It is used
// by one goroutine at a time.
type follower struct {
	store  Store
	unread map[Name]*Fault // why a file, or daily/, could not be read at all: nothing is held of it

	days      map[Name]*tail
	ledger    *ledger
	seen      int
	order     []int
	dayFaults []*Fault

	audit         tail
	adjudications []Adjudication
	events        map[string]int // line in the audit, by event id
	auditFaults   []*Fault

	journalTail   tail
	journal       journal
	journalFaults []*Fault

	curated   documentTail
	conflicts documentTail
	memory    documentTail
	entries   []Entry
	cases     []Case
}

// documentTail is what is known of a file that is replaced as a whole.
type documentTail struct {
	stamp Stamp
	text  []byte
	fault *Fault
}

func newFollower(store Store) *follower {
	f := &follower{store: store, unread: map[Name]*Fault{}}
	f.forgetFacts()
	f.forgetAudit()
	f.forgetJournal()
	return f
}

func (f *follower) forgetFacts() {
	f.days, f.ledger, f.seen, f.order, f.dayFaults = map[Name]*tail{}, newLedger(), 0, nil, nil
	maps.DeleteFunc(f.unread, func(name Name, _ *Fault) bool { return partOf(name) == PartFacts })
}

func (f *follower) forgetAudit() {
	f.audit, f.adjudications, f.events, f.auditFaults = tail{}, nil, map[string]int{}, nil
}

func (f *follower) forgetJournal() {
	f.journalTail, f.journalFaults = tail{}, nil
	f.journal = journal{workspaceID: f.store.WorkspaceID(), thorough: f.journal.thorough, done: map[string]bool{}}
}

// follow reads on in every file; in the daily logs only where facts are wanted. What
// the format does not allow, and a file that cannot be read, becomes a Fault of its part,
// and the rest is read; an error is one of no file, and then nothing is known.
func (f *follower) follow(facts bool) error {
	// Without the lease a writer may be at work between two of these files. Read until
	// none of them moved meanwhile: then they stood together at one moment.
	for range maxReads {
		before, err := f.stamps()
		if err != nil {
			return err
		}
		if err := f.followDocuments(); err != nil {
			return err
		}
		if facts {
			if err := f.followDays(); err != nil {
				return err
			}
		}
		after, err := f.stamps()
		if err != nil {
			return err
		}
		if before != after {
			continue
		}
		if still, err := f.daysStill(facts); still || err != nil {
			return err
		}
	}
	return errRestless
}

// daysStill reports whether the daily logs are what was read of them.
func (f *follower) daysStill(facts bool) (bool, error) {
	if !facts {
		return true, nil
	}
	days, err := f.store.Days()
	if fault, err := ownFault(dailyFolder, err); fault != nil || err != nil {
		return f.unread[dailyFolder] != nil, err
	}
	if len(days) != len(f.days) {
		return false, nil
	}
	for name, now := range days {
		if t := f.days[name]; t == nil || t.stamp != now && f.unread[name] == nil {
			return false, nil
		}
	}
	return true, nil
}

// maxReads is how often a reader tries to find the files at rest.
const maxReads = 50

var errRestless = errors.New("the files change faster than they can be read")

// stamps returns the stamps of the files that one adjudication touches. One that is
// refused rests for as long as that has the same reason.
func (f *follower) stamps() (stamps [5]Stamp, err error) {
	for i, name := range shared() {
		stamp, err := f.store.Stat(name)
		fault, err := ownFault(name, err)
		if err != nil {
			return stamps, err
		}
		if stamps[i] = stamp; fault != nil {
			stamps[i] = Stamp{ID: fault.Reason}
		}
	}
	return stamps, nil
}

func (f *follower) followDays() error {
	for range maxReads {
		days, err := f.store.Days()
		fault, err := ownFault(dailyFolder, err)
		if err != nil {
			return err
		}
		if fault != nil {
			f.forgetFacts()
			f.unread[dailyFolder] = fault
			return nil
		}
		delete(f.unread, dailyFolder)
		again, err := f.readDays(days)
		if err != nil || !again {
			return err
		}
		f.forgetFacts()
	}
	return errRestless
}

// readDays reads on in the daily logs. again is set where one of them was rewritten or
// is gone, so that all facts must be read anew.
func (f *follower) readDays(days map[Name]Stamp) (again bool, err error) {
	for name := range f.days {
		if _, ok := days[name]; !ok {
			return true, nil
		}
	}
	names := make([]Name, 0, len(days))
	for name, now := range days {
		t := f.days[name]
		if t == nil {
			t = &tail{}
			f.days[name] = t
		}
		switch t.moved(now) {
		case rewritten:
			return true, nil
		case grown:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	// Also beside an error: what was taken in will not be read again.
	defer func() { f.order = f.ledger.extend(f.order, len(f.order), f.seen) }()
	for _, name := range names {
		if again, err = f.readDay(name); again || err != nil {
			return again, err
		}
	}
	return false, nil
}

func (f *follower) readDay(name Name) (again bool, err error) {
	t := f.days[name]
	data, now, err := f.store.Read(name, t.end)
	fault, err := ownFault(name, err)
	if err != nil {
		return false, err
	}
	if fault != nil {
		f.unread[name] = fault
		return t.stamp != (Stamp{}), nil // what was taken in of it is not what it says now
	}
	delete(f.unread, name)
	if t.stamp != (Stamp{}) && now.ID != t.stamp.ID || now.Size < t.end || t.goesOn(data) {
		return true, nil
	}
	// An unended last line is read again, and so is what is wrong with it.
	f.dayFaults = slices.DeleteFunc(slices.Clone(f.dayFaults), func(fault *Fault) bool {
		return fault.File == string(name) && fault.Line > t.lines
	})
	faults := t.readLog(name, data, now, true, func(data []byte, n int) error {
		fact, err := decodeDaily(data, f.store.WorkspaceID(), name, n)
		if err != nil {
			return err
		}
		return f.addFact(fact)
	})
	f.dayFaults = append(f.dayFaults, faults...)
	slices.SortStableFunc(f.dayFaults, byPlace)
	return false, nil
}

// decodeDaily reads a line of a day's log, where only facts of that day may stand.
func decodeDaily(data []byte, workspaceID string, name Name, n int) (Fact, error) {
	fact, err := decodeFact(data, workspaceID)
	if err != nil {
		return fact, err
	}
	if own := DailyLog(fact.RecordedAt); own != name {
		return fact, &shapeError{reason: fmt.Sprintf("a fact of %s stands in another day's log", FormatTime(fact.RecordedAt))}
	}
	fact.File, fact.Line = string(name), n
	return fact, nil
}

// addFact takes a fact in. An equal double counts once.
func (f *follower) addFact(fact Fact) error {
	known, ok := f.ledger.find(fact.ID, f.seen)
	if !ok {
		f.seen = f.ledger.add(fact) + 1
		return nil
	}
	if !fact.same(&known, false) {
		return &shapeError{reason: fmt.Sprintf("the fact_id %q stands at %s:%d for another fact", clip(fact.ID), known.File, known.Line)}
	}
	return nil
}

// readLog splits what stands behind the tail's end into lines and gives each to take;
// one that take refuses is a Fault. daily says how an unended last line and a blank one
// are taken.
func (t *tail) readLog(name Name, data []byte, now Stamp, daily bool, take func(line []byte, n int) error) (faults []*Fault) {
	t.stamp, t.whole = now, false
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte{'\n'})
		n := t.lines + 1
		if !ended && endsWrong(line) {
			return append(faults, newFault(name, n, errEnd))
		}
		if !ended && !(daily && isWhole(line)) {
			return faults // torn: nobody was told that it is written
		}
		if ended {
			t.lines, t.end = n, t.end+int64(len(line))+1
		} else {
			t.whole = true // it is read again, and known then, when its end is there
		}
		if !daily || len(bytes.Trim(line, " \t\r")) > 0 {
			if err := take(line, n); err != nil {
				faults = append(faults, newFault(name, n, err))
			}
		}
		data = rest
	}
	return faults
}

// goesOn reports whether a line that was taken in without its end is another line now that
// data stands behind the tail's end: then what was taken is not there.
func (t *tail) goesOn(data []byte) bool {
	if !t.whole {
		return false
	}
	taken := t.stamp.Size - t.end
	if int64(len(data)) < taken {
		return true
	}
	rest, _, _ := bytes.Cut(data[taken:], []byte{'\n'})
	return len(bytes.Trim(rest, " \t\r")) > 0
}

// isWhole reports whether data is one whole JSON value, be it what it may.
func isWhole(data []byte) bool {
	return jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// endsWrong reports whether something follows a whole record in an unended last line. No
// write that was cut leaves that: it was a line, and its end is broken.
func endsWrong(line []byte) bool {
	if !bytes.HasPrefix(line, []byte{'{'}) {
		return false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(line), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	record, err := dec.ReadValue()
	return err == nil && len(bytes.TrimRight(line[len(record):], " \t\r")) > 0
}

var errEnd = &shapeError{reason: "something follows the record, and the line has no end"}

func (f *follower) followDocuments() error {
	if err := f.followJournal(); err != nil {
		return err
	}
	if err := f.followAudit(); err != nil {
		return err
	}
	if changed, err := f.readDocument(ConflictsDocument, &f.conflicts); err != nil {
		return err
	} else if changed {
		f.cases = nil
		if f.conflicts.stamp != (Stamp{}) {
			f.cases, f.conflicts.fault = decodeConflicts(f.conflicts.text, f.store.WorkspaceID())
		}
	}
	if changed, err := f.readDocument(CuratedDocument, &f.curated); err != nil {
		return err
	} else if changed {
		f.entries = nil
		if f.curated.stamp != (Stamp{}) {
			f.entries, f.curated.fault = decodeCurated(f.curated.text, f.store.WorkspaceID())
		}
	}
	_, err := f.readDocument(Projection, &f.memory)
	return err
}

// readDocument reads the file if it changed; of one that is refused nothing is held.
func (f *follower) readDocument(name Name, d *documentTail) (changed bool, err error) {
	now, err := f.store.Stat(name)
	if err == nil && now == d.stamp && f.unread[name] == nil {
		return false, nil
	}
	var text []byte
	if err == nil {
		text, now, err = f.store.Read(name, 0)
	}
	fault, err := ownFault(name, err)
	if err != nil {
		return false, err
	}
	if delete(f.unread, name); fault != nil {
		// Without a stamp it is read again next time: a mode that changes leaves no other.
		f.unread[name], text, now = fault, nil, Stamp{}
	}
	*d = documentTail{stamp: now, text: text}
	return true, nil
}

func (f *follower) followAudit() error {
	return f.followLog(AuditLog, &f.audit, f.forgetAudit, &f.auditFaults, func(data []byte, n int) error {
		a, err := decodeAdjudication(data, f.store.WorkspaceID())
		if err != nil {
			return err
		}
		a.File, a.Line = string(AuditLog), n
		if line, ok := f.events[a.EventID]; ok {
			return &shapeError{reason: fmt.Sprintf("the event_id %q stands in line %d already", a.EventID, line)}
		}
		f.events[a.EventID] = n
		f.adjudications = append(f.adjudications, a)
		return nil
	})
}

func (f *follower) followJournal() error {
	return f.followLog(JournalLog, &f.journalTail, f.forgetJournal, &f.journalFaults, func(data []byte, n int) error {
		if f.journal.broken {
			return nil // what follows a line that cannot be means nothing
		}
		err := f.journal.next(data, n)
		f.journal.broken = err != nil
		return err
	})
}

// begun takes in the prepared line that was just appended, which is large, without
// reading it again.
func (f *follower) begun(t *transaction, data []byte) error {
	now, err := f.store.Stat(JournalLog)
	if err != nil {
		return err
	}
	tail := &f.journalTail
	if now.Size != tail.end+int64(len(data)) {
		// Somebody writes without the lease; see what is there.
		if err := f.followJournal(); err != nil {
			return err
		}
		if f.journal.pending == nil || f.journal.pending.id != t.id {
			return &Fault{Code: CodeCorrupt, File: string(JournalLog), Reason: "does not hold what was just written to it"}
		}
		return nil
	}
	tail.stamp, tail.end, tail.lines = now, now.Size, tail.lines+1
	t.phase, t.line = prepared, tail.lines
	f.journal.pending = t
	return nil
}

// followLog reads on in a log that is one file, or reads it anew if it was rewritten; of
// one that is refused nothing is held.
func (f *follower) followLog(name Name, t *tail, forget func(), faults *[]*Fault, take func([]byte, int) error) error {
	for range maxReads {
		now, err := f.store.Stat(name)
		if err == nil {
			switch t.moved(now) {
			case unmoved:
				delete(f.unread, name)
				return nil
			case rewritten:
				forget()
			}
		}
		var data []byte
		if err == nil {
			data, now, err = f.store.Read(name, t.end)
		}
		fault, err := ownFault(name, err)
		if err != nil {
			return err
		}
		if fault != nil {
			forget()
			f.unread[name] = fault
			return nil
		}
		delete(f.unread, name)
		if t.stamp != (Stamp{}) && now.ID != t.stamp.ID || now.Size < t.end {
			forget()
			continue
		}
		*faults = append(*faults, t.readLog(name, data, now, false, take)...)
		return nil
	}
	return errRestless
}

// state puts what was read together as a State. An adjudication that is recorded and
// not finished is shown as finished: it will happen.
func (f *follower) state() *State {
	s := newState(f.store.WorkspaceID()).with(func(s *State) {
		s.ledger, s.seen, s.order = f.ledger, f.seen, f.order
		s.entries, s.cases, s.adjudications = f.entries, f.cases, f.adjudications
		s.memory, s.hasMemory = string(f.memory.text), f.memory.stamp != Stamp{}
		s.hasCurated = f.curated.stamp != Stamp{} || f.unread[CuratedDocument] != nil
		s.faults = f.faults()
	})
	t := f.journal.pending
	if t == nil || len(s.faults[PartJournal]) > 0 {
		return s
	}
	return s.with(func(s *State) { s.foresee(t) })
}

// foresee shows a pending transaction as carried out, or names what stands against it.
func (s *State) foresee(t *transaction) {
	if err := t.decode(s.workspaceID); err != nil {
		s.faults[PartJournal] = append(slices.Clip(s.faults[PartJournal]), faultOf(JournalLog, t.line, err))
		return
	}
	for _, part := range []Part{PartCurated, PartConflicts, PartAudit} {
		if s.Readable(part) != nil {
			return // named already; nothing can be said of the transaction
		}
	}
	todo, err := t.judge(s.entries, s.cases, s.adjudications)
	if err != nil {
		s.faults[PartJournal] = append(slices.Clip(s.faults[PartJournal]), faultOf(JournalLog, t.line, err))
		return
	}
	s.pending = t.intent.adjudication.EventID
	s.entries, s.cases = sortedEntries(t.intent.curatedAfter), sortedCases(t.intent.conflictsAfter)
	s.hasCurated = s.hasCurated || len(s.entries) > 0
	if todo.audit {
		s.adjudications = append(slices.Clip(s.adjudications), t.intent.adjudication)
	}
}
