package templates

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/memory"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersAndCounts(t *testing.T) {
	for got, want := range map[string]string{
		number(0): "0", number(999): "999", number(1000): "1,000", number(1234567): "1,234,567", number(-1234): "-1,234",
		count(1, "fact"): "1 fact", count(0, "fact"): "0 facts", count(2, "day"): "2 days", count(2, "memory"): "2 memories",
		count(1284, "fact"): "1,284 facts", waits(1): "1 waits", waits(11): "11 wait",
		budget(3180, 12000): "3,180 of 12,000 characters", budget(1, 0): "1 character, no budget",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAges(t *testing.T) {
	now := at("2026-01-15", 12)
	for before, want := range map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago",
		90 * time.Minute: "1 hour ago", 47 * time.Hour: "1 day ago", 96 * time.Hour: "4 days ago", 800 * 24 * time.Hour: "2 years ago",
	} {
		if got := ago(now.Add(-before), now); got != want {
			t.Errorf("%v before: got %q, want %q", before, got, want)
		}
	}
	for day, want := range map[string]string{
		"2026-01-15": "Today, Thursday 15 January 2026", "2026-01-14": "Yesterday, Wednesday 14 January 2026", "2026-01-13": "Tuesday 13 January 2026",
	} {
		if got := weekday(at(day, 0), now); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEveryKindHasItsWords holds that no two fates, statuses or notices read alike.
func TestEveryKindHasItsWords(t *testing.T) {
	tags, reasons := map[string]bool{}, map[string]bool{}
	for kind := FateUnknown; kind <= FateWeaker; kind++ {
		f := Fate{Is: kind, Days: 2, More: 3}
		tags[f.words()], reasons[f.why()] = true, true
	}
	if want := int(FateWeaker) + 1; len(tags) != want || len(reasons) != want {
		t.Errorf("%d fates have %d tags and %d reasons", want, len(tags), len(reasons))
	}
	headings := map[string]bool{}
	statuses := []int{400, 401, 403, 404, 405, 409, 413, 421, 422, 500, 503}
	for _, status := range statuses {
		v := ProblemView{Status: status}
		headings[problemHeading(v)+problemWords(v)] = true
	}
	unread := ProblemView{Status: http.StatusServiceUnavailable, Unread: true}
	headings[problemHeading(unread)+problemWords(unread)] = true
	if len(headings) != len(statuses)+1 {
		t.Errorf("%d statuses and the one of what is unread have %d texts", len(statuses), len(headings))
	}
	if problemWords(ProblemView{Status: http.StatusTeapot}) != problemWords(ProblemView{Status: http.StatusInternalServerError}) {
		t.Error("a status without words must read as 500")
	}
	for kind := NoticeDecided; kind <= NoticeMarksFault; kind++ {
		if html := render(t, notice(Page{}, Notice{Is: kind})); !strings.Contains(html, `<h2 id="notice-title">`) {
			t.Errorf("notice %d has no heading: %s", kind, html)
		}
	}
	for kind := RefusedStale; kind <= RefusedPending; kind++ {
		html := render(t, refusal(Page{}, CaseView{}, Refusal{Is: kind}))
		if !strings.Contains(html, `<h2 id="refusal-title">`) {
			t.Errorf("refusal %d has no heading: %s", kind, html)
		}
	}
}

func TestReferences(t *testing.T) {
	for _, c := range []struct {
		evidence map[string]string
		want     []string
	}{
		{nil, nil},
		{map[string]string{"file": "a.go", "line": "7"}, []string{"a.go:7"}},
		{map[string]string{"line": "7"}, []string{"line=7"}},
		{map[string]string{"path": "a.go", "z": "1", "b": "2"}, []string{"a.go", "b=2", "z=1"}},
		{map[string]string{"file": "a", "path": "b", "line": "3"}, []string{"a:3", "b"}},
	} {
		if diff := cmp.Diff(c.want, references(c.evidence)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.evidence, diff)
		}
	}
}

func TestEquals(t *testing.T) {
	v := (fixtures{plain}).caseView()
	if got := v.equal(); !got.all() {
		t.Errorf("challengers that tie: %+v", got)
	}
	v.Recency = memory.Instant
	v.Candidates[1].LastSeen = v.Candidates[1].LastSeen.Add(time.Second)
	if got, want := v.equal(), (equals{true, true, false}); got != want {
		t.Errorf("a second apart, by instant: %+v", got)
	}
	v.Recency = memory.Day
	if got := v.equal(); !got.all() {
		t.Errorf("a second apart, by day: %+v", got)
	}
	v.Candidates = v.Candidates[:2]
	if got := v.equal(); got != (equals{}) {
		t.Errorf("one challenger is equal to nothing: %+v", got)
	}
}

func TestTitlesTellPagesApart(t *testing.T) {
	x := fixtures{plain}
	later := x.resolvedCase()
	later.Revision = 3
	titles := map[string]bool{}
	all := []string{
		CaseTitle(x.openCase()), CaseTitle(x.resolvedCase()), CaseTitle(later), CaseTitle(x.supersededCase()),
		DomainTitle("storage.database"), EntryTitle(x.entry(1, "a")), EntryTitle(x.entry(2, "a")), EntryTitle(memory.Entry{Key: "k"}),
		ProblemTitle(404), ProblemTitle(599), DeskTitle,
	}
	for _, title := range all {
		titles[title] = true
	}
	if len(titles) != len(all) || CaseTitle(x.openCase()) != "storage.database · open" {
		t.Errorf("%q", all)
	}
}
