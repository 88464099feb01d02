package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"docket/memory"
	"docket/templates"
)

// run distills a project, or one domain of it, under this server's policy.
func (s *server) run(ctx context.Context, p *project, key string) (pastRun, error) {
	result, err := p.engine.Distill(ctx, memory.Run{Policy: s.cfg.Policy, Key: key})
	if err != nil {
		return pastRun{}, err
	}
	done := pastRun{ID: randomText(9), At: s.cfg.Now().UTC().Truncate(time.Second), Key: key, Report: result.Report}
	if err := p.runs.add(done); err != nil {
		s.log.Warn("run not remembered", "workspace", p.id, "error", err)
	}
	r := result.Report
	s.log.Info("distilled", "workspace", p.id, "key", key, "scanned", r.Scanned, "created", r.Created,
		"updated", r.Updated, "superseded", r.Superseded, "queued", r.QueuedConflicts)
	return done, nil
}

// distillEvery distills every project again and again until ctx ends.
func (s *server) distillEvery(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, w := range s.workspaces {
			if _, err := s.run(ctx, s.projects[w.ID], ""); err != nil && ctx.Err() == nil {
				s.log.Error("not distilled", "workspace", w.ID, "error", err)
			}
		}
	}
}

// distill is "Distill now". htmx gets the desk with the report; a plain form is sent to
// the desk, so that a reload runs nothing again.
func (s *server) distill(v *visit) error {
	done, err := s.run(v.Request().Context(), v.project, "")
	if err != nil {
		return s.unchanged(v, err, s.deskPage)
	}
	if !wantsFragment(v.Request()) {
		return seeOther(v, withQuery(templates.DeskListURL(v.id, filterOf(v).Query()), queryRan, done.ID))
	}
	v.reread()
	page, body := s.deskPage(v)
	page.Notice = &templates.Notice{Is: templates.NoticeRun, Report: done.Report}
	return respond(v, http.StatusOK, page, body(page))
}

// unchanged shows again the page on which the reader asked for something that could not
// be done, and says so.
func (s *server) unchanged(v *visit, err error, show func(*visit) (templates.Page, body)) error {
	s.log.Error("not done", "id", requestID(v), "workspace", v.id, "error", err)
	v.reread()
	page, content := show(v)
	page.Notice = &templates.Notice{Is: noticeOf(err)}
	if fault := new(memory.Fault); errors.As(err, &fault) {
		page.Faults = withFault(page.Faults, fault)
	}
	return respond(v, statusOf(err), page, content(page))
}
