package web

import (
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"docket/memory"
	"docket/templates"
)

// rowLimit is how many cases a page of the desk lists.
const rowLimit = 200

// week is the stretch of "decided this week".
const week = 7 * 24 * time.Hour

// desk shows what waits for the reader.
func (s *server) desk(v *visit) error {
	page, body := s.deskPage(v)
	if page.Notice = s.noticeOfAct(v); page.Notice == nil {
		page.Notice = noticeOfRun(v)
	}
	return respond(v, http.StatusOK, page, body(page))
}

func (s *server) deskPage(v *visit) (templates.Page, body) {
	page := s.page(v, templates.DeskTitle, templates.NavDesk)
	open := s.openRows(v)
	filter := filterOf(v)
	listed := inList(v.state, open, filter, page.Now)
	view := templates.DeskView{
		Waiting:    len(open),
		Filter:     filter,
		Matches:    len(listed),
		Pages:      max(1, (len(listed)+rowLimit-1)/rowLimit),
		Sources:    sources(v.state, open),
		Unreadable: v.state.Readable(memory.PartConflicts) != nil,
		MarksFault: s.marksFault(v),
		Facts:      known(v.state, v.state.Len(), memory.PartFacts),
		Decided:    known(v.state, len(v.state.Adjudications()), memory.PartAudit),
		ThisWeek:   decidedSince(v.state, page.Now.Add(-week)),
		Agents:     agentsOf(v),
		Outlook:    s.outlook(v),
	}
	for _, row := range open {
		if view.Oldest.IsZero() || row.waits.Before(view.Oldest) {
			view.Oldest = row.waits
		}
		if row.group == templates.GroupChanged {
			view.Changed++
		}
	}
	if last, ok := v.runs.last(); ok {
		view.LastRun = last.At
	}
	view.Groups = groups(v.state, listed, &view)
	return page, func(page templates.Page) templ.Component { return templates.Desk(page, view) }
}

// groups cuts the page that the filter asks for out of a list, and puts headings over it.
func groups(state *memory.State, listed []deskRow, view *templates.DeskView) []templates.DeskGroup {
	totals := map[templates.GroupKind]int{}
	for _, row := range listed {
		totals[row.group]++
	}
	view.Filter.Page = min(max(view.Filter.Page, 1), view.Pages)
	from := (view.Filter.Page - 1) * rowLimit
	var groups []templates.DeskGroup
	for _, row := range listed[from:min(from+rowLimit, len(listed))] {
		if n := len(groups); n == 0 || groups[n-1].Is != row.group {
			groups = append(groups, templates.DeskGroup{Is: row.group, Total: totals[row.group]})
		}
		last := &groups[len(groups)-1]
		last.Cases = append(last.Cases, row.view(state))
	}
	return groups
}

// view is what the desk shows of a row.
func (r deskRow) view(state *memory.State) templates.DeskCase {
	shown := templates.DeskCase{
		Case:          r.Case,
		Waits:         r.waits,
		DecidedBefore: decidedBefore(state, r.Case),
		Behind:        len(unobserved(state, r.Case)),
	}
	switch r.group {
	case templates.GroupAside:
		shown.Reason = r.reason
	case templates.GroupChanged:
		if before, ok := state.Case(r.last.ConflictID); ok {
			shown.Since = len(unobserved(state, before))
		}
	}
	return shown
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

func decidedSince(state *memory.State, from time.Time) int {
	n := 0
	for _, a := range state.Adjudications() {
		if !a.ResolvedAt.Before(from) {
			n++
		}
	}
	return n
}

// sources are who said the facts behind the open cases, sorted.
func sources(state *memory.State, rows []deskRow) []string {
	found := map[string]bool{}
	for _, row := range rows {
		for fact := range evidenceOf(state, row.Case) {
			found[fact.Source] = true
		}
	}
	var names []string
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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
