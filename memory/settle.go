package memory

import (
	"fmt"
	"slices"
	"time"
)

// A Way is evidence with which the rules would settle an open question by themselves,
// if nothing else were recorded on its key.
type Way struct {
	Kind    Kind // what would be in force
	Content string
	// Facts is how many more distinct facts that say so it takes; 0 where those that are
	// recorded already are enough, once they are old enough to count.
	Facts      int
	Importance int       // of each of them, as recorded; 0 with Facts 0
	From       time.Time // from when on a run would settle it, if they were recorded now
}

// MostFacts is how many further facts for one value Ways tries. More is not a way, but
// a hope.
const MostFacts = 4

// Ways says what evidence would settle an open case without a person: it puts facts that
// do not exist beside those of the domain and lets Distill judge. For each value that is
// the fewest facts of the importance that it has, or one of the lowest importance above
// it. Under a standing decision there often is none. The policy must be valid.
func Ways(s *State, policy Policy, c Case, now time.Time) ([]Way, error) {
	t := trial{state: s, policy: policy, memoryKey: c.MemoryKey, now: cleanTime(now)}
	var ways []Way
	if way, ok, err := t.waiting(); err != nil || ok {
		return append(ways, way), err
	}
	for _, candidate := range c.Candidates {
		for _, search := range []func(Candidate) (Way, bool, error){t.fewest, t.weightiest} {
			way, ok, err := search(candidate)
			if err != nil {
				return nil, err
			}
			if ok {
				ways = append(ways, way)
			}
			if ok && way.Facts == 1 {
				break // one more is the least that can be asked for
			}
		}
	}
	return ways, nil
}

// A trial runs the rules over one domain and facts that do not exist.
type trial struct {
	state     *State
	policy    Policy
	memoryKey string
	now       time.Time
}

// waiting looks for the first time at which the facts that are there settle the question.
func (t trial) waiting() (Way, bool, error) {
	x := NewExplainer(t.state, t.policy, t.now)
	for _, f := range t.state.FactsOf(t.memoryKey) {
		from := x.countsFrom(f)
		if !t.now.Before(from) {
			continue
		}
		active, settled, err := t.settles(from)
		if err != nil {
			return Way{}, false, err
		}
		if settled {
			return Way{Kind: active.Kind, Content: active.Content, From: from}, true, nil
		}
	}
	return Way{}, false, nil
}

// fewest looks for the fewest facts of the importance that the candidate has.
func (t trial) fewest(c Candidate) (Way, bool, error) {
	for n := 1; n <= MostFacts; n++ {
		if way, ok, err := t.with(c, n, c.MaximumImportance); ok || err != nil {
			return way, ok, err
		}
	}
	return Way{}, false, nil
}

// weightiest looks for one fact of a higher importance.
func (t trial) weightiest(c Candidate) (Way, bool, error) {
	for importance := c.MaximumImportance + 1; importance <= 5; importance++ {
		if way, ok, err := t.with(c, 1, importance); ok || err != nil {
			return way, ok, err
		}
	}
	return Way{}, false, nil
}

// with lets the rules judge n more facts that say what the candidate says, at the first
// time at which those would count.
func (t trial) with(c Candidate, n, importance int) (Way, bool, error) {
	source := "agent"
	for t.policy.SourceConfidence[source] != 0 {
		source += "-" // of no confidence, good or bad
	}
	facts := make([]Fact, n)
	for i := range facts {
		facts[i] = Fact{
			ID: t.freeID(i), WorkspaceID: t.state.workspaceID, RecordedAt: t.now, Kind: c.Kind, Content: c.Content,
			Source: source, Importance: importance, SchemaVersion: factSchema, MemoryKey: t.memoryKey,
		}
	}
	from := NewExplainer(t.state, t.policy, t.now).countsFrom(facts[0])
	active, settled, err := t.settles(from, facts...)
	if err != nil || !settled || candidateID(t.memoryKey, active.Kind, active.Content) != c.ID {
		return Way{}, false, err
	}
	return Way{Kind: c.Kind, Content: c.Content, Facts: n, Importance: importance, From: from}, true, nil
}

// freeID returns an id that no fact has.
func (t trial) freeID(i int) string {
	id := fmt.Sprintf("hypothetical:%d", i)
	for _, taken := t.state.Fact(id); taken; _, taken = t.state.Fact(id) {
		id += "-"
	}
	return id
}

// settles reports whether a run as of a time leaves something in force in the domain,
// and no question open.
func (t trial) settles(asOf time.Time, facts ...Fact) (active Entry, settled bool, err error) {
	plan, _, err := Distill(t.state.domain(t.memoryKey, facts), t.policy, asOf, t.memoryKey)
	if err != nil {
		return Entry{}, false, err
	}
	if slices.ContainsFunc(plan.Cases, func(c Case) bool { return c.Status == StatusOpen }) {
		return Entry{}, false, nil
	}
	for _, e := range plan.Entries {
		if e.Status == StatusActive {
			return e, true, nil
		}
	}
	return Entry{}, false, nil
}

// domain returns a state that knows one memory key alone, and the facts beside it.
func (s *State) domain(memoryKey string, facts []Fact) *State {
	return s.with(func(one *State) {
		one.ledger = newLedger()
		one.seen = 0
		for _, f := range slices.Concat(s.FactsOf(memoryKey), facts) {
			one.ledger.add(f)
			one.seen++
		}
		one.order = one.ledger.extend(nil, 0, one.seen)
		one.entries, one.cases = s.Chain(memoryKey), s.CasesOf(memoryKey)
	})
}

// Made returns the checks that the evidence of a revision passes, by which a rule made
// it, with its numbers as they are now: facts that came later count with it.
func (x *Explainer) Made(e Entry) []Check {
	var facts []Fact
	for _, id := range e.EvidenceIDs {
		if f, ok := x.state.Fact(id); ok {
			facts = append(facts, f)
		}
	}
	if len(facts) == 0 {
		return nil
	}
	slices.SortFunc(facts, func(f, g Fact) int { return f.compare(&g) })
	d := newDistiller(x.state, x.policy, x.asOf, e.MemoryKey)
	checks := []Check{d.gate(proposal{facts})}
	if before, ok := x.state.Entry(e.Supersedes); ok {
		need := x.policy.SupersessionRepeatThreshold
		checks = append(checks,
			Check{Rule: RuleConfirmed, Passed: len(facts) >= need, Facts: len(facts), NeedFacts: need},
			Check{Rule: RuleNewer, Passed: e.LastSeen.After(before.LastSeen), Time: e.LastSeen, After: before.LastSeen})
	}
	return checks
}
