package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"docket/memory"
	"docket/templates"
)

// queryAt is the percentage that a page that asks how far a check is knows of.
const queryAt = "at"

// health shows how the files stand. It checks nothing: that takes a POST.
func (s *server) health(v *visit) error {
	view := v.check.view()
	if at := v.QueryParam(queryAt); at != "" && wantsFragment(v.Request()) {
		if view.Running != nil {
			return s.progress(v, *view.Running, at)
		}
		// The check is over: the whole page takes the place of its progress.
		v.Response().Header().Set("HX-Retarget", "#page")
		v.Response().Header().Set("HX-Reswap", "outerHTML")
	}
	page := s.page(v, templates.HealthTitle(view), templates.NavHealth)
	return respond(v, http.StatusOK, page, templates.Health(page, view))
}

// progress answers a page that asks by itself, with nothing where it has that already.
func (s *server) progress(v *visit, running templates.HealthProgress, at string) error {
	if at == strconv.Itoa(running.Percent) {
		return v.NoContent(http.StatusNoContent)
	}
	page := s.page(v, "", templates.NavHealth)
	var b bytes.Buffer
	if err := templates.Checking(page, running).Render(v.Request().Context(), &b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return v.HTMLBlob(http.StatusOK, b.Bytes())
}

// startCheck is "Check now". Where a check is at work already, that one will do.
func (s *server) startCheck(v *visit) error {
	s.check(v.project)
	return seeOther(v, templates.HealthURL(v.id))
}

// check begins to check a project's files, in the background.
func (s *server) check(p *project) {
	p.check.begin(s.cfg.Now(), func(ctx context.Context, tell func(memory.Progress)) (checked, bool) {
		began := s.cfg.Now()
		x, err := p.engine.Examine(ctx, tell)
		ended := s.cfg.Now()
		done := checked{At: ended.UTC(), Took: ended.Sub(began)}
		switch {
		case ctx.Err() != nil:
			return checked{}, false // the server ends; what was found before stands
		case err != nil:
			s.log.Error("not checked", "workspace", p.id, "error", err)
			done.Failed = true
		default:
			done.take(x)
			s.log.Info("checked", "workspace", p.id, "faults", done.Faults, "notes", done.Notes, "took", done.Took)
		}
		if err := p.check.keep(done); err != nil {
			s.log.Warn("check not remembered", "workspace", p.id, "error", err)
		}
		return done, true
	})
}

// close ends what the server does in the background, and waits for it.
func (s *server) close() {
	for _, w := range s.workspaces {
		s.projects[w.ID].check.end()
	}
}

// healthMark is what the rail says: what the last check found, or what cannot be read
// now where that is more.
func (v *visit) healthMark() templates.HealthMark {
	last := v.check.view().Last
	mark := templates.HealthMark{Checked: last != nil && !last.Failed, Faults: len(v.state.Faults())}
	if mark.Checked {
		mark.Faults = max(mark.Faults, last.Faults)
	}
	return mark
}
