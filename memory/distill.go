package memory

import (
	"maps"
	"slices"
	"time"
)

// A Plan is what the documents are to hold: the outcome of Distill or Resolve, before
// anything is written.
type Plan struct {
	Entries      []Entry      // curated.json; a new entry of Resolve stands last, unsorted
	Cases        []Case       // conflicts.json, in document order
	Adjudication Adjudication // of Resolve
}

// Distill says what a run over the state would do as of a time: which stable facts
// enter curated memory, which replace what is in force, and which questions go to a
// human. It is pure: dry runs and forecasts call it too. A memory key limits the run
// to that domain. The rules and their numbering are those of the format's chapter
// "Distillation".
func Distill(s *State, policy Policy, asOf time.Time, memoryKey string) (Plan, Report, error) {
	if err := policy.Validate(); err != nil {
		return Plan{}, Report{}, err
	}
	if memoryKey != "" {
		key, err := CleanKey(memoryKey)
		if err != nil {
			return Plan{}, Report{}, err
		}
		memoryKey = key
	}
	d := newDistiller(s, policy, asOf, memoryKey)
	d.run()
	plan := Plan{Entries: sortedEntries(d.entries), Cases: sortedCases(d.cases)}
	return plan, d.report, d.err
}

func newDistiller(s *State, policy Policy, asOf time.Time, only string) *distiller {
	d := &distiller{
		state: s, policy: policy, asOf: cleanTime(asOf), only: only,
		entries: slices.Clone(s.entries), cases: slices.Clone(s.cases),
		places: map[string]int{}, active: map[string]int{},
		report: Report{ConflictCaseIDs: []string{}}, tied: map[string]bool{},
	}
	for i, e := range d.entries {
		d.note(i, e)
	}
	return d
}

// A distiller is one run.
type distiller struct {
	state  *State
	policy Policy
	asOf   time.Time
	only   string // the one domain to distill, "" for all

	entries []Entry
	places  map[string]int // in entries, by entry key
	active  map[string]int // in entries, what is in force by memory key
	cases   []Case
	report  Report
	tied    map[string]bool // domains with a tie in this run
	err     error

	trace func(proposal, Verdict) // told of each proposal in each pass; nil for nobody
}

// tell gives the trace what became of a proposal.
func (d *distiller) tell(p proposal, v Verdict) {
	if d.trace != nil {
		d.trace(p, v)
	}
}

// note remembers where an entry stands.
func (d *distiller) note(at int, e Entry) {
	d.places[e.Key] = at
	if e.MemoryKey != "" && e.Status == StatusActive {
		d.active[e.MemoryKey] = at
	}
}

// inForce returns the place of what is in force in a domain, or -1.
func (d *distiller) inForce(memoryKey string) int {
	if at, ok := d.active[memoryKey]; ok {
		return at
	}
	return -1
}

func (d *distiller) run() {
	unkeyed, domains := d.candidates()
	for _, key := range slices.Sorted(maps.Keys(unkeyed)) {
		d.unkeyed(key, unkeyed[key])
	}
	for _, key := range slices.Sorted(maps.Keys(domains)) {
		d.domain(key, domains[key])
	}
	d.closeCases(domains)
}

// candidates returns the aged facts that could enter memory: unkeyed ones by entry
// key, keyed ones by memory key. It counts the others.
func (d *distiller) candidates() (unkeyed, domains map[string][]Fact) {
	used := d.state.index().usedEntry
	cutoff := d.asOf.AddDate(0, 0, -d.policy.MinimumAgeDays)
	unkeyed, domains = map[string][]Fact{}, map[string][]Fact{}
	for _, f := range d.facts() {
		if !f.RecordedAt.Before(cutoff) {
			break
		}
		d.report.Scanned++
		switch {
		case !f.Kind.Stable() || len(used[f.ID]) > 0:
			d.report.Skipped++
		case f.MemoryKey == "":
			key := entryKey("", 1, f.Kind, f.Content)
			unkeyed[key] = append(unkeyed[key], f)
		default:
			domains[f.MemoryKey] = append(domains[f.MemoryKey], f)
		}
	}
	return unkeyed, domains
}

// facts returns the facts that this run looks at, oldest first.
func (d *distiller) facts() []Fact {
	if d.only != "" {
		return d.state.FactsOf(d.only)
	}
	return slices.Collect(d.state.Facts())
}

// unkeyed handles the facts of one entry key, which stand alone.
func (d *distiller) unkeyed(key string, facts []Fact) {
	at, known := d.places[key]
	p := proposal{facts: facts}
	if gate := d.gate(p); !known && !gate.Passed {
		d.report.Skipped += len(facts)
		d.tell(p, Verdict{Fate: FateLeftOut, Checks: []Check{gate}})
		return
	} else if !known {
		d.tell(p, Verdict{Fate: FatePromoted, Checks: []Check{gate}})
	}
	d.report.Eligible += len(facts)
	if known {
		d.tell(p, Verdict{Fate: FateMerged})
		d.entries[at] = d.entries[at].merge(facts)
		d.report.Updated++
		return
	}
	first := slices.MinFunc(facts, func(f, g Fact) int {
		if f.Importance != g.Importance {
			return g.Importance - f.Importance
		}
		return f.compare(&g)
	})
	e := Entry{Key: key, Kind: first.Kind, Content: first.Content, Revision: 1, Status: StatusActive}
	d.note(len(d.entries), e)
	d.entries = append(d.entries, e.merge(facts))
	d.report.Created++
}

// domain handles the facts of one memory key. Under settle it goes over them until a
// pass makes no revision, so that a second run finds nothing to do. A fact counts by
// its fate in the last pass.
func (d *distiller) domain(key string, facts []Fact) {
	for {
		p := pass{distiller: d, key: key, activeAt: d.inForce(key)}
		rest, stale, won := p.run(facts)
		if won && d.policy.Settle && len(rest) > 0 {
			facts = rest
			continue
		}
		d.report.Skipped += len(rest)
		d.report.Stale += stale
		return
	}
}

// closeCases supersedes every open case that no longer asks what is the question.
func (d *distiller) closeCases(domains map[string][]Fact) {
	for i, c := range d.cases {
		if c.Status != StatusOpen || d.only != "" && c.MemoryKey != d.only {
			continue
		}
		_, hadCandidates := domains[c.MemoryKey]
		var activeKey string
		var active Entry
		if at := d.inForce(c.MemoryKey); at >= 0 {
			active = d.entries[at]
			activeKey = active.Key
		}
		moved := d.policy.Settle && !slices.Equal(c.ObservedFactIDs, observed(d.state, c.MemoryKey, active.EvidenceIDs))
		if hadCandidates && !d.tied[c.MemoryKey] || c.ActiveEntryKey != activeKey || moved {
			d.cases[i].Status = StatusSuperseded
			d.cases[i].SupersededAt = d.asOf
		}
	}
}

// observed returns, sorted, the ids of every fact of a memory key in the logs, of any
// age and kind, and the ids given beside them.
func observed(s *State, memoryKey string, evidence ...[]string) []string {
	ids := []string{}
	for _, f := range s.FactsOf(memoryKey) {
		ids = append(ids, f.ID)
	}
	ids = append(ids, slices.Concat(evidence...)...)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// merge returns the entry with the facts as further evidence.
func (e Entry) merge(facts []Fact) Entry {
	ids := slices.Clone(e.EvidenceIDs)
	for _, f := range facts {
		ids = append(ids, f.ID)
		if e.FirstSeen.IsZero() || f.RecordedAt.Before(e.FirstSeen) {
			e.FirstSeen = f.RecordedAt
		}
		if e.LastSeen.IsZero() || f.RecordedAt.After(e.LastSeen) {
			e.LastSeen = f.RecordedAt
		}
	}
	slices.Sort(ids)
	e.EvidenceIDs = slices.Compact(ids)
	e.Occurrences = len(e.EvidenceIDs)
	return e
}
