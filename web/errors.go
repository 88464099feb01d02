package web

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"docket/memory"
	"docket/templates"
)

// wordsLimit is how many characters of a reason the format takes; a page tells it, the
// engine holds it.
const wordsLimit = 1000

// A refusal is an answer that is an error page.
type refusal struct {
	status int
	cause  error // for the log
}

func (r *refusal) Error() string { return r.cause.Error() }
func (r *refusal) Unwrap() error { return r.cause }

var (
	notFound = refuse(http.StatusNotFound, "no such page")
	errPanic = errors.New("a handler panicked")
)

func refuse(status int, cause string) error { return &refusal{status, errors.New(cause)} }

// ofEngine makes the answer to an error of the engine for which a page has no place of
// its own.
func ofEngine(err error) error { return &refusal{statusOf(err), err} }

// statusOf is the one table from the domain's errors to HTTP.
func statusOf(err error) int {
	switch memory.CodeOf(err) {
	case memory.CodeInvalid:
		return http.StatusUnprocessableEntity
	case memory.CodeNotFound:
		return http.StatusNotFound
	case memory.CodeStale, memory.CodeNotOpen, memory.CodeEventReused:
		return http.StatusConflict
	}
	return http.StatusServiceUnavailable // corrupt, scope, busy, io: nothing the reader did
}

// refusalOf is what a decision form is told of an error of Resolve, but for a stale
// case and one that is not there, which take more than the error to tell.
func refusalOf(err error) templates.RefusalKind {
	if pending := new(memory.PendingError); errors.As(err, &pending) {
		return templates.RefusedPending
	}
	switch memory.CodeOf(err) {
	case memory.CodeInvalid:
		return templates.RefusedInvalid
	case memory.CodeNotOpen:
		return templates.RefusedDecided
	case memory.CodeEventReused:
		return templates.RefusedReused
	case memory.CodeBusy:
		return templates.RefusedBusy
	case memory.CodeCorrupt, memory.CodeScope:
		return templates.RefusedFault
	}
	return templates.RefusedUnwritable
}

// noticeOf is what a reader is told of an act that failed and had no words to keep.
func noticeOf(err error) templates.NoticeKind {
	switch memory.CodeOf(err) {
	case memory.CodeBusy:
		return templates.NoticeBusy
	case memory.CodeCorrupt, memory.CodeScope:
		return templates.NoticeFault
	}
	return templates.NoticeUnwritable
}

// problemOf says which field of a decision an InvalidError is about, and why. The
// engine decides that the field cannot be recorded; what was sent tells the reason.
func problemOf(invalid *memory.InvalidError, form decision) templates.FieldProblem {
	switch invalid.Field {
	case "rationale":
		return templates.FieldProblem{Field: templates.FieldRationale, Why: wordsProblem(form.words), Limit: wordsLimit,
			Has: utf8.RuneCountInString(memory.Collapse(form.words))}
	case "candidate_id", "selected_candidate_id":
		if form.candidate == "" {
			return templates.FieldProblem{Field: templates.FieldCandidate, Why: templates.ProblemMissing}
		}
		return templates.FieldProblem{Field: templates.FieldCandidate, Why: templates.ProblemUnknown}
	case "event_id":
		return templates.FieldProblem{Field: templates.FieldEventID, Why: templates.ProblemForm}
	case "fingerprint":
		return templates.FieldProblem{Field: templates.FieldFingerprint, Why: templates.ProblemForm}
	}
	return templates.FieldProblem{Field: templates.FieldRevision, Why: templates.ProblemForm}
}

// wordsProblem says why the engine refuses a reason.
func wordsProblem(words string) templates.ProblemKind {
	switch {
	case !utf8.ValidString(words) || strings.ContainsRune(words, 0):
		return templates.ProblemText
	case memory.Collapse(words) == "":
		return templates.ProblemMissing
	}
	return templates.ProblemLong
}

// fail is the answer to a request that no handler could answer.
func (s *server) fail(err error, c echo.Context) {
	if c.Response().Committed {
		s.log.Error("after the answer began", "id", requestID(c), "error", err)
		return
	}
	status := http.StatusInternalServerError
	var (
		refused *refusal
		routed  *echo.HTTPError
	)
	switch {
	case errors.As(err, &refused):
		status = refused.status
	case errors.As(err, &routed):
		status = routed.Code
	}
	if status >= http.StatusInternalServerError {
		s.log.Error("not answered", "id", requestID(c), "status", status, "error", err)
	}
	page := s.page(c, templates.ProblemTitle(status), templates.NavNone)
	view := templates.ProblemView{
		Status: status, RequestID: requestID(c), Back: s.back(c, status), Words: c.Request().PostForm.Get(fieldReason),
	}
	if fault := new(memory.Fault); errors.As(err, &fault) {
		page.Faults, view.Unread = withFault(page.Faults, fault), true
	}
	if err := respond(c, status, page, templates.Problem(page, view)); err != nil {
		s.log.Error("no error page", "id", requestID(c), "error", err)
		_ = c.String(http.StatusInternalServerError, requestID(c)) // the connection is all that is left to fail
	}
}
