package web

import (
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"docket/memory"
	"docket/templates"
)

// What a redirect tells the page that it leads to. Only ids travel in an address: what
// the notice says is looked up, so that an address can make a page say nothing that is
// not so.
const (
	queryDecided   = "decided"   // event id of the decision just made
	queryRan       = "ran"       // id of the distillation just run
	queryRefreshed = "refreshed" // "1": the case was just brought up to date
	queryMarked    = "marked"    // id of what the reader just marked
)

// A body is the component of a page whose view is made, waiting for the rest of its Page.
type body func(templates.Page) templ.Component

// withQuery adds a field to the query of a local address.
func withQuery(address, name, value string) string {
	sign := "?"
	if strings.Contains(address, "?") {
		sign = "&"
	}
	return address + sign + url.Values{name: {value}}.Encode()
}

// noticeOfAct tells of the decision or the marks that the address names, nil for none.
func (s *server) noticeOfAct(v *visit) *templates.Notice {
	if notice := noticeOfDecision(v); notice != nil {
		return notice
	}
	result, ok := s.readers.latest(v.id, v.actor, v.QueryParam(queryMarked))
	if !ok {
		return nil
	}
	return &templates.Notice{Is: templates.NoticeMarked, Act: result.act, Marked: result.rows, Next: result.next, Words: result.lost}
}

// noticeOfDecision tells of the decision that the address names, if there is one.
func noticeOfDecision(v *visit) *templates.Notice {
	a, ok := v.state.Adjudication(v.QueryParam(queryDecided))
	if !ok {
		return nil
	}
	row := rowOf(v.state, a)
	return &templates.Notice{
		Is: templates.NoticeDecided, Adjudication: a,
		MemoryKey: row.MemoryKey, Content: row.Chosen, Kept: row.Kept(),
	}
}

// noticeOfRun tells of the distillation that the address names, if it is the latest.
func noticeOfRun(v *visit) *templates.Notice {
	run, ok := v.runs.last()
	if !ok || run.ID == "" || run.ID != v.QueryParam(queryRan) {
		return nil
	}
	return &templates.Notice{Is: templates.NoticeRun, Report: run.Report}
}

// noticeOfRefresh tells what bringing a case up to date led to.
func noticeOfRefresh(v *visit, c memory.Case) *templates.Notice {
	if v.QueryParam(queryRefreshed) == "" {
		return nil
	}
	if c.Status == memory.StatusOpen {
		return &templates.Notice{Is: templates.NoticeCurrent, MemoryKey: c.MemoryKey, Revision: c.Revision}
	}
	active, _ := v.state.Active(c.MemoryKey)
	return &templates.Notice{Is: templates.NoticeSettled, MemoryKey: c.MemoryKey, Content: active.Content}
}
