package memory

import (
	"iter"
	"slices"
	"sync"
	"time"
)

// Part names what a Fault keeps from being read.
type Part string

// The parts of a store, each read and judged on its own.
const (
	PartFacts     Part = "facts"
	PartCurated   Part = "curated"
	PartConflicts Part = "conflicts"
	PartAudit     Part = "audit"
	PartJournal   Part = "journal"

	// PartProjection is MEMORY.md as it is on disk. What it says stands in curated.json,
	// too; pages and agents read it where there is none.
	PartProjection Part = "projection"
)

// parts returns every Part, in the order in which faults are told.
func parts() []Part {
	return []Part{PartFacts, PartCurated, PartConflicts, PartAudit, PartJournal, PartProjection}
}

// A State is what the files of one workspace said at one moment, whole: no reader
// sees half of an adjudication. It never changes and may be shared. What could not be
// read is missing from it and named by Faults; ask Readable before taking an empty
// answer for "none".
type State struct {
	workspaceID string

	ledger *ledger
	seen   int   // how many facts of the ledger belong to this state
	order  []int // their positions by (time, id)

	entries       []Entry
	cases         []Case
	adjudications []Adjudication
	memory        string // MEMORY.md as on disk
	hasMemory     bool
	hasCurated    bool
	pending       string // event id of an adjudication that waits to be finished
	faults        map[Part][]*Fault

	index func() *index
}

// index answers by id what a State holds as lists.
type index struct {
	entries   map[string]int   // by entry key
	chains    map[string][]int // by memory key, by revision
	cases     map[string]int   // by conflict id
	domains   map[string][]int // cases by memory key, by case revision
	events    map[string]int   // adjudications by event id
	made      map[string]int   // the adjudication that made an entry
	usedEntry map[string][]int // entries by fact id
	usedCase  map[string][]int // cases by fact id
}

func newState(workspaceID string) *State {
	s := &State{workspaceID: workspaceID, ledger: newLedger(), faults: map[Part][]*Fault{}}
	s.index = sync.OnceValue(s.buildIndex)
	return s
}

// with returns a copy of s, changed by change, with an index of its own.
func (s *State) with(change func(*State)) *State {
	next := *s
	change(&next)
	next.index = sync.OnceValue(next.buildIndex)
	return &next
}

func (s *State) buildIndex() *index {
	x := &index{
		entries: map[string]int{}, chains: map[string][]int{}, cases: map[string]int{}, domains: map[string][]int{},
		events: map[string]int{}, made: map[string]int{}, usedEntry: map[string][]int{}, usedCase: map[string][]int{},
	}
	for i, entry := range s.entries {
		x.entries[entry.Key] = i
		if entry.MemoryKey != "" {
			x.chains[entry.MemoryKey] = append(x.chains[entry.MemoryKey], i)
		}
		for _, id := range entry.EvidenceIDs {
			x.usedEntry[id] = append(x.usedEntry[id], i)
		}
	}
	for _, chain := range x.chains {
		slices.SortFunc(chain, func(a, b int) int { return s.entries[a].Revision - s.entries[b].Revision })
	}
	for i, c := range s.cases {
		x.cases[c.ID] = i
		x.domains[c.MemoryKey] = append(x.domains[c.MemoryKey], i)
		for _, candidate := range c.Candidates {
			for _, id := range candidate.EvidenceIDs {
				x.usedCase[id] = append(x.usedCase[id], i)
			}
		}
	}
	for i, a := range s.adjudications {
		x.events[a.EventID] = i
		if a.ResultingActiveEntryKey != a.PriorActiveEntryKey {
			x.made[a.ResultingActiveEntryKey] = i
		}
	}
	return x
}

// at collects the items of list at the positions.
func at[T any](list []T, positions []int) []T {
	items := make([]T, 0, len(positions))
	for _, i := range positions {
		items = append(items, list[i])
	}
	return items
}

// get returns the item of that name, if there is one.
func get[T any](list []T, positions map[string]int, name string) (item T, ok bool) {
	i, ok := positions[name]
	if !ok {
		return item, false
	}
	return list[i], true
}

// WorkspaceID returns the id that every record carries.
func (s *State) WorkspaceID() string { return s.workspaceID }

// Len returns the number of facts.
func (s *State) Len() int { return s.seen }

// Facts yields every fact, oldest first.
func (s *State) Facts() iter.Seq[Fact] {
	facts := s.ledger.view(s.seen)
	return func(yield func(Fact) bool) {
		for _, i := range s.order {
			if !yield(facts[i]) {
				return
			}
		}
	}
}

// Newest yields every fact, newest first.
func (s *State) Newest() iter.Seq[Fact] {
	facts := s.ledger.view(s.seen)
	return func(yield func(Fact) bool) {
		for _, i := range slices.Backward(s.order) {
			if !yield(facts[i]) {
				return
			}
		}
	}
}

// Fact returns the fact of that id.
func (s *State) Fact(id string) (Fact, bool) { return s.ledger.find(id, s.seen) }

// FactsOf returns the facts of a memory key, oldest first.
func (s *State) FactsOf(memoryKey string) []Fact {
	facts := s.ledger.keyed(memoryKey, s.seen)
	slices.SortFunc(facts, func(f, g Fact) int { return f.compare(&g) })
	return facts
}

// Entries returns every curated entry, in document order. Read only.
func (s *State) Entries() []Entry { return s.entries }

// Entry returns the entry of that key.
func (s *State) Entry(key string) (Entry, bool) { return get(s.entries, s.index().entries, key) }

// Chain returns the revisions of a domain, oldest first.
func (s *State) Chain(memoryKey string) []Entry { return at(s.entries, s.index().chains[memoryKey]) }

// Active returns what is in force in a domain.
func (s *State) Active(memoryKey string) (Entry, bool) {
	for _, entry := range s.Chain(memoryKey) {
		if entry.Status == StatusActive {
			return entry, true
		}
	}
	return Entry{}, false
}

// Keys returns every memory key that an entry, a case or a fact carries, sorted.
func (s *State) Keys() []string {
	keys := s.ledger.keys(s.seen)
	for key := range s.index().chains {
		keys = append(keys, key)
	}
	for key := range s.index().domains {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Cases returns every case, in document order. Read only.
func (s *State) Cases() []Case { return s.cases }

// Case returns the case of that conflict id.
func (s *State) Case(id string) (Case, bool) { return get(s.cases, s.index().cases, id) }

// CasesOf returns the cases of a domain, by case revision.
func (s *State) CasesOf(memoryKey string) []Case { return at(s.cases, s.index().domains[memoryKey]) }

// OpenCases returns the cases that wait for a human, the longest waiting first.
func (s *State) OpenCases() []Case {
	var open []Case
	for _, c := range s.cases {
		if c.Status == StatusOpen {
			open = append(open, c)
		}
	}
	slices.SortStableFunc(open, func(c, d Case) int { return s.Since(c).Compare(s.Since(d)) })
	return open
}

// Since returns how long ago the question of a case was first asked: a case that moved,
// and was superseded by its next revision in one run, has waited since the first of them.
func (s *State) Since(c Case) time.Time {
	since := c
	for _, earlier := range slices.Backward(s.CasesOf(c.MemoryKey)) {
		if earlier.Revision >= c.Revision {
			continue
		}
		if earlier.Status != StatusSuperseded || !earlier.SupersededAt.Equal(since.DetectedAt) {
			break
		}
		since = earlier
	}
	return since.DetectedAt
}

// Adjudications returns the audit, in the order of the file. Read only.
func (s *State) Adjudications() []Adjudication { return s.adjudications }

// Adjudication returns the record of that event.
func (s *State) Adjudication(eventID string) (Adjudication, bool) {
	return get(s.adjudications, s.index().events, eventID)
}

// AdjudicationOf returns the decision that made a revision, if a human made it.
func (s *State) AdjudicationOf(entryKey string) (Adjudication, bool) {
	return get(s.adjudications, s.index().made, entryKey)
}

// Standing returns the standing adjudication of a domain: the latest resolved case,
// by case revision, whose result is what is in force.
func (s *State) Standing(memoryKey string) (Case, bool) {
	active, ok := s.Active(memoryKey)
	if !ok {
		return Case{}, false
	}
	return standing(s.CasesOf(memoryKey), active.Key)
}

// standing finds the latest resolved case with that result among the cases of a domain.
func standing(cases []Case, activeKey string) (latest Case, ok bool) {
	for _, c := range cases {
		if c.Status == StatusResolved && c.ResultingActiveEntryKey == activeKey && (!ok || c.Revision > latest.Revision) {
			latest, ok = c, true
		}
	}
	return latest, ok
}

// Uses is where a fact is evidence.
type Uses struct {
	Entries []Entry
	Cases   []Case
}

// Uses returns the entries and the cases that have the fact as evidence.
func (s *State) Uses(factID string) Uses {
	x := s.index()
	return Uses{Entries: at(s.entries, x.usedEntry[factID]), Cases: at(s.cases, x.usedCase[factID])}
}

// Memory returns MEMORY.md as it is on disk; onDisk is false where there is none, and
// where it cannot be read: Readable(PartProjection) tells.
func (s *State) Memory() (text string, onDisk bool) { return s.memory, s.hasMemory }

// Rendered returns MEMORY.md as curated.json says it. Without curated.json that is
// whatever is on disk.
func (s *State) Rendered() string {
	if !s.hasCurated {
		return s.memory
	}
	return RenderMemory(s.entries)
}

// HasCurated reports whether curated.json exists and could be read.
func (s *State) HasCurated() bool { return s.hasCurated && s.Readable(PartCurated) == nil }

// Readable returns nil, or the first fault that kept the part from being read whole.
func (s *State) Readable(part Part) *Fault {
	if faults := s.faults[part]; len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// Faults returns everything that could not be read, by part, file and line.
func (s *State) Faults() []*Fault {
	var all []*Fault
	for _, part := range parts() {
		all = append(all, s.faults[part]...)
	}
	return slices.Compact(all) // a disk that cannot be read is one fault of every part
}

// Pending returns the event id of an adjudication that is recorded in the journal
// and waits for a writer to finish it. The State shows it as finished.
func (s *State) Pending() (eventID string, ok bool) { return s.pending, s.pending != "" }
