package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/memory"
)

// Explain says why a fact is where it is, or what challenges a memory key: the rules
// that were passed, the first that was missed, and when it could be.
type Explain struct {
	Name string `arg:"" name:"fact-id|key" help:"A fact's id, or a memory key."`
	AsOf *Time  `help:"Judge as of this time (default now)." placeholder:"T"`
	PolicyFlags
}

// Run does it.
func (c *Explain) Run(ctx context.Context, t *Terminal) error {
	policy, err := c.policy()
	if err != nil {
		return err
	}
	_, state, err := t.read(ctx, memory.PartFacts, memory.PartCurated, memory.PartConflicts)
	if err != nil {
		return err
	}
	asOf := t.Now()
	if c.AsOf != nil {
		asOf = c.AsOf.Time
	}
	x := memory.NewExplainer(state, policy, asOf)
	if fact, ok := state.Fact(c.Name); ok {
		return t.explainFact(x.Explain(fact))
	}
	key, err := memory.CleanKey(c.Name)
	if _, known := slices.BinarySearch(state.Keys(), key); err != nil || !known {
		return &memory.NotFoundError{What: "fact or memory key", ID: c.Name}
	}
	return t.explainDomain(state, key, x.Proposals(key))
}

func (t *Terminal) explainFact(e memory.Explanation) error {
	if t.JSON {
		return t.printJSON(e)
	}
	if err := t.say("%s  %s  %s  %s", minute(e.Fact.RecordedAt), e.Fact.Kind, e.Fact.Source, quote(e.Fact.Content)); err != nil {
		return err
	}
	return t.verdict(e)
}

func (t *Terminal) explainDomain(state *memory.State, key string, proposals []memory.Proposal) error {
	if t.JSON {
		return t.printJSON(append([]memory.Proposal{}, proposals...))
	}
	if active, ok := state.Active(key); ok {
		if err := t.say("%s: %s is in force, revision %d.", key, quote(active.Content), active.Revision); err != nil {
			return err
		}
	} else if err := t.say("%s: nothing is in force.", key); err != nil {
		return err
	}
	if len(proposals) == 0 {
		return t.say("Nothing challenges it.")
	}
	for _, p := range proposals {
		if err := t.say(""); err != nil {
			return err
		}
		if err := t.say("%s  %s  %s", quote(p.Content), p.Kind, count(len(p.FactIDs), "fact")); err != nil {
			return err
		}
		if err := t.verdict(p.Explanation); err != nil {
			return err
		}
	}
	return nil
}

// verdict prints the checks and what they come to.
func (t *Terminal) verdict(e memory.Explanation) error {
	rows := table{indent: "  "}
	for _, check := range e.Checks {
		mark := "passed"
		if !check.Passed {
			mark = "missed"
		}
		rows.add(mark, string(check.Rule), checkWords(check))
	}
	if err := rows.write(t.Stdout, 0); err != nil {
		return err
	}
	return t.say("  %s", fateWords(e))
}

// checkWords says what a rule was held against, in numbers.
func checkWords(c memory.Check) string {
	switch c.Rule {
	case memory.RuleStable:
		if c.Passed {
			return "its kind can be curated"
		}
		return "outcomes stay in the logs"
	case memory.RuleAge:
		return "counts from " + minute(c.After) + " on"
	case memory.RuleRejected:
		if c.CaseID == "" {
			return "no human chose another"
		}
		return fmt.Sprintf("a human chose another in %s; %d of %d facts came since", c.CaseID, c.Facts, c.NeedFacts)
	case memory.RuleGate:
		return fmt.Sprintf("importance %d of %d, or %d of %s", c.Importance, c.NeedImportance, c.Facts, count(c.NeedFacts, "fact"))
	case memory.RuleConfirmed:
		return fmt.Sprintf("%d of %s that it takes to replace", c.Facts, count(c.NeedFacts, "fact"))
	case memory.RuleNewer:
		return "last said " + minute(c.Time) + ", what is in force " + minute(c.After)
	case memory.RuleBest:
		return "the strongest is " + quote(c.Rival)
	}
	return ""
}

// fateWords says what a run does with it, and what would change that.
func fateWords(e memory.Explanation) string {
	switch e.Fate {
	case memory.FateEvidence:
		return "It is evidence of curated memory."
	case memory.FateMerged:
		return "A run adds it to the memory that says the same."
	case memory.FatePromoted:
		return "A run puts it in force."
	case memory.FateAsked:
		return "It waits for a human: docket conflicts shows the case."
	}
	var hopes []string
	if e.More > 0 {
		hopes = append(hopes, "It takes "+count(e.More, "more fact")+" saying the same.")
	}
	if !e.From.IsZero() {
		hopes = append(hopes, "With what is recorded it could pass on "+minute(e.From.Truncate(time.Minute).Add(time.Minute))+".")
	}
	if len(hopes) == 0 {
		return "It stays in the logs."
	}
	return strings.Join(hopes, " ")
}
