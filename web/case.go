package web

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"docket/memory"
	"docket/templates"
)

// showCase shows one case, with a fresh form where it is open.
func (s *server) showCase(v *visit) error {
	c, ok := v.state.Case(param(v, "id"))
	if !ok {
		return missing(v, memory.PartConflicts)
	}
	made := attempt{form: newForm()}
	if made.compare, c = s.comparison(v, c); made.compare != nil {
		made.seen = setOf(made.compare.From.ObservedFactIDs)
	}
	page, body := s.casePage(v, c, made)
	if page.Notice = s.noticeOfAct(v); page.Notice == nil {
		page.Notice = noticeOfRefresh(v, c)
	}
	return respond(v, http.StatusOK, page, body(page))
}

// toCase leads a reader who opens the address of the form to the case.
func (s *server) toCase(v *visit) error {
	return seeOther(v, templates.CaseURL(v.id, param(v, "id")))
}

// refresh is "Bring up to date": it distills the domain of a case and leads to the
// newest case that there is then.
func (s *server) refresh(v *visit) error {
	c, ok := v.state.Case(param(v, "id"))
	if !ok {
		return missing(v, memory.PartConflicts)
	}
	if _, err := s.run(v.Request().Context(), v.project, c.MemoryKey); err != nil {
		return s.unchanged(v, err, func(v *visit) (templates.Page, body) {
			return s.casePage(v, c, attempt{form: newForm()})
		})
	}
	v.reread()
	return seeOther(v, withQuery(s.inReadersList(v, newest(v.state, c)), queryRefreshed, "1"))
}

// newest returns the newest case of the domain of c.
func newest(state *memory.State, c memory.Case) memory.Case {
	if all := state.CasesOf(c.MemoryKey); len(all) > 0 {
		return all[len(all)-1]
	}
	return c
}

// An attempt is what a reader has filled in on the page of a case, and what became of it.
type attempt struct {
	form    templates.Form
	refusal *templates.Refusal    // nil where nothing was sent
	seen    map[string]bool       // the facts that the reader's form was made from; nil where not known
	compare *templates.Comparison // set: nothing is to be filled in
}

// casePage shows c as it stands in v.state.
func (s *server) casePage(v *visit, c memory.Case, made attempt) (templates.Page, body) {
	page := s.page(v, templates.CaseTitle(c), templates.NavDesk)
	state := v.state
	view := templates.CaseView{
		Case:       c,
		Candidates: s.candidates(state, c, made.seen),
		Chain:      len(state.Chain(c.MemoryKey)),
		Recency:    s.cfg.Policy.Recency,
		Standing:   standing(state, c.MemoryKey),
		Earlier:    otherCases(state, c),
		Form:       made.form,
		Refusal:    made.refusal,
		Compare:    made.compare,
	}
	if active, ok := state.Active(c.MemoryKey); ok {
		view.InForce = &active
		view.Before = entryOf(state, active.Supersedes)
	}
	if last := newest(state, c); c.Status == memory.StatusSuperseded && last.ID != c.ID {
		view.Later = &last
	}
	if c.Status == memory.StatusOpen {
		view.Behind = len(unobserved(state, c))
		view.Uncounted = s.uncounted(state, c.MemoryKey, counted(c))
		view.Position, view.Of = s.place(v, c)
		view.Changes, view.Settle = s.changes(v, c, made.form.Choice), s.settling(v, c)
		if made.refusal == nil {
			view.Since = s.sinceLooked(v, c)
		}
		view.Mark, view.Waits = s.markOn(v, c), state.Since(c)
	}
	return page, func(page templates.Page) templ.Component { return templates.Case(page, view) }
}

// candidates returns the cards of a case, what was in force first. Evidence that is not
// in seen is marked as new; nil marks none.
func (s *server) candidates(state *memory.State, c memory.Case, seen map[string]bool) []templates.CandidateView {
	var cards []templates.CandidateView
	for _, candidate := range c.Candidates {
		card := templates.CandidateView{
			Candidate: candidate,
			Weighed:   s.weigh(state, candidate),
			Evidence:  evidence(state, candidate.EvidenceIDs),
		}
		slices.Reverse(card.Evidence)
		for i := range card.Evidence {
			card.Evidence[i].New = seen != nil && !seen[card.Evidence[i].ID]
		}
		if candidate.Incumbent {
			cards = slices.Insert(cards, 0, card)
		} else {
			cards = append(cards, card)
		}
	}
	return cards
}

// standing returns the human decision behind what is in force, nil where a rule made it.
func standing(state *memory.State, memoryKey string) *templates.Standing {
	c, ok := state.Standing(memoryKey)
	if !ok {
		return nil
	}
	since := unobserved(state, c)
	slices.Reverse(since)
	return &templates.Standing{
		EventID: c.ResolutionEventID, Actor: c.ResolutionActor, At: c.ResolvedAt,
		Rationale: c.ResolutionRationale, Since: since,
	}
}

// otherCases returns the cases of the same key, newest first.
func otherCases(state *memory.State, c memory.Case) []memory.Case {
	var others []memory.Case
	for _, other := range slices.Backward(state.CasesOf(c.MemoryKey)) {
		if other.ID != c.ID {
			others = append(others, other)
		}
	}
	return others
}

// entryOf returns the entry of that key, nil where there is none.
func entryOf(state *memory.State, key string) *memory.Entry {
	if entry, ok := state.Entry(key); ok {
		return &entry
	}
	return nil
}
