package memory

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A proposal is what the facts of one domain say alike: the same kind and normal form.
type proposal struct {
	facts []Fact // by (time, id)
}

func (p proposal) ids() []string {
	ids := make([]string, 0, len(p.facts))
	for _, f := range p.facts {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return ids
}

// representative returns the fact that gives the wording.
func (p proposal) representative() Fact {
	return slices.MaxFunc(p.facts, func(f, g Fact) int {
		return cmp.Or(cmp.Compare(f.Importance, g.Importance), f.compare(&g))
	})
}

func (p proposal) latest() time.Time { return p.facts[len(p.facts)-1].RecordedAt }

// importance returns the highest raw importance.
func (p proposal) importance() int {
	highest := 0
	for _, f := range p.facts {
		highest = max(highest, f.Importance)
	}
	return highest
}

// Weigh returns a fact's importance with its source's confidence added, unclamped.
func (p Policy) Weigh(f Fact) int { return f.Importance + p.SourceConfidence[f.Source] }

// gate holds facts that say the same against step 3's first rule: they are important
// or repeated enough.
func (d *distiller) gate(p proposal) Check {
	c := Check{
		Rule: RuleGate, Importance: 1, NeedImportance: d.policy.MinimumImportance,
		Facts: len(p.facts), NeedFacts: d.policy.RepeatThreshold,
	}
	for _, f := range p.facts {
		c.Importance = max(c.Importance, min(d.policy.Weigh(f), 5))
	}
	c.Passed = c.Importance >= c.NeedImportance || c.Facts >= c.NeedFacts
	return c
}

// weight is the highest weighed importance of a proposal.
func (d *distiller) weight(p proposal) int {
	highest := d.policy.Weigh(p.facts[0])
	for _, f := range p.facts[1:] {
		highest = max(highest, d.policy.Weigh(f))
	}
	return highest
}

// better compares two proposals by step 4: highest weighed importance, distinct facts,
// latest time.
func (d *distiller) better(p, q proposal) int {
	latest := func(p proposal) time.Time {
		if d.policy.Recency == Day {
			return p.latest().Truncate(24 * time.Hour)
		}
		return p.latest()
	}
	return cmp.Or(
		cmp.Compare(d.weight(p), d.weight(q)),
		cmp.Compare(len(p.facts), len(q.facts)),
		latest(p).Compare(latest(q)),
	)
}

// group sorts the facts of a domain into proposals, in an order that hangs on what
// they say alone.
func group(memoryKey string, facts []Fact) []proposal {
	groups := map[string][]Fact{}
	for _, f := range facts {
		id := candidateID(memoryKey, f.Kind, f.Content)
		groups[id] = append(groups[id], f)
	}
	var proposals []proposal
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		proposals = append(proposals, proposal{groups[id]})
	}
	return proposals
}

// A pass goes once over the proposals of one domain.
type pass struct {
	*distiller
	key      string
	activeAt int // in entries, -1 for nothing in force
}

func (p *pass) active() *Entry {
	if p.activeAt < 0 {
		return nil
	}
	return &p.entries[p.activeAt]
}

// run applies the steps 1 to 4 and returns the facts that did not enter memory, how
// many of them are stale, and whether a revision was made.
func (p *pass) run(facts []Fact) (rest []Fact, stale int, won bool) {
	proposals := p.merge(group(p.key, facts))
	for _, q := range proposals {
		rest = append(rest, q.facts...)
	}
	eligible, stale := p.admit(proposals)
	if len(eligible) == 0 {
		return rest, stale, false
	}
	best := slices.MaxFunc(eligible, func(a, b admitted) int { return p.better(a.proposal, b.proposal) })
	var equals []proposal
	for _, q := range eligible {
		if p.better(q.proposal, best.proposal) == 0 {
			equals = append(equals, q.proposal)
		}
	}
	_, held := p.standing()
	asks := len(equals) > 1 || held
	p.tellBest(eligible, best.proposal, asks)
	if asks {
		p.queue(equals)
		return rest, stale, false
	}
	p.revise(best.proposal)
	rest = slices.DeleteFunc(rest, func(f Fact) bool {
		return slices.ContainsFunc(best.facts, func(g Fact) bool { return f.ID == g.ID })
	})
	slices.SortFunc(rest, func(f, g Fact) int { return f.compare(&g) })
	return rest, stale, true
}

// tellBest tells the trace how step 4 ended for each that competed.
func (p *pass) tellBest(eligible []admitted, best proposal, asks bool) {
	for _, q := range eligible {
		rival := best // else another that weighs the same
		for _, other := range eligible {
			if p.better(q.proposal, best) == 0 && p.better(other.proposal, best) == 0 && other.facts[0].ID != q.facts[0].ID {
				rival = other.proposal
			}
		}
		v := Verdict{Fate: FateLeftOut, Checks: append(q.checks, p.best(q.proposal, rival))}
		if _, missed := v.Missed(); !missed {
			v.Fate = FatePromoted
			if asks {
				v.Fate = FateAsked
			}
		}
		p.tell(q.proposal, v)
	}
}

// best is step 4 for one proposal, against the best or another that weighs the same.
func (p *pass) best(q, rival proposal) Check {
	c := Check{Rule: RuleBest, Passed: p.better(q, rival) >= 0, Importance: p.weight(q), Facts: len(q.facts), Time: q.latest()}
	if rival.facts[0].ID != q.facts[0].ID {
		c.Rival, c.NeedImportance, c.NeedFacts, c.After = rival.representative().Content, p.weight(rival), len(rival.facts), rival.latest()
	}
	return c
}

// merge is step 1: what says the same as the active entry becomes its evidence before
// anything is compared. It returns the other proposals.
func (p *pass) merge(proposals []proposal) []proposal {
	active := p.active()
	if active == nil {
		return proposals
	}
	same := candidateID(p.key, active.Kind, active.Content)
	var others []proposal
	for _, q := range proposals {
		if q.candidateID(p.key) != same {
			others = append(others, q)
			continue
		}
		p.tell(q, Verdict{Fate: FateMerged})
		p.entries[p.activeAt] = active.merge(q.facts)
		p.report.Eligible += len(q.facts)
		p.report.Updated++
	}
	return others
}

func (p proposal) candidateID(memoryKey string) string {
	return candidateID(memoryKey, p.facts[0].Kind, p.facts[0].Content)
}

// standing returns the standing adjudication, under a policy in which it holds.
func (p *pass) standing() (Case, bool) {
	active := p.active()
	if active == nil || !p.policy.AdjudicationsHold {
		return Case{}, false
	}
	return standing(p.state.CasesOf(p.key), active.Key)
}

// An admitted proposal may compete.
type admitted struct {
	proposal
	checks []Check // what it passed
}

// admit is the steps 2 and 3: it returns the proposals that may compete, and how many
// facts were left out as stale.
func (p *pass) admit(proposals []proposal) (eligible []admitted, stale int) {
	for _, q := range proposals {
		checks := p.checks(q)
		missed := checks[len(checks)-1]
		if missed.Passed {
			eligible = append(eligible, admitted{q, checks})
			continue
		}
		if missed.Rule == RuleNewer {
			stale += len(q.facts)
		}
		p.tell(q, Verdict{Fate: FateLeftOut, Checks: checks})
	}
	return eligible, stale
}

// checks holds a proposal against the rules of steps 2 and 3, up to the first that it
// misses.
func (p *pass) checks(q proposal) []Check {
	active := p.active()
	rules := []func(proposal) Check{p.gate}
	if active != nil {
		rules = []func(proposal) Check{p.unrejected, p.gate, p.confirmed, p.newer}
	}
	var checks []Check
	for _, rule := range rules {
		c := rule(q)
		checks = append(checks, c)
		if !c.Passed {
			break
		}
	}
	return checks
}

// confirmed is the second rule of step 3: to replace takes so many distinct facts.
func (p *pass) confirmed(q proposal) Check {
	need := p.policy.SupersessionRepeatThreshold
	return Check{Rule: RuleConfirmed, Passed: len(q.facts) >= need, Facts: len(q.facts), NeedFacts: need}
}

// newer is the third rule of step 3: the latest fact is newer than what is in force.
func (p *pass) newer(q proposal) Check {
	newest := p.active().LastSeen
	if c, held := p.standing(); held {
		// An echo of the held value must not close the question: what counts is how new
		// the chosen value was when it was chosen.
		chosen, _ := c.Candidate(c.SelectedCandidateID)
		newest = chosen.LastSeen
	}
	return Check{Rule: RuleNewer, Passed: q.latest().After(newest), Time: q.latest(), After: newest}
}

// unrejected is step 2: no human saw the proposal and chose another, unless enough facts
// came since.
func (p *pass) unrejected(q proposal) Check {
	active, id := p.active(), q.candidateID(p.key)
	c, held := p.standing()
	if !held {
		newest, ok := standing(p.state.CasesOf(p.key), active.Key)
		candidate, in := newest.Candidate(id)
		same := ok && in && newest.SelectedCandidateID != id && slices.Equal(candidate.EvidenceIDs, q.ids())
		check := Check{Rule: RuleRejected, Passed: !same}
		if same {
			check.NeedFacts, check.CaseID = 1, newest.ID
		}
		return check
	}
	check := Check{Rule: RuleRejected, Passed: true}
	for _, d := range p.state.CasesOf(p.key) {
		if _, in := d.Candidate(id); d.Status == StatusResolved && in && d.SelectedCandidateID != id {
			check.CaseID = d.ID
		}
	}
	if check.CaseID == "" {
		return check
	}
	for _, f := range q.facts {
		if _, seen := slices.BinarySearch(c.ObservedFactIDs, f.ID); !seen {
			check.Facts++
		}
	}
	check.NeedFacts = p.policy.SupersessionRepeatThreshold
	check.Passed = check.Facts >= check.NeedFacts
	return check
}

// revise makes the next revision of the domain.
func (p *pass) revise(q proposal) {
	said := q.representative()
	next := Entry{Kind: said.Kind, Content: said.Content, MemoryKey: p.key, Status: StatusActive}.merge(q.facts)
	p.entries = appendRevision(p.entries, p.activeAt, next)
	last := len(p.entries) - 1
	p.note(last, p.entries[last])
	p.report.Eligible += len(q.facts)
	p.report.Created++
	if p.activeAt >= 0 {
		p.report.Superseded++
	}
}

// appendRevision puts next behind the active entry, where there is one, of its domain:
// the old one is changed in its place, the new one stands last.
func appendRevision(entries []Entry, activeAt int, next Entry) []Entry {
	next.Revision = 1
	if activeAt >= 0 {
		next.Revision = entries[activeAt].Revision + 1
		next.Supersedes = entries[activeAt].Key
	}
	next.Key = entryKey(next.MemoryKey, next.Revision, next.Kind, next.Content)
	if activeAt >= 0 {
		entries[activeAt].Status = StatusSuperseded
		entries[activeAt].SupersededBy = next.Key
	}
	return append(entries, next)
}

// queue puts the equals, with what is in force, before a human, unless that very
// question is on record.
func (p *pass) queue(equals []proposal) {
	c, err := p.newCase(equals)
	if err != nil {
		p.err = err
		return
	}
	p.tied[p.key] = true
	p.report.Conflicts++
	p.report.ConflictCaseIDs = append(p.report.ConflictCaseIDs, c.ID)
	known, ok := p.state.index().cases[c.ID]
	if ok && !(p.policy.Settle && p.cases[known].Status == StatusSuperseded) {
		return
	}
	p.report.QueuedConflicts++
	for _, i := range p.state.index().domains[p.key] { // a run makes one case a domain at most
		c.Revision = max(c.Revision, p.cases[i].Revision)
		if p.cases[i].Status == StatusOpen {
			p.cases[i].Status, p.cases[i].SupersededAt = StatusSuperseded, p.asOf
		}
	}
	c.Revision++
	if ok {
		p.cases[known] = c // opened again in its place: nothing but revision and date differs
		return
	}
	p.cases = append(p.cases, c)
}

func (p *pass) newCase(equals []proposal) (Case, error) {
	c := Case{WorkspaceID: p.state.workspaceID, MemoryKey: p.key, Status: StatusOpen, DetectedAt: p.asOf}
	for _, q := range equals {
		said, ids := q.representative(), q.ids()
		c.Candidates = append(c.Candidates, Candidate{
			ID: q.candidateID(p.key), Kind: said.Kind, Content: said.Content, EvidenceIDs: ids, Occurrences: len(ids),
			MaximumImportance: q.importance(), FirstSeen: q.facts[0].RecordedAt, LastSeen: q.latest(),
		})
	}
	if active := p.active(); active != nil {
		c.ActiveEntryKey = active.Key
		c.Candidates = append(c.Candidates, p.incumbent(active))
	}
	slices.SortFunc(c.Candidates, func(a, b Candidate) int { return compareText(a.ID, b.ID) })
	var evidence [][]string
	for _, candidate := range c.Candidates {
		evidence = append(evidence, candidate.EvidenceIDs)
	}
	c.ObservedFactIDs = observed(p.state, p.key, evidence...)
	var err error
	c.Fingerprint, err = c.fingerprint()
	c.ID = conflictID(c.WorkspaceID, c.MemoryKey, c.Fingerprint)
	return c, err
}

func (p *pass) incumbent(active *Entry) Candidate {
	importance := 1
	for _, id := range active.EvidenceIDs {
		if f, ok := p.state.Fact(id); ok {
			importance = max(importance, f.Importance)
		}
	}
	return Candidate{
		ID: candidateID(p.key, active.Kind, active.Content), Kind: active.Kind, Content: active.Content,
		EvidenceIDs: active.EvidenceIDs, Occurrences: active.Occurrences, MaximumImportance: importance,
		FirstSeen: active.FirstSeen, LastSeen: active.LastSeen, Incumbent: true,
	}
}
