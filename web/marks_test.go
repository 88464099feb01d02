package web

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"docket/memory"
)

var deskParts = regexp.MustCompile(`<h2 id="group-\d">([^<·]*) ·|<span class="key">([^<]*)</span>`)

// grouped is the keys of a desk under their headings.
func grouped(page string) map[string][]string {
	groups, group := map[string][]string{}, ""
	for _, part := range deskParts.FindAllStringSubmatch(page, -1) {
		if part[1] != "" {
			group = part[1]
		} else {
			groups[group] = append(groups[group], part[2])
		}
	}
	return groups
}

// follow sends a form and returns the page that the answer leads to.
func (b *bench) follow(path string, form url.Values) string {
	b.t.Helper()
	answer := b.post(path, form)
	if answer.status != http.StatusSeeOther {
		b.t.Fatalf("POST %s: %d\n%s", path, answer.status, answer.body)
	}
	return b.get(answer.header.Get("Location")).body
}

func (b *bench) path(rest string) string { return "/w/" + b.workspace() + "/" + rest }

func TestGroupsOfTheDesk(t *testing.T) {
	b := newBench(t)
	var cases []memory.Case
	for _, key := range []string{"a.first", "b.second", "c.third", "d.fourth"} {
		cases = append(cases, b.dispute(key))
		b.clock.move(time.Hour)
	}
	check := func(what string, want map[string][]string) {
		t.Helper()
		if diff := cmp.Diff(want, grouped(b.get(b.path("")).body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	b.get(b.path("cases/" + cases[0].ID))
	check("opening a page marks nothing", map[string][]string{"New": {"a.first", "b.second", "c.third", "d.fourth"}})

	b.follow(b.path("cases/"+cases[0].ID+"/seen"), nil)
	b.follow(b.path("cases/"+cases[1].ID+"/aside"), url.Values{"reason": {" ask\nfirst "}})
	b.follow(b.path("cases/"+cases[2].ID+"/seen"), nil)
	check("marked", map[string][]string{"New": {"d.fourth"}, "Seen": {"a.first", "c.third"}, "Set aside": {"b.second"}})
	page := b.get(b.path("")).body
	if !strings.Contains(page, "“<bdi>ask first</bdi>”") {
		t.Error("the desk does not say why a case was set aside")
	}

	b.record("a.first", "Use Postgres.", "01-12")
	b.record("a.first", "Use MySQL.", "01-12")
	b.record("b.second", "Use Postgres.", "01-12")
	b.record("b.second", "Use MySQL.", "01-12")
	b.distill()
	want := map[string][]string{"Changed since you looked": {"a.first", "b.second"}, "New": {"d.fourth"}, "Seen": {"c.third"}}
	check("two changed", want)
	if page = b.get(b.path("")).body; strings.Count(page, "+2 facts</span>") != 2 || !strings.Contains(page, "<strong>2 changed</strong>") {
		t.Errorf("the desk does not say what changed: %s", page)
	}

	other := b.server.sessions.begin("second lead")
	page = b.do(b.request(http.MethodGet, b.path(""), nil, other)).body
	if got := grouped(page)["New"]; len(got) != 4 {
		t.Errorf("another reader has %v as new", got)
	}
	b.serve()
	check("a restart forgets nothing", want)

	b.follow(b.path("cases/"+cases[2].ID+"/unseen"), nil)
	check("taken back", map[string][]string{"Changed since you looked": {"a.first", "b.second"}, "New": {"c.third", "d.fourth"}})
}

// TestOwnDecisionIsALook holds that a question which comes back after a reader decided it
// is no new one to them.
func TestOwnDecisionIsALook(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	b.follow(b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions."))
	b.clock.move(time.Hour)
	b.record("storage.database", "Use MySQL.", "01-12", "01-13")
	b.distill()
	if got := grouped(b.get(b.path("")).body); len(got["Changed since you looked"]) != 1 {
		t.Errorf("groups: %v", got)
	}
	page := b.do(b.request(http.MethodGet, b.path(""), nil, b.server.sessions.begin("second lead"))).body
	if got := grouped(page); len(got["New"]) != 1 || !strings.Contains(page, "decided before") {
		t.Errorf("to another reader: %v", got)
	}
}

// TestMarkingTellsTheRowBelow holds where the keys go on after rows were marked.
func TestMarkingTellsTheRowBelow(t *testing.T) {
	b := newBench(t)
	var ids []string
	for _, key := range []string{"a.first", "b.second", "c.third", "d.fourth"} {
		ids = append(ids, b.dispute(key).ID)
	}
	for _, step := range []struct {
		marked []string
		next   string
	}{
		{ids[:2], ids[2]},
		{[]string{ids[2]}, ids[3]},
		{[]string{ids[0]}, ids[1]}, // the list is d, and a, b and c as seen
		{[]string{ids[2]}, ids[2]}, // which is its last row
		{[]string{"none"}, ""},
	} {
		page := b.follow(b.path("marks"), url.Values{"act": {"seen"}, "case": step.marked})
		_, after, _ := strings.Cut(page, `data-next="case-`)
		if got, _, _ := strings.Cut(after, `"`); got != step.next {
			t.Errorf("after %v the keys go on from %q, want %q", step.marked, got, step.next)
		}
	}
}

func TestMarkingTellsRowByRow(t *testing.T) {
	b := newBench(t)
	open, decided, moved := b.dispute("a.open"), b.dispute("b.decided"), b.dispute("c.moved")
	b.follow(b.resolveURL(decided), b.decide(decided, "Use Postgres.", "Extensions."))
	b.record("c.moved", "Use Postgres.", "01-12")
	b.record("c.moved", "Use MySQL.", "01-12")
	b.distill()
	now := b.open("c.moved")
	before := footprint(t, b.project)
	page := b.follow(b.path("marks"), url.Values{"act": {"aside"}, "reason": {"later"}, "case": {open.ID, decided.ID, moved.ID, "none", open.ID}})
	for _, want := range []string{
		"1 of 4 set aside", "a.open</a> done", "“<bdi>none</bdi>” not found", "b.decided</a> no longer open", "c.moved</a> changed meanwhile, not marked",
		`href="/w/` + b.workspace() + `/cases/` + now.ID + `">see it now`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := grouped(page); len(got["Set aside"]) != 1 || len(got["New"]) != 1 {
		t.Errorf("groups: %v", got)
	}
	if n := len(b.read().Adjudications()); n != 1 {
		t.Errorf("%d decisions on record", n)
	}
	if diff := cmp.Diff(before, footprint(t, b.project)); diff != "" {
		t.Errorf("marking changed the project: %s", diff)
	}
	if page = b.follow(b.path("marks"), url.Values{"act": {"seen"}}); !strings.Contains(page, "Nothing was selected") {
		t.Error("the page does not say that nothing was selected")
	}
	page = b.follow(b.path("cases/"+moved.ID+"/seen"), nil)
	if !strings.Contains(page, "0 of 1 marked as seen") || !strings.Contains(page, now.ID) {
		t.Error("marking an old case does not lead to the new one")
	}
	if page = b.get(b.path("?marked=none")).body; strings.Contains(page, `id="notice"`) {
		t.Error("an address with an unknown id tells of a marking")
	}
}

func TestMarksOfAManyRowedDesk(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := url.Values{"act": {"seen"}, "case": {c.ID}}
	for i := range rowLimit - 1 {
		form.Add("case", "conflict-"+itoa(i))
	}
	page := b.follow(b.path("marks"), form)
	if !strings.Contains(page, "1 of 200 marked as seen") {
		t.Error("a page full of rows cannot be marked")
	}
	if n := strings.Count(page, "</bdi>” not found"); n != 5 || !strings.Contains(page, "And 194 more not found") {
		t.Errorf("%d of 199 unknown ids are told one by one, want 5 and the rest as a number", n)
	}
}

// TestMarkingWhatIsNotThere holds that an id without a case is told as that, whatever is in
// it, and that a selection is not called none where the cases cannot be read.
func TestMarkingWhatIsNotThere(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	form := url.Values{"act": {"aside"}, "reason": {awkward}, "case": {"<b>" + strings.Repeat("x", 9000), ""}}
	page := b.follow(b.path("marks"), form)
	if strings.Contains(page, "Nothing was selected") || !strings.Contains(page, "0 of 2 set aside") {
		t.Error("the page does not say that two were selected")
	}
	if !strings.Contains(page, "<bdi>&lt;b&gt;xxx") || strings.Contains(page, strings.Repeat("x", 100)) || strings.Count(page, "not found") != 2 {
		t.Error("the ids are not told, or whole")
	}
	if got := keptWords(t, page); got != awkward {
		t.Errorf("the reason came back as %q", got)
	}

	b.damage("conflicts.json")
	form.Set("case", c.ID)
	for _, path := range []string{"marks", "cases/" + c.ID + "/aside"} {
		answer := b.post(b.path(path), form)
		if answer.status != http.StatusServiceUnavailable || !strings.Contains(answer.body, "part of the record cannot be read") {
			t.Errorf("%s: %d, or it does not say that the cases cannot be read", path, answer.status)
		}
		if got := keptWords(t, answer.body); got != awkward {
			t.Errorf("%s: the reason came back as %q", path, got)
		}
	}
	form.Del("case")
	if page := b.follow(b.path("marks"), form); !strings.Contains(page, "Nothing was selected") {
		t.Error("the page does not say that nothing was selected")
	}
}

func TestDeskWithoutMarks(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	b.follow(b.path("cases/"+c.ID+"/seen"), nil)
	db, err := bbolt.Open(b.server.readers.path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	page := b.get(b.path("")).body
	if !strings.Contains(page, b.server.readers.path) || !strings.Contains(page, "is held by another process") {
		t.Error("the desk does not name the file")
	}
	if got := grouped(page); len(got["Waiting"]) != 1 || strings.Contains(page, `name="case"`) || strings.Contains(page, "changed</strong>") {
		t.Errorf("groups: %v, or rows that can be marked", got)
	}
	for path, form := range map[string]url.Values{
		"marks":                    {"act": {"seen"}, "case": {c.ID}},
		"cases/" + c.ID + "/aside": {"reason": {"later"}},
		"settings":                 {"keys": {"off"}},
	} {
		if answer := b.post(b.path(path), form); answer.status != http.StatusServiceUnavailable || !strings.Contains(answer.body, "Not marked") {
			t.Errorf("%s: %d, want 503 and the page", path, answer.status)
		}
	}
	b.follow(b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions."))
}

// TestReasonThatWentNowhereComesBack holds that no word is lost: not where the marks
// cannot be kept, not where a row moved, not where nothing was selected or the session
// had ended.
func TestReasonThatWentNowhereComesBack(t *testing.T) {
	b := newBench(t)
	moved := b.dispute("storage.database")
	b.record("storage.database", "Use Postgres.", "01-12")
	b.record("storage.database", "Use MySQL.", "01-12")
	b.distill()
	c := b.open("storage.database")
	const words = "after the <migration>, 之后"
	const shown = "after the &lt;migration&gt;, 之后</textarea>"
	form := func(id string) url.Values {
		return url.Values{"act": {"aside"}, "reason": {words}, "case": {id}}
	}
	for name, page := range map[string]string{
		"a row that moved": b.follow(b.path("marks"), form(moved.ID)),
		"nothing selected": b.follow(b.path("marks"), url.Values{"act": {"aside"}, "reason": {words}}),
		"a case moved":     b.follow(b.path("cases/"+moved.ID+"/aside"), form("")),
		"signed out":       b.do(b.request(http.MethodPost, b.path("cases/"+c.ID+"/aside"), form(""), nil)).body,
	} {
		if !strings.Contains(page, shown) {
			t.Errorf("%s: the reason is lost", name)
		}
	}
	if page := b.follow(b.path("marks"), form(c.ID)); strings.Contains(page, "</textarea>") {
		t.Error("a reason that was kept is given back")
	}
	b.follow(b.path("cases/"+c.ID+"/unaside"), nil)
	db, err := bbolt.Open(b.server.readers.path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, path := range []string{"marks", "cases/" + c.ID + "/aside"} {
		if page := b.post(b.path(path), form(c.ID)).body; !strings.Contains(page, shown) {
			t.Errorf("%s, held: the reason is lost", path)
		}
	}
}

func TestDamagedMarksLeaveTheDesk(t *testing.T) {
	b := newBench(t)
	b.dispute("storage.database")
	if err := os.WriteFile(b.server.readers.path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := b.get(b.path("")); answer.status != http.StatusOK || !strings.Contains(answer.body, "cannot be read or written") {
		t.Errorf("%d, or nothing said", answer.status)
	}
}

func TestKeysCanBeTurnedOffForGood(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	const off = `data-keys="off"`
	for _, path := range []string{"", "cases/" + c.ID} {
		if page := b.get(b.path(path)).body; strings.Contains(page, off) || !strings.Contains(page, `<dialog id="keys"`) {
			t.Errorf("%q: keys are off at first", path)
		}
	}
	answer := b.post(b.path("settings"), url.Values{"keys": {"off"}, "back": {b.path("cases/" + c.ID)}})
	if got := answer.header.Get("Location"); got != b.path("cases/"+c.ID) {
		t.Errorf("led to %q", got)
	}
	b.serve()
	for _, path := range []string{"", "cases/" + c.ID, "timeline"} {
		if page := b.get(b.path(path)).body; !strings.Contains(page, off) || strings.Contains(page, `<dialog id="keys"`) || strings.Contains(page, "j k move") {
			t.Errorf("%q: keys are still on, or hinted at", path)
		}
	}
	answer = b.post(b.path("settings"), url.Values{"keys": {"on"}, "back": {"//evil.example"}})
	if got := answer.header.Get("Location"); got != b.path("") {
		t.Errorf("led to %q", got)
	}
	if page := b.get(b.path("")).body; strings.Contains(page, off) {
		t.Error("keys cannot be turned on again")
	}
}
