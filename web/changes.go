package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"docket/memory"
	"docket/templates"
)

// changes says what a choice would change, as the files are now.
func (s *server) changes(v *visit, c memory.Case, choice string) templates.WhatChanges {
	shown := templates.WhatChanges{Budget: memory.DefaultBudget}
	if _, ok := c.Candidate(choice); !ok {
		return shown
	}
	for _, part := range []memory.Part{
		memory.PartJournal, memory.PartCurated, memory.PartConflicts, memory.PartFacts, memory.PartProjection,
	} {
		if v.state.Readable(part) != nil {
			shown.Why = templates.PreviewUnreadable
			return shown
		}
	}
	made, err := memory.Preview(v.state, c, choice, v.state.Recent(memory.DefaultRecent), memory.DefaultBudget)
	if err != nil {
		shown.Why = templates.PreviewStale // nothing else is left: the case and the choice are there
		return shown
	}
	shown.Made = &made
	return shown
}

// previewChoice shows what the choice in the form would change. It takes nothing and
// writes nothing; the form comes back as it was, under the same act.
func (s *server) previewChoice(v *visit) error {
	id, sent := param(v, "id"), decisionOf(v.Request().PostForm)
	c, ok := v.state.Case(id)
	if !ok {
		return s.lost(v, id, sent)
	}
	current := c.Status == memory.StatusOpen && c.Revision == sent.revision && c.Fingerprint == sent.fingerprint
	if v.Request().Header.Get("HX-Target") == "changes" {
		page := s.page(v, "", templates.NavDesk)
		shown := templates.WhatChanges{Why: templates.PreviewStale}
		if current {
			shown = s.changes(v, c, sent.candidate)
		}
		return respondPart(v, templates.Changes(page, c, shown))
	}
	damaged := slices.DeleteFunc(sent.gaps(), func(p templates.FieldProblem) bool { return p.Why != templates.ProblemForm })
	if len(damaged) > 0 {
		return s.invalid(v, id, sent, damaged)
	}
	if !current {
		return s.overtaken(v, c, sent)
	}
	page, body := s.casePage(v, c, attempt{form: sent.form()})
	return respond(v, http.StatusOK, page, body(page))
}

// overtaken gives the form back to a reader whose case is no longer what they have
// before them, and writes nothing.
func (s *server) overtaken(v *visit, c memory.Case, sent decision) error {
	last := newest(v.state, c)
	switch {
	case last.Status == memory.StatusOpen:
		return s.movedTo(v, last, seenBy(v.state, c, sent), sent)
	case c.Status == memory.StatusResolved:
		return s.refused(v, c, sent, sent.fresh(), &memory.NotOpenError{Case: c})
	}
	return s.closed(v, last, sent)
}

// newer answers a page that asks whether its case moved: nothing where it did not, or
// where the page says so already. A reader who is signed out is told when they act, not
// by this.
func (s *server) newer(v *visit) error {
	revision, _ := strconv.Atoi(v.QueryParam("revision"))
	behind, _ := strconv.Atoi(v.QueryParam("behind"))
	c, ok := v.state.Case(param(v, "id"))
	if !ok || v.state.Readable(memory.PartConflicts) != nil {
		return v.NoContent(http.StatusNoContent)
	}
	view := templates.NewerView{Of: c.ID, Shown: revision, Behind: behind, Case: newest(v.state, c)}
	if view.Case.ID == c.ID {
		view.Facts = len(unobserved(v.state, c)) - behind
		if c.Status == memory.StatusOpen && c.Revision == revision && view.Facts <= 0 {
			return v.NoContent(http.StatusNoContent)
		}
	}
	if view.News() == v.QueryParam("told") {
		return v.NoContent(http.StatusNoContent)
	}
	page := s.page(v, "", templates.NavDesk)
	return respondPart(v, templates.Newer(page, view))
}

// silently answers a reader without a session with nothing.
func (s *server) silently(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, ok := sessionOf(c); !ok {
			return c.NoContent(http.StatusNoContent)
		}
		return next(c)
	}
}

// respondPart writes one element of a page.
func respondPart(c echo.Context, part templ.Component) error {
	var b bytes.Buffer
	if err := part.Render(c.Request().Context(), &b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return c.HTMLBlob(http.StatusOK, b.Bytes())
}

// lost gives the words back of a decision on a case that is not there.
func (s *server) lost(v *visit, id string, sent decision) error {
	err := missing(v, memory.PartConflicts)
	if fault := new(memory.Fault); errors.As(err, &fault) {
		return s.refused(v, memory.Case{ID: id}, sent, sent.form(), fault)
	}
	page := s.page(v, templates.ProblemTitle(http.StatusNotFound), templates.NavNone)
	view := templates.ProblemView{
		Status: http.StatusNotFound, RequestID: requestID(v), Back: s.back(v, http.StatusNotFound), Words: sent.words,
	}
	return respond(v, http.StatusNotFound, page, templates.Problem(page, view))
}
