package memory

import (
	"slices"
	"time"
)

// Rule names one condition of distillation.
type Rule string

// The rules, in the order in which a fact is held against them.
const (
	RuleStable    Rule = "stable"    // its kind can be curated
	RuleAge       Rule = "age"       // it is older than the policy asks
	RuleRejected  Rule = "rejected"  // no human saw it and chose another, unless enough came since
	RuleGate      Rule = "gate"      // it is important, or said often enough
	RuleConfirmed Rule = "confirmed" // it is said often enough to replace what is in force
	RuleNewer     Rule = "newer"     // it is newer than what is in force
	RuleBest      Rule = "best"      // nothing outweighs it
)

// A Check is one rule held against what facts say alike, with the numbers. Fields that
// the rule does not use are zero.
type Check struct {
	Rule           Rule      `json:"rule"`
	Passed         bool      `json:"passed"`
	Facts          int       `json:"facts,omitzero"`           // gate, confirmed, rejected, best: distinct facts that count
	NeedFacts      int       `json:"need_facts,omitzero"`      // and how many are needed; best: how many the rival has
	Importance     int       `json:"importance,omitzero"`      // gate, best: the highest, as weighed
	NeedImportance int       `json:"need_importance,omitzero"` // gate; best: the rival's
	Time           time.Time `json:"time,omitzero"`            // age, newer, best: the fact's or the latest fact's
	After          time.Time `json:"after,omitzero"`           // newer: what it must come after; age: from when on the fact counts; best: the rival's latest
	Rival          string    `json:"rival,omitzero"`           // best: what outweighs it or, passed, another that weighs the same
	CaseID         string    `json:"case_id,omitzero"`         // rejected: the case in which another was chosen
}

// Fate is what a run as of the explanation's time does with a fact.
type Fate string

// The fates.
const (
	FateMerged   Fate = "merged"   // becomes evidence of an entry that says the same
	FatePromoted Fate = "promoted" // becomes a new entry or the next revision
	FateAsked    Fate = "asked"    // stands in a case, before a human
	FateLeftOut  Fate = "left_out" // stays in the logs; the last check says why
	FateEvidence Fate = "evidence" // is evidence of an entry already
)

// A Verdict is a fate and the checks that led to it, the first that failed last.
type Verdict struct {
	Fate   Fate    `json:"fate"`
	Checks []Check `json:"checks"`
}

// Missed returns the rule that was missed, if one was.
func (v Verdict) Missed() (Check, bool) {
	if n := len(v.Checks); n > 0 && !v.Checks[n-1].Passed {
		return v.Checks[n-1], true
	}
	return Check{}, false
}

// An Explanation says why a fact is where it is.
type Explanation struct {
	Fact Fact `json:"fact"`
	Verdict
	Alike []string `json:"alike"` // ids of the facts that count together with it, itself included, sorted
	// More is how many more distinct facts that say the same are needed, 0 where that
	// would not help or is not needed.
	More int `json:"more"`
	// From is when the facts that are recorded already could pass, once the youngest
	// that is needed is old enough; zero where waiting alone does not help.
	From time.Time `json:"from,omitzero"`
	// EntryKey and Revision are, for FateEvidence, of the entry that the fact is evidence
	// of: what is in force before what was. EventID is of the decision that made it, ""
	// where a rule did; then the checks say by which rules.
	EntryKey string `json:"entry_key,omitzero"`
	Revision int    `json:"revision,omitzero"`
	EventID  string `json:"event_id,omitzero"`
	CaseID   string `json:"case_id,omitzero"` // of the open case that the fact stands in
}

// An Explainer explains facts of one state under one policy as of one time. It runs the
// rules themselves, one domain at a time, when first asked. It is for one goroutine.
type Explainer struct {
	state    *State
	policy   Policy
	asOf     time.Time
	verdicts map[string]explained // by fact id
	done     map[string]bool      // by memory key; "" for the unkeyed
}

type explained struct {
	Verdict
	alike []string
}

// NewExplainer returns an explainer. The policy must be valid.
func NewExplainer(s *State, policy Policy, asOf time.Time) *Explainer {
	return &Explainer{state: s, policy: policy, asOf: cleanTime(asOf), verdicts: map[string]explained{}, done: map[string]bool{}}
}

// Explain returns why a fact of the state is where it is.
func (x *Explainer) Explain(f Fact) Explanation {
	e := Explanation{Fact: f, Alike: []string{f.ID}}
	e.Checks = append(e.Checks, Check{Rule: RuleStable, Passed: f.Kind.Stable()})
	if !f.Kind.Stable() {
		e.Fate = FateLeftOut
		return e
	}
	from := x.countsFrom(f)
	e.Checks = append(e.Checks, Check{Rule: RuleAge, Passed: !x.asOf.Before(from), Time: f.RecordedAt, After: from})
	uses := x.state.Uses(f.ID)
	if len(uses.Entries) > 0 {
		x.inEntry(&e, uses.Entries)
		return e
	}
	for _, c := range uses.Cases {
		if c.Status == StatusOpen {
			e.CaseID = c.ID
		}
	}
	if x.asOf.Before(from) {
		e.Fate, e.From = FateLeftOut, from
		return e
	}
	x.run(f.MemoryKey)
	v, ok := x.verdicts[f.ID]
	if !ok {
		e.Fate = FateLeftOut
		return e
	}
	e.Fate, e.Alike, e.Checks = v.Fate, v.alike, append(e.Checks, v.Checks...)
	x.outlook(&e)
	return e
}

// inEntry says how the entry came to be that the fact is evidence of.
func (x *Explainer) inEntry(e *Explanation, entries []Entry) {
	entry := entries[len(entries)-1]
	for _, other := range entries {
		if other.Status == StatusActive {
			entry = other
		}
	}
	e.Fate, e.EntryKey, e.Revision = FateEvidence, entry.Key, entry.Revision
	if a, ok := x.state.AdjudicationOf(entry.Key); ok {
		e.EventID = a.EventID
		return
	}
	e.Checks = append(e.Checks, x.Made(entry)...)
}

// countsFrom returns the first time at which a run counts the fact: it must be strictly
// older than the policy's age.
func (x *Explainer) countsFrom(f Fact) time.Time {
	return f.RecordedAt.AddDate(0, 0, x.policy.MinimumAgeDays).Add(time.Microsecond)
}

// run traces the rules over one domain, or over all that is unkeyed. Of several passes
// the last that saw a fact tells its fate.
func (x *Explainer) run(memoryKey string) {
	if x.done[memoryKey] {
		return
	}
	x.done[memoryKey] = true
	d := newDistiller(x.state, x.policy, x.asOf, memoryKey)
	d.trace = func(p proposal, v Verdict) {
		ids := p.ids()
		for _, id := range ids {
			x.verdicts[id] = explained{v, ids}
		}
	}
	unkeyed, domains := d.candidates()
	for key, facts := range unkeyed {
		d.unkeyed(key, facts)
	}
	if memoryKey != "" && len(domains[memoryKey]) > 0 {
		d.domain(memoryKey, domains[memoryKey])
	}
}

// outlook says what a fact that was left out could still wait for.
func (x *Explainer) outlook(e *Explanation) {
	missed, ok := e.Missed()
	if !ok {
		return
	}
	if missed.Rule != RuleBest { // a rival's facts are no number that is needed
		e.More = max(0, missed.NeedFacts-missed.Facts)
	}
	// Facts that say the same and are too young may be all that is missing.
	var young []Fact
	for _, other := range x.sameKey(e.Fact) {
		if x.asOf.Before(x.countsFrom(other)) && sameSaying(other, e.Fact) {
			young = append(young, other)
		}
	}
	slices.SortFunc(young, func(f, g Fact) int { return f.compare(&g) })
	for i, other := range young {
		if from := x.countsFrom(other); x.passes(*e, missed.Rule, young[:i+1], from) {
			e.From = from
			return
		}
	}
}

// passes reports whether the fact passes the rule at a time at which also those that
// say the same and were too young count.
func (x *Explainer) passes(e Explanation, rule Rule, young []Fact, at time.Time) bool {
	if e.Fact.MemoryKey != "" {
		missed, still := NewExplainer(x.state, x.policy, at).Explain(e.Fact).Missed()
		return !still || missed.Rule != rule
	}
	alike := young
	for _, id := range e.Alike {
		if f, ok := x.state.Fact(id); ok {
			alike = append(slices.Clip(alike), f)
		}
	}
	return newDistiller(x.state, x.policy, at, "").gate(proposal{alike}).Passed
}

func (x *Explainer) sameKey(f Fact) []Fact {
	if f.MemoryKey != "" {
		return x.state.FactsOf(f.MemoryKey)
	}
	var young []Fact
	for other := range x.state.Newest() {
		if !x.asOf.Before(x.countsFrom(other)) {
			break
		}
		if other.MemoryKey == "" {
			young = append(young, other)
		}
	}
	return young
}

func sameSaying(f, g Fact) bool {
	return f.Kind == g.Kind && NormalForm(f.Content) == NormalForm(g.Content)
}

// A Proposal is what facts of one domain say alike and no entry holds yet.
type Proposal struct {
	Kind    Kind     `json:"kind"`
	Content string   `json:"content"` // the wording that it would be given
	FactIDs []string `json:"fact_ids"`
	// Confirms: they say what is in force, and so are no challenge to it.
	Confirms bool `json:"confirms,omitzero"`
	Explanation
}

// Proposals explains what the facts of a domain say that are in no entry: each value
// that challenges what is in force, and what confirms it.
func (x *Explainer) Proposals(memoryKey string) []Proposal {
	var loose []Fact
	for _, f := range x.state.FactsOf(memoryKey) {
		if f.Kind.Stable() && len(x.state.Uses(f.ID).Entries) == 0 {
			loose = append(loose, f)
		}
	}
	var proposals []Proposal
	active, inForce := x.state.Active(memoryKey)
	for _, p := range group(memoryKey, loose) {
		said := p.representative()
		oldest := p.facts[0] // it counts first, so it tells most
		proposals = append(proposals, Proposal{
			Kind: said.Kind, Content: said.Content, FactIDs: p.ids(), Explanation: x.Explain(oldest),
			Confirms: inForce && p.candidateID(memoryKey) == candidateID(memoryKey, active.Kind, active.Content),
		})
	}
	return proposals
}
