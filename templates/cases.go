package templates

import (
	"slices"

	"docket/memory"
)

func waits(n int) string {
	if n == 1 {
		return "1 waits"
	}
	return number(n) + " wait"
}

// budget says how much of the prompt budget is used.
func budget(characters, limit int) string {
	if limit == 0 {
		return count(characters, "character") + ", no budget"
	}
	return number(characters) + " of " + count(limit, "character")
}

// challengers are the candidates that are not in force.
func challengers(c memory.Case) []memory.Candidate {
	return slices.DeleteFunc(slices.Clone(c.Candidates), func(d memory.Candidate) bool { return d.Incumbent })
}

// evidenceOf counts the facts that stand behind a case's candidates.
func evidenceOf(c memory.Case) int {
	n := 0
	for _, candidate := range c.Candidates {
		n += candidate.Occurrences
	}
	return n
}

// cardsMode says whether the cards are a choice.
type cardsMode int

const (
	cardsRead cardsMode = iota
	cardsChoose
)

// pending reports whether the decision just sent is on record already.
func (v CaseView) pending() bool { return v.Refusal != nil && v.Refusal.Is == RefusedPending }

// hasForm reports whether the page holds the decision form.
func (v CaseView) hasForm() bool {
	return v.Case.Status == memory.StatusOpen && !v.pending() && v.Compare == nil
}

// unread reports whether the file that holds the case could not be read: all that is
// known of it is its id.
func (v CaseView) unread() bool { return v.Case.Status == "" }

// again reports whether sending is a new act against a case that moved.
func (v CaseView) again() bool { return v.Refusal != nil && v.Refusal.Is == RefusedStale }

// incumbent is the content of what is or was in force, "" for nothing.
func (v CaseView) incumbent() string {
	incumbent, _ := v.Case.Incumbent()
	return incumbent.Content
}

// against is what a card's words are compared with: what is in force; where that is
// nothing, the next challenger that has words in common. It is "" for what is in force.
func (v CaseView) against(c CandidateView) string {
	if in := v.incumbent(); in != "" && c.Incumbent {
		return ""
	} else if in != "" {
		return in
	}
	for _, other := range v.Candidates {
		if other.ID != c.ID && related(compareWords(other.Content, c.Content)) {
			return other.Content
		}
	}
	return ""
}

// forceWords tag the incumbent: a closed case is a picture of its time.
func (v CaseView) forceWords() string {
	if v.Case.Status == memory.StatusOpen {
		return "in force"
	}
	return "was in force"
}

// won reports whether c is what was chosen.
func (v CaseView) won(c CandidateView) bool {
	return v.Case.Status == memory.StatusResolved && c.ID == v.Case.SelectedCandidateID
}

// keeps reports whether the decision left what was in force as it was.
func (v CaseView) keeps() bool {
	chosen, _ := v.Case.Candidate(v.Case.SelectedCandidateID)
	return chosen.Incumbent
}

// chosen is the content of what was chosen.
func (v CaseView) chosen() string {
	chosen, _ := v.Case.Candidate(v.Case.SelectedCandidateID)
	return chosen.Content
}

// latest is when c was last said, as closely as the policy compares it.
func (v CaseView) latest(c CandidateView) string {
	if v.Recency == memory.Instant {
		return moment(c.LastSeen)
	}
	return date(c.LastSeen)
}

// equals says in which scores all challengers agree.
type equals struct{ weighed, facts, latest bool }

func (e equals) all() bool { return e.weighed && e.facts && e.latest }

// equal compares the challengers. One alone is equal to nothing.
func (v CaseView) equal() equals {
	var first *CandidateView
	e, several := equals{true, true, true}, false
	for i := range v.Candidates {
		c := &v.Candidates[i]
		switch {
		case c.Incumbent:
		case first == nil:
			first = c
		default:
			several = true
			e.weighed = e.weighed && c.Weighed == first.Weighed
			e.facts = e.facts && c.Occurrences == first.Occurrences
			e.latest = e.latest && v.latest(*c) == v.latest(*first)
		}
	}
	if !several {
		return equals{}
	}
	return e
}

// sentence says why the rules left the question to a person.
func (v CaseView) sentence() string {
	n := len(challengers(v.Case))
	when := "on the same day"
	if v.Recency == memory.Instant {
		when = "at the same moment"
	}
	switch {
	case n > 1 && v.equal().all():
		first := v.firstChallenger()
		return number(n) + " challengers are equal: importance " + number(first.Weighed) + " as weighed, " + count(first.Occurrences, "fact") +
			" each, last said " + when + ", " + v.latest(first) + ". No rule prefers one, so a person does."
	case n == 1 && v.Standing != nil:
		return "One challenger is strongest, with " + v.strength() + ", but what is in force was decided by a person. Evidence asks a person again; it does not overrule one."
	case n == 1:
		return "One challenger is strongest, with " + v.strength() + ". When this was asked, the rules did not let it replace what was in force by itself."
	}
	return "No rule prefers one of the " + number(n) + " challengers, so a person does."
}

func (v CaseView) firstChallenger() CandidateView {
	for _, c := range v.Candidates {
		if !c.Incumbent {
			return c
		}
	}
	return CandidateView{}
}

// strength is what the first challenger weighs, in words.
func (v CaseView) strength() string {
	c := v.firstChallenger()
	return "importance " + number(c.Weighed) + " as weighed and " + count(c.Occurrences, "fact") + ", last said on " + date(c.LastSeen)
}

// problem is what is wrong with a field, nil for nothing.
func (v CaseView) problem(field Field) *FieldProblem {
	if v.Refusal == nil {
		return nil
	}
	for i, f := range v.Refusal.Problems {
		if f.Field == field {
			return &v.Refusal.Problems[i]
		}
	}
	return nil
}

// element is the id of the element to mend.
func (f FieldProblem) element() string {
	switch f.Field {
	case FieldCandidate:
		return cardID(0)
	case FieldRationale:
		return "rationale"
	}
	return "decision"
}

func (f FieldProblem) words() string {
	if f.Field == FieldCandidate {
		if f.Why == ProblemUnknown {
			return "What was chosen is not one of the values in question. Choose again."
		}
		return "Choose what agents are to read."
	}
	if f.Field != FieldRationale {
		return "The form came back damaged. Check your choice and send it again."
	}
	switch f.Why {
	case ProblemLong:
		return "The reason has " + number(f.Has) + " characters; the record holds " + number(f.Limit) + "."
	case ProblemText:
		return "The reason holds a character that cannot be recorded."
	}
	return "Say why. The reason goes into the record."
}

// class is the look of a refusal.
func (r Refusal) class() string {
	switch r.Is {
	case RefusedInvalid, RefusedUnwritable, RefusedFault:
		return "banner bad"
	}
	return "banner wait"
}
