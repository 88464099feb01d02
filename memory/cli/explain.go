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
	if !slices.ContainsFunc(proposals, func(p memory.Proposal) bool { return !p.Confirms }) {
		if err := t.say("Nothing challenges it."); err != nil {
			return err
		}
	}
	for _, p := range proposals {
		says := ""
		if p.Confirms {
			says = ", which say what is in force"
		}
		if err := t.say(""); err != nil {
			return err
		}
		if err := t.say("%s  %s  %s%s", quote(p.Content), p.Kind, count(len(p.FactIDs), "fact"), says); err != nil {
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
		return bestWords(c)
	}
	return ""
}

// bestWords compares a value with what outweighs it, or weighs the same.
func bestWords(c memory.Check) string {
	weight := fmt.Sprintf("importance %d, %s, last said %s", c.Importance, count(c.Facts, "fact"), minute(c.Time))
	switch {
	case c.Rival == "":
		return "nothing weighs as much: " + weight
	case c.Passed:
		return "equal with " + quote(c.Rival) + ": " + weight
	}
	return fmt.Sprintf("%s weighs more: importance %d, %s, last said %s; this has %s",
		quote(c.Rival), c.NeedImportance, count(c.NeedFacts, "fact"), minute(c.After), weight)
}

// fateWords says what a run does with it, and what would change that.
func fateWords(e memory.Explanation) string {
	switch e.Fate {
	case memory.FateEvidence:
		words := "It is evidence of entry " + e.EntryKey
		if e.Fact.MemoryKey != "" {
			words = fmt.Sprintf("It is evidence of %s, revision %d (entry %s)", e.Fact.MemoryKey, e.Revision, e.EntryKey)
		}
		if e.EventID != "" {
			return words + ", which a human chose: adjudication " + e.EventID + "."
		}
		return words + ", which these rules made."
	case memory.FateMerged:
		return "A run adds it to the memory that says the same."
	case memory.FatePromoted:
		return "A run puts it in force."
	case memory.FateAsked:
		if e.CaseID != "" {
			return "It waits for a human in " + e.CaseID + "."
		}
		return "A run asks a human about it."
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
