package web

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"docket/memory"
	"docket/templates"
)

// newEventID returns an id for one act of a reader. It is made with the form, so that a
// double click, a reload and a retry of one form are one act.
func newEventID() string { return "web:" + rand.Text() }

// newForm returns the form of a reader who has not filled in anything.
func newForm() templates.Form { return templates.Form{EventID: newEventID()} }

// A decision is the form as it came in, before anything was made of it. It has no actor.
type decision struct {
	revision    int // 0 where the field is no number
	fingerprint string
	eventID     string
	candidate   string
	words       string // the rationale as typed, byte for byte
}

func decisionOf(form url.Values) decision {
	revision, _ := strconv.Atoi(form.Get(string(templates.FieldRevision))) // 0 is refused
	return decision{
		revision:    revision,
		fingerprint: form.Get(string(templates.FieldFingerprint)),
		eventID:     form.Get(string(templates.FieldEventID)),
		candidate:   form.Get(string(templates.FieldCandidate)),
		words:       form.Get(string(templates.FieldRationale)),
	}
}

// form is what the reader gets back, under the same act.
func (d decision) form() templates.Form {
	return templates.Form{EventID: d.eventID, Choice: d.candidate, Words: d.words}
}

// fresh is what the reader gets back where sending again is a new act.
func (d decision) fresh() templates.Form {
	f := d.form()
	f.EventID = newEventID()
	return f
}

// resolve takes a decision: the record of it, or the same page with the reader's words
// in it and the reason.
func (s *server) resolve(v *visit) error {
	id := param(v, "id")
	sent := decisionOf(v.Request().PostForm)
	if problems := sent.gaps(); len(problems) > 0 {
		return s.invalid(v, id, sent, problems)
	}
	adjudication, err := v.engine.Resolve(v.Request().Context(), memory.Resolution{
		ConflictID: id, Revision: sent.revision, Fingerprint: sent.fingerprint,
		CandidateID: sent.candidate, EventID: sent.eventID,
		Actor: v.actor, Rationale: sent.words,
	})
	if err == nil {
		s.log.Info("decided", "id", requestID(v), "workspace", v.id, "event", adjudication.EventID, "actor", v.actor)
		return s.decided(v, adjudication)
	}
	s.log.Info("not decided", "id", requestID(v), "workspace", v.id, "event", sent.eventID, "error", err)
	var (
		invalid *memory.InvalidError
		notOpen *memory.NotOpenError
	)
	switch code := memory.CodeOf(err); {
	case errors.As(err, &invalid):
		return s.invalid(v, id, sent, []templates.FieldProblem{problemOf(invalid, sent)})
	case errors.As(err, &notOpen):
		return s.refused(v, notOpen.Case, sent, sent.fresh(), err)
	case code == memory.CodeStale:
		return s.moved(v, id, sent)
	case code == memory.CodeNotFound:
		return s.lost(v, id, sent)
	case code == memory.CodeEventReused:
		return s.refused(v, caseOrNothing(v, id), sent, sent.fresh(), err)
	}
	return s.refused(v, caseOrNothing(v, id), sent, sent.form(), err)
}

// gaps lists what the form lacks, so that a reader hears of all of it at once. Whatever
// else may be wrong the engine says.
func (d decision) gaps() []templates.FieldProblem {
	var problems []templates.FieldProblem
	add := func(missing bool, field templates.Field, why templates.ProblemKind) {
		if missing {
			problems = append(problems, templates.FieldProblem{Field: field, Why: why})
		}
	}
	add(d.candidate == "", templates.FieldCandidate, templates.ProblemMissing)
	add(memory.Collapse(d.words) == "", templates.FieldRationale, templates.ProblemMissing)
	add(d.revision < 1, templates.FieldRevision, templates.ProblemForm)
	add(d.fingerprint == "", templates.FieldFingerprint, templates.ProblemForm) // the engine would not compare it
	add(d.eventID == "", templates.FieldEventID, templates.ProblemForm)
	return problems
}

// decided leads to the next case of the reader's list, or to the list after the last one.
func (s *server) decided(v *visit, a memory.Adjudication) error {
	v.reread()
	return seeOther(v, withQuery(s.onward(v, a.ConflictID), queryDecided, a.EventID))
}

// invalid gives the form back with what is wrong in it.
func (s *server) invalid(v *visit, id string, sent decision, problems []templates.FieldProblem) error {
	c, ok := v.state.Case(id)
	if !ok {
		return s.lost(v, id, sent)
	}
	form := sent.form()
	for _, p := range problems {
		if p.Why == templates.ProblemForm {
			form = sent.fresh()
		}
	}
	refusal := &templates.Refusal{Is: templates.RefusedInvalid, SeenRevision: sent.revision, Problems: problems}
	page, body := s.casePage(v, c, attempt{form: form, refusal: refusal})
	return respond(v, http.StatusUnprocessableEntity, page, body(page))
}

// refused gives the form back with why nothing came of it, on the case as it is now.
func (s *server) refused(v *visit, c memory.Case, sent decision, form templates.Form, err error) error {
	v.reread()
	if now, ok := v.state.Case(c.ID); ok {
		c = now
	}
	refusal := &templates.Refusal{Is: refusalOf(err), SeenRevision: sent.revision}
	page, body := s.casePage(v, c, attempt{form: form, refusal: refusal})
	if fault := new(memory.Fault); errors.As(err, &fault) {
		page.Faults = withFault(page.Faults, fault)
	}
	return respond(v, statusOf(err), page, body(page))
}

// caseOrNothing returns the case of that id. Where the file that holds it cannot be
// read it is nothing but its id, around which the page still holds the reader's words.
func caseOrNothing(v *visit, id string) memory.Case {
	c, ok := v.state.Case(id)
	if !ok {
		c.ID = id
	}
	return c
}
