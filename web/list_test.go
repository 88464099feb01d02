package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

func TestFilterOfTheDesk(t *testing.T) {
	b := newBench(t)
	b.dispute("storage.database")
	b.clock.move(3 * 24 * time.Hour)
	b.dispute("storage.cache")
	key := "deploy.target"
	for _, content := range []string{"Deploy on Fly.", "自建机房。"} {
		for i := range 2 {
			d := memory.NewDraft(content)
			d.Kind, d.Importance, d.Source, d.MemoryKey = memory.Convention, 4, "ci", &key
			d.RecordedAt = today.AddDate(0, 0, -50-i)
			if _, err := b.engine.Append(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.clock.move(time.Hour)
	b.distill()
	b.open(key)
	for query, want := range map[string][]string{
		"":                              {"storage.database", "storage.cache", "deploy.target"},
		"sort=newest":                   {"deploy.target", "storage.cache", "storage.database"},
		"sort=nonsense":                 {"storage.database", "storage.cache", "deploy.target"},
		"text=postgres":                 {"storage.database", "storage.cache"},
		"text=STORAGE":                  {"storage.database", "storage.cache"},
		"text=" + url.QueryEscape("自建"): {"deploy.target"},
		"key=storage.":                  {"storage.database", "storage.cache"},
		"key=Storage.D":                 {"storage.database"},
		"kind=convention":               {"deploy.target"},
		"kind=pitfall":                  nil,
		"source=ci":                     {"deploy.target"},
		"source=c":                      nil,
		"age=1":                         {"storage.database"},
		"age=3&key=storage.":            {"storage.database"},
		"age=30":                        nil,
		"age=soon":                      nil,
		"age=-1":                        nil,
		"page=7":                        {"storage.database", "storage.cache", "deploy.target"},
		"text=postgres&source=ci":       nil,
	} {
		page := b.get(b.path("?" + query)).body
		if diff := cmp.Diff(want, grouped(page)["New"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		if !strings.Contains(page, "<strong>3 wait</strong>") {
			t.Errorf("%s: the filter changes how many wait", query)
		}
		if want == nil && !strings.Contains(page, `<a href="`+b.path("")+`">Clear the filter</a>`) {
			t.Errorf("%s: nothing clears the filter", query)
		}
	}
}

func TestNextCaseOfTheSameList(t *testing.T) {
	b := newBench(t)
	var cases []memory.Case
	for _, key := range []string{"a.first", "other.second", "a.third", "a.fourth"} {
		cases = append(cases, b.dispute(key))
		b.clock.move(time.Hour)
	}
	const list = "key=a."
	listed := url.QueryEscape(list)
	desk := b.get(b.path("?" + list)).body
	first := b.path("cases/" + cases[0].ID + "?list=" + listed)
	if !strings.Contains(desk, `href="`+first+`"`) {
		t.Fatal("the rows do not carry the filter")
	}
	page := b.get(first).body
	if !strings.Contains(page, "1 of 3") || !strings.Contains(page, `href="`+b.path("?"+list)+`#case-`+cases[0].ID+`"`) {
		t.Error("the case does not say where in the list it is, or leads back to another")
	}
	form := formOf(t, page)
	form.values.Set("candidate", b.candidate(cases[0], "Use Postgres."))
	form.values.Set("rationale", "Because.")
	next := b.path("cases/" + cases[2].ID + "?list=" + listed + "&")
	answer := b.post(form.action, form.values)
	if got := answer.header.Get("Location"); !strings.HasPrefix(got, next) {
		t.Errorf("led to %q, want the next of the list %q", got, next)
	}
	if again := b.post(form.action, form.values); again.header.Get("Location") != answer.header.Get("Location") {
		t.Errorf("sent again: to %q", again.header.Get("Location"))
	}

	byHTMX := b.request(http.MethodPost, b.path("cases/"+cases[2].ID+"/aside"), url.Values{"list": {list}}, b.cookie())
	byHTMX.Header.Set("HX-Request", "true")
	next = b.path("cases/" + cases[3].ID + "?list=" + listed + "&marked=")
	if got := b.do(byHTMX).header.Get("HX-Redirect"); !strings.HasPrefix(got, next) {
		t.Errorf("set aside: to %q, want %q", got, next)
	}
	answer = b.post(b.path("cases/"+cases[3].ID+"/seen"), url.Values{"list": {list}})
	if got, want := answer.header.Get("Location"), b.path("?"+list+"&marked="); !strings.HasPrefix(got, want) {
		t.Errorf("after the last: to %q, want the list %q, not what was set aside", got, want)
	}
	refused := b.post(b.resolveURL(cases[3]), url.Values{"list": {list}})
	if refused.status != http.StatusUnprocessableEntity || !strings.Contains(refused.body, `name="list" value="key=a."`) {
		t.Errorf("a refusal loses the list: %d", refused.status)
	}
	if page := b.get(b.path("cases/" + cases[3].ID + "?list=%3Bkey%3Da%zz")).body; !strings.Contains(page, "of 3") {
		t.Error("a list that cannot be read is not the whole desk")
	}
}

// TestWaitingTimeIsThatOfTheQuestion holds that a case which moves waits on, and that one
// which comes back after a decision begins anew.
func TestWaitingTimeIsThatOfTheQuestion(t *testing.T) {
	b := newBench(t)
	b.dispute("storage.database")
	b.clock.move(48 * time.Hour)
	b.dispute("cache.engine")
	b.record("storage.database", "Use Postgres.", "01-12")
	b.record("storage.database", "Use MySQL.", "01-12")
	b.distill()
	c := b.open("storage.database")
	if c.Revision != 2 {
		t.Fatalf("case revision %d", c.Revision)
	}
	if got := b.read().Since(c); !got.Equal(today) {
		t.Errorf("it waits since %v, want %v", got, today)
	}
	if got := grouped(b.get(b.path("")).body)["New"]; got[0] != "storage.database" {
		t.Errorf("the desk lists %q", got)
	}
	if page := b.get(b.path("cases/" + c.ID)).body; !strings.Contains(page, "open 2 days") {
		t.Error("the case says that it waits for another time")
	}
	b.follow(b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions."))
	b.clock.move(time.Hour)
	b.record("storage.database", "Use MySQL.", "01-13", "01-14")
	b.distill()
	if got := b.read().Since(b.open("storage.database")); !got.Equal(b.clock.read()) {
		t.Errorf("decided and back, it waits since %v", got)
	}
}

func TestAddressOfAFilterHasNoEmptyField(t *testing.T) {
	b := newBench(t)
	for sent, want := range map[string]string{
		"?text=&key=&kind=&source=&age=&x":  "",
		"?text=a%26b&key=&kind=":            "?text=a%26b",
		"timeline?kind=&text=&key=":         "timeline",
		"timeline?kind=pitfall&text=&key=a": "timeline?key=a&kind=pitfall",
	} {
		answer := b.get(b.path(sent))
		if got := answer.header.Get("Location"); answer.status != http.StatusSeeOther || got != b.path(want) {
			t.Errorf("%s: %d to %q, want %q", sent, answer.status, got, b.path(want))
		}
		if answer = b.get(b.path(want)); answer.status != http.StatusOK {
			t.Errorf("%s: %d, want the page", want, answer.status)
		}
	}
}

var leads = regexp.MustCompile(`(?:href|hx-get)="([^"]*/cases/[^"]*)"`)

// TestListIsKeptWhereACaseMoves holds that whatever leads from one case of a key to another
// keeps the list that the reader is going through.
func TestListIsKeptWhereACaseMoves(t *testing.T) {
	b := newBench(t)
	old := b.dispute("storage.database")
	b.follow(b.path("cases/"+old.ID+"/seen"), nil)
	stale := b.decide(old, "Use Postgres.", "Extensions.")
	b.record("storage.database", "Use Postgres.", "01-12")
	b.record("storage.database", "Use MySQL.", "01-12")
	b.distill()
	now := b.open("storage.database")
	const list = "key=storage.&sort=newest"
	query := "?list=" + url.QueryEscape(list)
	stale.Set("list", list)
	at := func(c memory.Case, rest string) string { return b.get(b.path("cases/"+c.ID) + query + rest).body }
	for name, page := range map[string]struct {
		body  string
		leads int
	}{
		"not current":       {at(old, ""), 2},             // Go to, and the other case
		"since you looked":  {at(now, ""), 4},             // Compare, the other case, its compare, the poll
		"a comparison":      {at(now, "&from=1&to=2"), 4}, // both, the other case, its compare
		"a stale decision":  {b.post(b.resolveURL(old), stale).body, 4},
		"the polled banner": {b.get(b.path("cases/"+old.ID+"/newer") + query + "&revision=1&behind=0").body, 2}, // Look, and the next poll
	} {
		found := leads.FindAllStringSubmatch(page.body, -1)
		if len(found) != page.leads {
			t.Errorf("%s leads to %d cases, want %d: %q", name, len(found), page.leads, found)
		}
		for _, lead := range found {
			if u, err := url.Parse(html.UnescapeString(lead[1])); err != nil || u.Query().Get("list") != list {
				t.Errorf("%s: %s loses the list", name, lead[1])
			}
		}
	}
	desk := html.EscapeString(b.path("?" + list))
	lost := b.post(b.path("cases/none/resolve"), stale)
	if lost.status != http.StatusNotFound || !strings.Contains(lost.body, `<a href="`+desk+`">Go back`) {
		t.Errorf("a case that is not there: %d, or it leads back to another list", lost.status)
	}
}

// TestSigningInLeadsBackToTheList holds it for a reader whose session ended.
func TestSigningInLeadsBackToTheList(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	const list = "text=a%26b&sort=newest"
	const escaped = "sort=newest&text=a%26b" // in its one form
	for path, want := range map[string]string{
		"cases/" + c.ID + "/resolve": "cases/" + c.ID + "?list=" + url.QueryEscape(escaped),
		"cases/" + c.ID + "/seen":    "cases/" + c.ID + "?list=" + url.QueryEscape(escaped),
		"marks":                      "?" + escaped,
		"distill":                    "?" + escaped,
	} {
		answer := b.do(b.request(http.MethodPost, b.path(path), url.Values{"list": {list}}, nil))
		if answer.status != http.StatusUnauthorized || !strings.Contains(answer.body, `name="next" value="`+html.EscapeString(b.path(want))+`"`) {
			t.Errorf("%s: %d, or it does not lead to %q", path, answer.status, want)
		}
	}
	answer := b.do(b.request(http.MethodPost, b.path("marks"), url.Values{"list": {"text=\r\n//evil"}}, nil))
	if !strings.Contains(answer.body, `value="`+b.path("?text=%0D%0A%2F%2Fevil")+`"`) {
		t.Error("a list goes into the address as it was sent")
	}
}

var chosenOption = regexp.MustCompile(`<option value="([^"]*)" selected>([^<]*)<`)

// TestFilterKeepsWhatIsNoOption holds that sending the form of a filter again asks for the
// same list, whatever its address said.
func TestFilterKeepsWhatIsNoOption(t *testing.T) {
	b := newBench(t)
	b.dispute("storage.database")
	for query, want := range map[string][2]string{
		"age=3":                     {"3", "3 days or more"},
		"age=7":                     {"7", "7 days or more"},
		"age=soon":                  {"soon", "soon"},
		"kind=outcome":              {"outcome", "outcome"},
		"source=gone+%3Cb%3E":       {"gone <b>", "gone <b>"},
		"timeline?kind=nonsense":    {"nonsense", "nonsense"},
		"timeline?kind=outcome":     {"outcome", "outcome"},
		"timeline?kind=%22selected": {`"selected`, `"selected`},
	} {
		path := b.path("?" + query)
		if strings.HasPrefix(query, "timeline") {
			path = b.path(query)
		}
		var chosen [][2]string
		for _, option := range chosenOption.FindAllStringSubmatch(b.get(path).body, -1) {
			if option[1] != "" {
				chosen = append(chosen, [2]string{html.UnescapeString(option[1]), html.UnescapeString(option[2])})
			}
		}
		if diff := cmp.Diff([][2]string{want}, chosen); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}
