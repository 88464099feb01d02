package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"docket/memory"
	"docket/templates"
)

// timeline shows a page of the facts that pass the filter, newest first.
func (s *server) timeline(v *visit) error {
	page := s.page(v, templates.TimelineTitle, templates.NavTimeline)
	filter := templates.Filter{Text: v.QueryParam("text"), Kind: v.QueryParam("kind"), Key: v.QueryParam("key")}
	passes, bad := sieve(filter)
	filter.Bad = bad
	view := templates.TimelineView{Filter: filter, Facts: v.state.Len(), Unreadable: v.state.Readable(memory.PartFacts) != nil}
	cut := slice(v.state, passes, v.QueryParam("before"), v.QueryParam("after"))
	view.First = cut.newer == nil
	if cut.older != nil {
		view.Older = cut.older.String()
	}
	if cut.newer != nil {
		view.Newer = cut.newer.String()
	}
	fates := s.fates(v.state)
	rows := make([]templates.TimelineRow, 0, len(cut.facts))
	for _, fact := range cut.facts {
		rows = append(rows, templates.TimelineRow{Fact: fact, Fate: fates.of(fact)})
	}
	view.Days = days(rows, cut.faults(v.state))
	return respond(v, http.StatusOK, page, templates.Timeline(page, view))
}

// sieve makes the test that a filter asks for. bad names the field that no fact can
// match because of its form.
func sieve(filter templates.Filter) (passes func(memory.Fact) bool, bad string) {
	kind := memory.Kind(filter.Kind)
	if filter.Kind != "" && !kind.Valid() {
		bad = "kind"
	}
	key := filter.Key
	if strings.TrimSpace(key) != "" {
		clean, err := memory.CleanKey(key)
		if err != nil {
			bad = cmp.Or(bad, "key")
		}
		key = clean
	} else {
		key = ""
	}
	if bad != "" {
		return func(memory.Fact) bool { return false }, bad
	}
	words := memory.NormalForm(filter.Text)
	return func(f memory.Fact) bool {
		return (kind == "" || f.Kind == kind) && (key == "" || f.MemoryKey == key) &&
			(words == "" || strings.Contains(memory.NormalForm(f.Content), words))
	}, ""
}

// days groups rows by UTC day and puts what could not be read at the head of its day.
func days(rows []templates.TimelineRow, faults map[time.Time][]*memory.Fault) []templates.Day {
	byDay := map[time.Time][]templates.TimelineRow{}
	for day, list := range faults {
		for _, fault := range list {
			byDay[day] = append(byDay[day], templates.TimelineRow{Fault: fault})
		}
	}
	for _, row := range rows {
		day := row.Fact.RecordedAt.UTC().Truncate(24 * time.Hour)
		byDay[day] = append(byDay[day], row)
	}
	var list []templates.Day
	for date, rows := range byDay {
		list = append(list, templates.Day{Date: date, Rows: rows})
	}
	slices.SortFunc(list, func(a, b templates.Day) int { return b.Date.Compare(a.Date) })
	return list
}
