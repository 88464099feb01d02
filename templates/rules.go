package templates

import (
	"strings"
	"time"

	"docket/memory"
)

// checkWords say how a rule went, with its numbers. The rival of memory.RuleBest, where
// there is one, follows them: it is a fact's text.
func checkWords(c memory.Check) string {
	switch c.Rule {
	case memory.RuleStable:
		if c.Passed {
			return "Its kind can enter memory."
		}
		return "Its kind is an outcome, which never enters memory."
	case memory.RuleAge:
		if c.Passed {
			return "It is old enough: it counts since " + date(c.After) + "."
		}
		return "It is too young: it counts from " + date(c.After) + "."
	case memory.RuleRejected:
		return rejectedWords(c)
	case memory.RuleGate:
		return "It is important or said often: importance " + number(c.Importance) + " as weighed, " + number(c.NeedImportance) +
			" needed; or " + count(c.Facts, "fact") + ", " + number(c.NeedFacts) + " needed."
	case memory.RuleConfirmed:
		return "It is said often enough to replace what is in force: " + count(c.Facts, "fact") + ", " + number(c.NeedFacts) + " needed."
	case memory.RuleNewer:
		return "It is newer than what is in force: last said on " + date(c.Time) + ", to be after " + moment(c.After) + "."
	case memory.RuleBest:
		return bestWords(c)
	}
	return string(c.Rule)
}

func bestWords(c memory.Check) string {
	weight := func(importance, facts int, last time.Time) string {
		return "importance " + number(importance) + " as weighed, " + count(facts, "fact") + ", last said on " + date(last)
	}
	own := weight(c.Importance, c.Facts, c.Time)
	switch {
	case c.Rival == "":
		return "Nothing weighs as much: " + own + "."
	case c.Passed:
		return "Equal, with " + own + ", to"
	}
	return "With " + own + ", it weighs less than what has " + weight(c.NeedImportance, c.NeedFacts, c.After) + ":"
}

// passedWords sum the rules up.
func passedWords(checks []memory.Check) string {
	passed := 0
	for _, c := range checks {
		if c.Passed {
			passed++
		}
	}
	if passed == len(checks) {
		return "passed " + count(passed, "rule")
	}
	return "passed " + count(passed, "rule") + ", missed one"
}

func rejectedWords(c memory.Check) string {
	switch {
	case c.CaseID == "":
		return "No person decided against it."
	case c.Passed:
		return "Enough came since a person decided against it: " + count(c.Facts, "fact") + ", " + number(c.NeedFacts) + " needed."
	}
	return "A person decided against it; since then " + count(c.Facts, "fact") + ", " + number(c.NeedFacts) + " needed to ask again."
}

// ruleWords say by which rule a revision came to be.
func ruleWords(made []memory.Check) string {
	var words []string
	for _, c := range made {
		switch c.Rule {
		case memory.RuleGate:
			if c.Importance >= c.NeedImportance {
				words = append(words, "importance "+number(c.Importance))
			} else {
				words = append(words, "said "+times(c.Facts))
			}
		case memory.RuleConfirmed:
			words = append(words, "confirmed "+times(c.Facts))
		case memory.RuleNewer:
			words = append(words, "newer")
		}
	}
	return strings.Join(words, ", ")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return number(n) + " times"
}

// nextWords end the trace of a fact that missed nothing.
func (v FactView) nextWords() string {
	if v.Fate.Is == FateDue {
		return due(v.Fate.Next)
	}
	return v.Fate.words()
}

// A Challenge is what facts of a domain say that is in no entry.
type Challenge struct {
	Content string
	Fate    Fate           // of the fact that counts first
	Checks  []memory.Check // of that fact
	Facts   []Uncounted    // oldest first
}
