package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestStaleDecisionComesBackOnTheCurrentCase(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use Postgres.", awkward)
	added := b.record("storage.database", "Use MySQL.", "01-11", "01-11")
	b.record("storage.database", "Use Postgres.", "01-11", "01-11")
	young := b.record("storage.database", "Use files.", "02-20")

	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusConflict {
		t.Fatalf("%d, want 409\n%s", answer.status, answer.body)
	}
	now := b.open("storage.database")
	if now.ID == c.ID {
		t.Fatal("the domain was not brought up to date")
	}
	back := formOf(t, answer.body)
	if want := b.resolveURL(now); back.action != want {
		t.Errorf("the form goes to %s, want %s", back.action, want)
	}
	if back.values.Get("rationale") != awkward {
		t.Errorf("words came back as %q", back.values.Get("rationale"))
	}
	if back.values.Get("candidate") != form.Get("candidate") || back.values.Get("fingerprint") != now.Fingerprint {
		t.Error("choice or fingerprint are not those of the case now")
	}
	if back.id() == form.Get("event_id") {
		t.Error("sending again would not be a new act")
	}
	banner, _, _ := strings.Cut(answer.body[strings.Index(answer.body, `id="refusal"`):], "</section>")
	for _, fact := range []string{added[0].ID, added[1].ID, young[0].ID} {
		if !strings.Contains(banner, fact) {
			t.Errorf("the page does not say that %s was added", fact)
		}
	}
	if n := strings.Count(banner, "+ added"); n != 5 {
		t.Errorf("%d facts are told as added, want 5", n)
	}
	if !strings.Contains(banner, "5 facts") {
		t.Error("the page does not say that 5 facts are as they were")
	}
	if len(b.read().Adjudications()) != 0 {
		t.Fatal("something was recorded")
	}

	b.record("storage.database", "Use MySQL.", "01-11")
	b.record("storage.database", "Use Postgres.", "01-11")
	answer = b.post(back.action, back.values)
	if answer.status != http.StatusConflict {
		t.Fatalf("a second change: %d, want another 409", answer.status)
	}
	back = formOf(t, answer.body)
	if back.values.Get("rationale") != awkward {
		t.Errorf("words came back as %q", back.values.Get("rationale"))
	}
	back.values.Set("rationale", "Extensions.")
	if answer = b.post(back.action, back.values); answer.status != http.StatusSeeOther {
		t.Fatalf("the next try: %d", answer.status)
	}
	b.only()
}

func TestStaleDecisionWhoseChoiceIsGone(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use MySQL.", awkward)
	b.record("storage.database", "Use Postgres.", "01-11")
	b.record("storage.database", "Use LMDB.", "01-11", "01-10", "01-11")
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusConflict {
		t.Fatalf("%d, want 409", answer.status)
	}
	back := formOf(t, answer.body)
	if back.values.Has("candidate") {
		t.Error("something is chosen that the reader did not choose")
	}
	if back.values.Get("rationale") != awkward {
		t.Errorf("words came back as %q", back.values.Get("rationale"))
	}
	for _, words := range []string{"Use MySQL.", "Use LMDB.", "Nothing is chosen"} {
		if !strings.Contains(answer.body, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}

func TestStaleDecisionThatEvidenceSettled(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use MySQL.", awkward)
	b.record("storage.database", "Use Postgres.", "01-11", "01-12")
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusConflict {
		t.Fatalf("%d, want 409", answer.status)
	}
	if got := keptWords(t, answer.body); got != awkward {
		t.Errorf("words came back as %q", got)
	}
	if !strings.Contains(answer.body, "settled") || !strings.Contains(answer.body, "Use Postgres.") {
		t.Error("the page does not say what newer evidence settled")
	}
	active, _ := b.read().Active("storage.database")
	if active.Content != "Use Postgres." || len(b.read().OpenCases()) != 0 {
		t.Errorf("in force: %q", active.Content)
	}
}

func TestStaleByAnotherFingerprint(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use MySQL.", awkward)
	form.Set("fingerprint", strings.Repeat("0", 64))
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusConflict {
		t.Fatalf("%d, want 409", answer.status)
	}
	if back := formOf(t, answer.body); back.values.Get("fingerprint") != c.Fingerprint || back.values.Get("rationale") != awkward {
		t.Error("the form is not that of the case now")
	}
	if n := len(b.read().Adjudications()); n != 0 {
		t.Errorf("%d on record", n)
	}
}

func TestRefreshLeadsToTheNewestCase(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	b.record("storage.database", "Use MySQL.", "01-11")
	b.record("storage.database", "Use Postgres.", "01-11")
	if page := b.get("/w/" + b.workspace() + "/cases/" + c.ID); !strings.Contains(page.body, "Bring up to date") {
		t.Error("the page does not say that it is behind")
	}
	answer := b.post("/w/"+b.workspace()+"/cases/"+c.ID+"/refresh", nil)
	now := b.open("storage.database")
	if want := "/w/" + b.workspace() + "/cases/" + now.ID + "?refreshed=1"; answer.header.Get("Location") != want {
		t.Fatalf("%d to %q, want %q", answer.status, answer.header.Get("Location"), want)
	}
	if page := b.get(answer.header.Get("Location")); page.status != http.StatusOK || !strings.Contains(page.body, `id="notice"`) {
		t.Errorf("%d, or no notice", page.status)
	}
	if page := b.get("/w/" + b.workspace() + "/cases/" + c.ID); page.status != http.StatusOK || strings.Contains(page.body, "/resolve") {
		t.Errorf("the old case: %d, or it can still be decided", page.status)
	}
}
