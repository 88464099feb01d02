package web

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/memory"
)

// awkward is a reason that only comes back whole if nobody touches it.
const awkward = "\r\n  Tabs\there, </textarea><script>alert(1)</script> & 理由\u202e “x”\r\n\r\nend  "

func (b *bench) resolveURL(c memory.Case) string {
	return "/w/" + b.workspace() + "/cases/" + c.ID + "/resolve"
}

// only returns the one adjudication on record.
func (b *bench) only() memory.Adjudication {
	b.t.Helper()
	all := b.read().Adjudications()
	if len(all) != 1 {
		b.t.Fatalf("%d adjudications on record, want 1", len(all))
	}
	return all[0]
}

func TestDecisionIsRecorded(t *testing.T) {
	b := newBench(t)
	first := b.dispute("storage.database")
	b.clock.move(time.Hour)
	second := b.dispute("cache.engine")

	form := b.decide(first, "Use Postgres.", "We need\r\nextensions.")
	answer := b.post(b.resolveURL(first), form)
	next := answer.header.Get("Location")
	if want := "/w/" + b.workspace() + "/cases/" + second.ID + "?"; answer.status != http.StatusSeeOther || !strings.HasPrefix(next, want) {
		t.Fatalf("%d to %q, want 303 to the next case", answer.status, next)
	}
	page := b.get(next)
	if !strings.Contains(page.body, "/adjudications/"+url.PathEscape(form.Get("event_id"))) {
		t.Error("the notice does not link to the adjudication")
	}
	a := b.only()
	if a.Actor != "team lead" || a.Rationale != "We need extensions." || a.EventID != form.Get("event_id") || a.CaseRevision != first.Revision {
		t.Errorf("on record: %+v", a)
	}
	text, err := os.ReadFile(filepath.Join(b.project, ".learn_workbuddy", "memory", "MEMORY.md"))
	if err != nil || !strings.Contains(string(text), "Use Postgres.") {
		t.Errorf("MEMORY.md: %v\n%s", err, text)
	}

	answer = b.post(b.resolveURL(second), b.decide(second, "Use SQLite.", "Keep it."))
	if next := answer.header.Get("Location"); !strings.HasPrefix(next, "/w/"+b.workspace()+"/?") {
		t.Errorf("after the last case: %q, want the desk", next)
	}
}

func TestNextCaseIsTheNextOfTheDesk(t *testing.T) {
	b := newBench(t)
	var cases []memory.Case
	for _, key := range []string{"c.first", "b.second", "a.third"} {
		cases = append(cases, b.dispute(key))
		b.clock.move(time.Hour)
	}
	for _, step := range []struct {
		decide memory.Case
		next   string
	}{
		{cases[1], "/w/" + b.workspace() + "/cases/" + cases[2].ID + "?"},
		{cases[2], "/w/" + b.workspace() + "/?"}, // the first still waits, on the desk
		{cases[0], "/w/" + b.workspace() + "/?"},
	} {
		answer := b.post(b.resolveURL(step.decide), b.decide(step.decide, "Use Postgres.", "Because."))
		if got := answer.header.Get("Location"); !strings.HasPrefix(got, step.next) {
			t.Errorf("after %s: %q, want %q", step.decide.MemoryKey, got, step.next)
		}
	}
}

func TestDecisionByHTMX(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	r := b.request(http.MethodPost, b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions."), b.cookie())
	r.Header.Set("HX-Request", "true")
	answer := b.do(r)
	if answer.status != http.StatusNoContent || !strings.HasPrefix(answer.header.Get("HX-Redirect"), "/w/"+b.workspace()+"/?decided=") {
		t.Errorf("%d, HX-Redirect %q", answer.status, answer.header.Get("HX-Redirect"))
	}
}

func TestNoticeSaysNothingThatIsNotSo(t *testing.T) {
	b := newBench(t)
	plain := b.get("/w/" + b.workspace() + "/")
	for _, query := range []string{"?decided=forged", "?ran=forged", "?refreshed=1"} {
		if answer := b.get("/w/" + b.workspace() + "/" + query); answer.body != plain.body {
			t.Errorf("%s changes the page", query)
		}
	}
}

func TestActorComesFromTheSessionAlone(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use Postgres.", "Extensions.")
	for _, name := range []string{"actor", "role", "user", "id", "session"} {
		form.Set(name, "mallory")
	}
	r := b.request(http.MethodPost, b.resolveURL(c)+"?actor=mallory&role=admin&event_id=mallory", form, b.cookie())
	for _, name := range []string{"X-Forwarded-User", "X-Remote-User", "X-Actor", "Remote-User", "Authorization", "From"} {
		r.Header.Set(name, "mallory")
	}
	if answer := b.do(r); answer.status != http.StatusSeeOther {
		t.Fatalf("%d\n%s", answer.status, answer.body)
	}
	if a := b.only(); a.Actor != "team lead" || a.EventID != form.Get("event_id") {
		t.Errorf("on record: %+v", a)
	}
}

func TestOneFormIsOneAct(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use Postgres.", "Extensions.")
	replies := make([]reply, 8)
	var all sync.WaitGroup
	for i := range replies {
		r := b.request(http.MethodPost, b.resolveURL(c), form, b.cookie())
		all.Go(func() {
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
			replies[i] = reply{status: response.StatusCode, header: response.Header}
		})
	}
	all.Wait()
	for _, answer := range append(replies, b.post(b.resolveURL(c), form)) {
		if answer.status != http.StatusSeeOther || answer.header.Get("Location") != replies[0].header.Get("Location") {
			t.Errorf("%d to %q", answer.status, answer.header.Get("Location"))
		}
	}
	if a := b.only(); a.EventID != form.Get("event_id") {
		t.Errorf("on record: %+v", a)
	}

	form.Set("rationale", "Something else.")
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusConflict || keptWords(t, answer.body) != "Something else." {
		t.Errorf("the same form with other words: %d", answer.status)
	}
	if strings.Contains(answer.body, "The form below") || !strings.Contains(answer.body, "this case is decided") {
		t.Error("the page speaks of a form that it does not hold")
	}

	other := b.dispute("cache.engine")
	reused := b.decide(other, "Use MySQL.", "Cache it.")
	reused.Set("event_id", form.Get("event_id"))
	answer = b.post(b.resolveURL(other), reused)
	if back := formOf(t, answer.body); !strings.Contains(answer.body, "The form below") || back.values.Get("rationale") != "Cache it." {
		t.Error("on an open case the page does not speak of the form that it holds")
	}
}

func TestDecidedByAnother(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	mine := b.decide(c, "Use MySQL.", awkward)
	if answer := b.post(b.resolveURL(c), b.decide(c, "Use Postgres.", "Theirs was first.")); answer.status != http.StatusSeeOther {
		t.Fatal(answer.status)
	}
	answer := b.post(b.resolveURL(c), mine)
	if answer.status != http.StatusConflict {
		t.Fatalf("%d, want 409", answer.status)
	}
	if !strings.Contains(answer.body, "Theirs was first.") {
		t.Error("the page does not show their words")
	}
	if got := keptWords(t, answer.body); got != awkward {
		t.Errorf("words came back as %q", got)
	}
	b.only()
}

func TestInvalidDecisions(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	for _, test := range []struct {
		name  string
		field string
		value string
		same  bool // the next try is the same act
	}{
		{"no words", "rationale", "", true},
		{"blank words", "rationale", " \r\n\u2003", true},
		{"too many words", "rationale", strings.Repeat("理", 1001), true},
		{"a NUL", "rationale", "a\x00b", true},
		{"not UTF-8", "rationale", "a\xffb", true},
		{"no choice", "candidate", "", true},
		{"an unknown choice", "candidate", "candidate-0000000000000000", true},
		{"a damaged choice", "candidate", "../x", true},
		{"no revision", "revision", "", false},
		{"a damaged revision", "revision", "1.5", false},
		{"no fingerprint", "fingerprint", "", false},
		{"no event id", "event_id", "", false},
		{"a damaged event id", "event_id", "\u202e", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			form := b.decide(c, "Use Postgres.", awkward)
			sent := form.Get("event_id")
			form.Set(test.field, test.value)
			answer := b.post(b.resolveURL(c), form)
			if answer.status != http.StatusUnprocessableEntity {
				t.Fatalf("%d, want 422\n%s", answer.status, answer.body)
			}
			back := formOf(t, answer.body)
			if test.field != "rationale" && back.values.Get("rationale") != awkward {
				t.Errorf("words came back as %q", back.values.Get("rationale"))
			}
			if test.field != "candidate" && back.values.Get("candidate") != form.Get("candidate") {
				t.Errorf("choice came back as %q", back.values.Get("candidate"))
			}
			if (back.id() == sent) != test.same {
				t.Errorf("the form came back under %q, it was sent under %q", back.id(), sent)
			}
			back.values.Set("rationale", "Extensions.")
			if back.values.Get("revision") != itoa(c.Revision) || back.values.Get("fingerprint") != c.Fingerprint {
				t.Error("the hidden fields are not mended")
			}
		})
	}
	form := b.decide(c, "Use Postgres.", " ")
	form.Del("candidate")
	if answer := b.post(b.resolveURL(c), form); strings.Count(answer.body, `aria-invalid="true"`) != 2 {
		t.Error("two gaps are not both told")
	}
	if n := len(b.read().Adjudications()); n != 0 {
		t.Errorf("%d on record", n)
	}
}

func TestSignedOutWordsComeBack(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	answer := b.do(b.request(http.MethodPost, b.resolveURL(c), b.decide(c, "Use Postgres.", awkward), nil))
	if answer.status != http.StatusUnauthorized {
		t.Fatalf("%d, want 401", answer.status)
	}
	if got := keptWords(t, answer.body); got != awkward {
		t.Errorf("words came back as %q", got)
	}
	if !strings.Contains(answer.body, `name="next" value="/w/`+b.workspace()+"/cases/"+c.ID+`"`) {
		t.Error("signing in does not lead back to the case")
	}
	if strings.Contains(answer.body, "Use Postgres.") {
		t.Error("the page tells a stranger what is in the store")
	}
}

func TestBusyStoreLosesNothing(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	other, _ := openProject(t, b.project, b.clock)
	release, err := other.Lease(context.Background(), false)
	if err != nil {
		t.Fatal(err)
	}
	form := b.decide(c, "Use Postgres.", awkward)
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusServiceUnavailable {
		t.Fatalf("%d, want 503", answer.status)
	}
	back := formOf(t, answer.body)
	if back.values.Get("rationale") != awkward || back.id() != form.Get("event_id") {
		t.Errorf("came back under %q as %q", back.id(), back.values.Get("rationale"))
	}
	for _, path := range []string{"distill", "cases/" + c.ID + "/refresh"} {
		if answer := b.post("/w/"+b.workspace()+"/"+path, url.Values{}); answer.status != http.StatusServiceUnavailable {
			t.Errorf("%s while the store is busy: %d", path, answer.status)
		}
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	back.values.Set("rationale", "Extensions.")
	if answer := b.post(back.action, back.values); answer.status != http.StatusSeeOther {
		t.Errorf("second try: %d", answer.status)
	}
	b.only()
}
