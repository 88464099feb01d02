package web

import (
	"time"

	"docket/memory"
	"docket/templates"
)

// fates tells what became of the facts of one state, and what the others still miss
// under this server's policy: the explanation that the rules give, as pages show it.
type fates struct {
	*memory.Explainer
	state *memory.State
	now   time.Time
}

func (s *server) fates(state *memory.State) *fates {
	now := s.cfg.Now().UTC()
	return &fates{memory.NewExplainer(state, s.cfg.Policy, now), state, now}
}

// readable reports whether the files that tell of fates could be read.
func (f *fates) readable() bool {
	return f.state.Readable(memory.PartCurated) == nil && f.state.Readable(memory.PartConflicts) == nil
}

// of returns what became of a fact.
func (f *fates) of(fact memory.Fact) templates.Fate {
	if !fact.Kind.Stable() {
		return templates.Fate{Is: templates.FateOutcome}
	}
	if !f.readable() {
		return templates.Fate{Is: templates.FateUnknown}
	}
	if fate, ok := f.used(fact); ok {
		return fate
	}
	return f.view(f.Explain(fact))
}

// trace is the rules that a fact was held against and the decision that made what it is
// evidence of, nil where a rule did; nothing where that is not known.
func (f *fates) trace(fact memory.Fact) ([]memory.Check, *memory.Adjudication) {
	if !f.readable() {
		return nil, nil
	}
	e := f.Explain(fact)
	return e.Checks, decisionOn(f.state, e.EventID)
}

// proposals are what the facts of a domain say that no entry holds: what challenges what
// is in force, and the facts that confirm it.
func (f *fates) proposals(memoryKey string) (challenges []templates.Challenge, confirm []templates.Uncounted) {
	if !f.readable() {
		return nil, nil
	}
	for _, p := range f.Proposals(memoryKey) {
		var facts []templates.Uncounted
		for _, e := range evidence(f.state, p.FactIDs) {
			facts = append(facts, templates.Uncounted{Fact: e.Fact, Fate: f.of(e.Fact)})
		}
		if p.Confirms {
			confirm = append(confirm, facts...)
		} else {
			challenges = append(challenges, templates.Challenge{Content: p.Content, Fate: f.of(p.Fact), Checks: p.Checks, Facts: facts})
		}
	}
	return challenges, confirm
}

// used tells of a fact that is evidence of an entry or of an open case.
func (f *fates) used(fact memory.Fact) (fate templates.Fate, ok bool) {
	uses := f.state.Uses(fact.ID)
	for _, entry := range uses.Entries {
		is := templates.FateSuperseded
		if entry.Status == memory.StatusActive {
			is = templates.FateInMemory
		}
		if ok && is == templates.FateSuperseded {
			continue
		}
		fate, ok = templates.Fate{Is: is, EntryKey: entry.Key, Revision: entry.Revision}, true
		if entry.MemoryKey == "" {
			fate.Revision = 0
		}
	}
	if ok {
		return fate, true
	}
	for _, c := range uses.Cases {
		if c.Status == memory.StatusOpen {
			return templates.Fate{Is: templates.FateInCase, CaseID: c.ID}, true
		}
	}
	return templates.Fate{}, false
}

// view is how pages show an explanation of a fact that is in no entry.
func (f *fates) view(e memory.Explanation) templates.Fate {
	missed, left := e.Missed()
	if !left {
		return templates.Fate{Is: templates.FateDue, Next: e.Fate}
	}
	fate := templates.Fate{More: e.More, From: e.From}
	switch missed.Rule {
	case memory.RuleAge:
		left := missed.After.Sub(f.now)
		fate.Is, fate.Days = templates.FateYoung, int((left-time.Microsecond)/(24*time.Hour))+1
	case memory.RuleGate, memory.RuleConfirmed:
		fate.Is = templates.FateUnconfirmed
	case memory.RuleRejected:
		fate.Is, fate.CaseID = templates.FateDecidedAgainst, missed.CaseID
	case memory.RuleNewer:
		fate.Is, fate.Said, fate.After = templates.FateOlder, missed.Time, missed.After
	case memory.RuleBest:
		fate.Is, fate.Rival = templates.FateWeaker, missed.Rival
	}
	return fate
}
