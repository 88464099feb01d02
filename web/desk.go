package web

import (
	"net/http"

	"github.com/a-h/templ"

	"docket/memory"
	"docket/templates"
)

// desk shows what waits for the reader.
func (s *server) desk(v *visit) error {
	page, body := s.deskPage(v)
	if page.Notice = noticeOfDecision(v); page.Notice == nil {
		page.Notice = noticeOfRun(v)
	}
	return respond(v, http.StatusOK, page, body(page))
}

func (s *server) deskPage(v *visit) (templates.Page, body) {
	page := s.page(v, templates.DeskTitle, templates.NavDesk)
	view := templates.DeskView{
		Unreadable: v.state.Readable(memory.PartConflicts) != nil,
		Facts:      v.state.Len(),
		Decided:    len(v.state.Adjudications()),
		Agents:     agentsOf(v),
	}
	if last, ok := v.runs.last(); ok {
		view.LastRun = last.At
	}
	for _, c := range v.state.OpenCases() {
		view.Cases = append(view.Cases, templates.DeskCase{
			Case:          c,
			DecidedBefore: decidedBefore(v.state, c),
			Behind:        len(unobserved(v.state, c)),
		})
	}
	return page, func(page templates.Page) templ.Component { return templates.Desk(page, view) }
}

// agentsOf tells what the prompt context holds, nil where that could not be made.
func agentsOf(v *visit) *templates.Agents {
	context, err := v.engine.Context(v.Request().Context(), memory.DefaultRecent, memory.DefaultBudget)
	if err != nil {
		return nil
	}
	return &templates.Agents{
		Memories: context.Memories, Facts: context.Facts,
		Characters: context.Characters, Budget: memory.DefaultBudget,
	}
}

func decidedBefore(state *memory.State, c memory.Case) bool {
	for _, other := range state.CasesOf(c.MemoryKey) {
		if other.Status == memory.StatusResolved {
			return true
		}
	}
	return false
}

// unobserved returns the facts on the key of a case that it was not made from, oldest first.
func unobserved(state *memory.State, c memory.Case) []memory.Fact {
	observed := setOf(c.ObservedFactIDs)
	var later []memory.Fact
	for _, fact := range state.FactsOf(c.MemoryKey) {
		if !observed[fact.ID] {
			later = append(later, fact)
		}
	}
	return later
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
