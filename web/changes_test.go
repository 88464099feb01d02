package web

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"docket/memory"
)

func (b *bench) caseURL(c memory.Case) string { return "/w/" + b.workspace() + "/cases/" + c.ID }

// part sends a form as htmx does for one element of the page.
func (b *bench) part(path, target string, form url.Values) reply {
	b.t.Helper()
	r := b.request(http.MethodPost, path, form, b.cookie())
	r.Header.Set("HX-Request", "true")
	r.Header.Set("HX-Target", target)
	return b.do(r)
}

// disk is every file of the project, to be compared.
func (b *bench) disk() string {
	b.t.Helper()
	var all strings.Builder
	for _, name := range []string{"curated.json", "conflicts.json", "MEMORY.md", "conflict-adjudications.jsonl", "conflict-resolution-transactions.jsonl"} {
		data, err := os.ReadFile(b.file(name))
		if err != nil && !os.IsNotExist(err) {
			b.t.Fatal(err)
		}
		all.WriteString(name + "\n" + string(data))
	}
	return all.String()
}

func TestPreviewShowsWhatChangesAndChangesNothing(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	before := b.disk()
	form := b.decide(c, "Use Postgres.", awkward)
	answer := b.post(b.caseURL(c)+"/preview", form)
	if answer.status != http.StatusOK {
		t.Fatalf("%d, want 200\n%s", answer.status, answer.body)
	}
	back := formOf(t, answer.body)
	if back.values.Get("rationale") != awkward || back.values.Get("candidate") != form.Get("candidate") || back.id() != form.Get("event_id") {
		t.Errorf("the form came back as %v", back.values)
	}
	for _, words := range []string{"MEMORY.md · Decisions", "Use SQLite. (seen 1x; evidence: 1)", "Use Postgres. (seen 2x; evidence: 2)", " of 12,000 characters", "nothing falls off"} {
		if !strings.Contains(answer.body, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
	part := b.part(b.caseURL(c)+"/preview", "changes", b.decide(c, "Use SQLite.", ""))
	if part.status != http.StatusOK || !strings.HasPrefix(part.body, `<section id="changes"`) || !strings.Contains(part.body, "MEMORY.md stays as it is.") {
		t.Errorf("for what is in force: %d\n%s", part.status, part.body)
	}
	if b.disk() != before {
		t.Error("showing what changes has changed something")
	}
	if answer := b.post(back.action, back.values); answer.status != http.StatusSeeOther {
		t.Errorf("then recorded: %d", answer.status)
	}
}

func TestPreviewTellsWhatThePromptLoses(t *testing.T) {
	b := newBench(t)
	b.record("", "One "+strings.Repeat("word ", 380), "01-01", "01-02")
	for _, n := range []string{"two", "three", "four", "five", "six"} {
		b.record("", n+" "+strings.Repeat("word ", 380), "01-01", "01-02")
	}
	b.distill()
	b.recordAs("recent", "It ran.")
	b.record("storage.database", "Short.", "01-01")
	b.distill()
	b.record("storage.database", "Longer "+strings.Repeat("and longer ", 100), "01-10", "01-11")
	b.record("storage.database", "Other.", "01-10", "01-11")
	b.distill()
	c := b.open("storage.database")
	for _, candidate := range c.Candidates {
		if !strings.HasPrefix(candidate.Content, "Longer") {
			continue
		}
		part := b.part(b.caseURL(c)+"/preview", "changes", b.decide(c, candidate.Content, ""))
		if !strings.Contains(part.body, "falls off") || strings.Contains(part.body, "nothing falls off") || !strings.Contains(part.body, "/memory/e/") {
			t.Errorf("what falls off is not told: %s", part.body)
		}
	}
}

func TestPreviewOfACaseThatMoved(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use Postgres.", awkward)
	b.record("storage.database", "Use MySQL.", "01-11")
	part := b.part(b.caseURL(c)+"/preview", "changes", form)
	if !strings.Contains(part.body, "newer facts came") {
		t.Errorf("facts came: %s", part.body)
	}
	b.record("storage.database", "Use Postgres.", "01-11")
	b.distill()
	answer := b.post(b.caseURL(c)+"/preview", form)
	if now := b.open("storage.database"); answer.status != http.StatusConflict || formOf(t, answer.body).action != b.resolveURL(now) ||
		formOf(t, answer.body).values.Get("rationale") != awkward {
		t.Errorf("a newer case is there: %d", answer.status)
	}
	now := b.open("storage.database")
	form = b.decide(now, "Use Postgres.", awkward)
	if answer := b.post(b.resolveURL(now), b.decide(now, "Use MySQL.", "Theirs.")); answer.status != http.StatusSeeOther {
		t.Fatal(answer.status)
	}
	answer = b.post(b.caseURL(now)+"/preview", form)
	if answer.status != http.StatusConflict || keptWords(t, answer.body) != awkward || !strings.Contains(answer.body, "Theirs.") {
		t.Errorf("decided by another: %d", answer.status)
	}
	if len(b.read().Adjudications()) != 1 {
		t.Error("something was recorded")
	}
}

func TestWordsForACaseThatIsNotThere(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := b.decide(c, "Use Postgres.", awkward)
	for _, path := range []string{"resolve", "preview"} {
		answer := b.post("/w/"+b.workspace()+"/cases/conflict-0000000000000000/"+path, form)
		if answer.status != http.StatusNotFound || keptWords(t, answer.body) != awkward {
			t.Errorf("%s: %d, or the words are gone", path, answer.status)
		}
	}
	b.damage("conflicts.json")
	answer := b.post(b.resolveURL(c), form)
	if answer.status != http.StatusServiceUnavailable || keptWords(t, answer.body) != awkward {
		t.Errorf("%d, or the words are gone", answer.status)
	}
	if strings.Contains(answer.body, ">superseded<") || !strings.Contains(answer.body, "could not be read") {
		t.Error("a case that cannot be read is told to be superseded")
	}
}

func TestNewer(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	ask := func(revision string) reply { return b.get(b.caseURL(c) + "/newer?revision=" + revision + "&behind=0") }
	if answer := ask("1"); answer.status != http.StatusNoContent || answer.body != "" {
		t.Errorf("nothing moved: %d", answer.status)
	}
	b.record("storage.database", "Use MySQL.", "01-11")
	if answer := ask("1"); answer.status != http.StatusOK || !strings.Contains(answer.body, "1 more fact") {
		t.Errorf("a fact came: %d %s", answer.status, answer.body)
	}
	if answer := b.get(b.caseURL(c) + "/newer?revision=1&behind=1"); answer.status != http.StatusNoContent {
		t.Errorf("the page knew of that fact: %d", answer.status)
	}
	b.record("storage.database", "Use Postgres.", "01-11")
	b.distill()
	now := b.open("storage.database")
	if answer := ask("1"); !strings.Contains(answer.body, "A newer case revision is there: 2.") || !strings.Contains(answer.body, b.caseURL(now)) {
		t.Errorf("a newer revision came: %s", answer.body)
	}
	b.post(b.resolveURL(now), b.decide(now, "Use Postgres.", "Because."))
	if answer := ask("1"); !strings.Contains(answer.body, "was decided") {
		t.Errorf("it was decided: %s", answer.body)
	}
}

// TestNewerGoesOn holds that a page which was told goes on asking, and is told again of
// what it was not told yet, and of nothing else.
func TestNewerGoesOn(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	next := b.caseURL(c) + "/newer?revision=1&behind=0"
	told := func(what, words string) {
		t.Helper()
		answer := b.get(next)
		_, rest, _ := strings.Cut(answer.body, `hx-get="`)
		address, _, ok := strings.Cut(rest, `"`)
		if answer.status != http.StatusOK || !strings.Contains(answer.body, words) || !ok {
			t.Fatalf("%s: %d, without %q or an address to ask on: %s", what, answer.status, words, answer.body)
		}
		next = html.UnescapeString(address)
		if again := b.get(next); again.status != http.StatusNoContent {
			t.Errorf("%s: told twice: %s", what, again.body)
		}
	}
	b.record("storage.database", "Use MySQL.", "01-11")
	told("a fact came", "1 more fact")
	b.record("storage.database", "Use Postgres.", "01-11")
	told("another fact came", "2 more facts")
	b.distill()
	told("the case moved", "A newer case revision is there: 2.")
	b.record("storage.database", "Use MySQL.", "01-12")
	if answer := b.get(next); answer.status != http.StatusNoContent {
		t.Errorf("a fact behind a revision that is told already: %s", answer.body)
	}
	b.record("storage.database", "Use Postgres.", "01-12")
	b.distill()
	told("it moved again", "A newer case revision is there: 3.")
	now := b.open("storage.database")
	b.post(b.resolveURL(now), b.decide(now, "Use Postgres.", "Because."))
	told("it was decided", "was decided: a newer state than your revision 1")
}

func TestCompareRevisions(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	added := b.record("storage.database", "Use MySQL.", "01-11")
	b.record("storage.database", "Use Postgres.", "01-11")
	b.distill()
	now := b.open("storage.database")
	for _, id := range []memory.Case{c, now} {
		page := b.get(b.caseURL(id) + "?from=1&to=2").body
		section, _, _ := strings.Cut(page[max(strings.Index(page, `id="compare-title"`), 0):], "</section>")
		for _, words := range []string{"revision 1 → 2", "+ added", added[0].ID, "counts for", "5 facts"} {
			if !strings.Contains(section, words) {
				t.Errorf("the comparison does not say %q", words)
			}
		}
		if strings.Contains(page, `id="decision"`) || strings.Contains(page, "<textarea") {
			t.Error("it can be filled in")
		}
	}
	if page := b.get(b.caseURL(now) + "?from=2&to=2").body; !strings.Contains(page, "No difference") {
		t.Error("equal is not told")
	}
	for _, query := range []string{"?from=2&to=1", "?from=1", "?from=x&to=2", "?from=0&to=9"} {
		if page := b.get(b.caseURL(now) + query); page.status != http.StatusOK || !strings.Contains(page.body, `id="decision"`) {
			t.Errorf("%s: %d, or no form", query, page.status)
		}
	}
}

func TestSinceYouLooked(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	if answer := b.post(b.caseURL(c)+"/seen", url.Values{}); answer.status != http.StatusSeeOther {
		t.Fatal(answer.status)
	}
	if page := b.get(b.caseURL(c)).body; strings.Contains(page, "Since you looked") {
		t.Error("a case is said to differ from itself")
	}
	b.record("storage.database", "Use MySQL.", "01-11")
	b.record("storage.database", "Use Postgres.", "01-11")
	b.distill()
	now := b.open("storage.database")
	page := b.get(b.caseURL(now)).body
	for _, words := range []string{"Since you looked (revision 1 → 2)", "+ added", now.ID + "?from=1&amp;to=2"} {
		if !strings.Contains(page, words) {
			t.Errorf("the page does not say %q", words)
		}
	}
}

func TestWhatWouldSettleIt(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	page := b.get(b.caseURL(c)).body
	if !strings.Contains(page, "Needs more evidence") || !strings.Contains(page, "with 1 more fact of importance 4; recorded now, counted from 2026-03-31") {
		t.Error("what would settle it is not told")
	}
	b.post(b.resolveURL(c), b.decide(c, "Use SQLite.", "Keep it."))
	b.record("storage.database", "Use LMDB.", "01-20", "01-21")
	b.distill()
	page = b.get(b.caseURL(b.open("storage.database"))).body
	for _, words := range []string{"One challenger is strongest, with importance 4 as weighed and 2 facts", "decided by a person", "only a person decides again", "Since then 2 facts"} {
		if !strings.Contains(page, words) {
			t.Errorf("under a person's decision the page does not say %q", words)
		}
	}
}

func TestFactTrace(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	b.post(b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions."))
	loser := b.read().FactsOf("storage.database")
	for _, f := range loser {
		page := b.get("/w/" + b.workspace() + "/facts/" + f.ID).body
		if !strings.Contains(page, "✓ passed") || !strings.Contains(page, "it counts since") {
			t.Errorf("%q has no trace", f.Content)
		}
		if missed := strings.Contains(page, "✗ missed") && strings.Contains(page, "since then 0 facts, 2 needed to ask again"); missed != (f.Content == "Use MySQL.") {
			t.Errorf("%q: missed %v", f.Content, missed)
		}
	}
	page := b.get("/w/" + b.workspace() + "/memory/k/storage.database").body
	for _, words := range []string{"by rule: importance 4", "What challenges it", "a person decided against it; asked again with 2 more facts that say the same"} {
		if !strings.Contains(page, words) {
			t.Errorf("the chain does not say %q", words)
		}
	}
}
