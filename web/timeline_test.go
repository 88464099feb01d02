package web

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// linkOf returns where the link of that rel leads, "" for none.
func linkOf(page, rel string) string {
	link := regexp.MustCompile(`<a rel="` + rel + `" href="([^"]*)"`).FindStringSubmatch(page)
	if link == nil {
		return ""
	}
	return html.UnescapeString(link[1])
}

// factsOn returns the ids of the facts on a page of the timeline, in its order.
func factsOn(page string) []string {
	var ids []string
	for _, link := range regexp.MustCompile(`href="/w/[^"/]*/facts/([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !slices.Contains(ids, link[1]) {
			ids = append(ids, link[1])
		}
	}
	return ids
}

func TestTimelinePages(t *testing.T) {
	b := newBench(t)
	days := slices.Repeat([]string{"01-01", "01-02", "01-02", "02-03"}, pageSize*3/4)
	b.record("", "Write tests first.", days...)
	b.record("storage.database", "Use SQLite.", "02-03")
	var want []string
	for fact := range b.read().Newest() {
		want = append(want, fact.ID)
	}
	timeline := "/w/" + b.workspace() + "/timeline"
	var got []string
	var pages [][]string
	last := ""
	for path := timeline; path != ""; {
		page := b.get(path).body
		pages = append(pages, factsOn(page))
		got = append(got, factsOn(page)...)
		last = path
		path = linkOf(page, "next")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("older and older: %s", diff)
	}
	for path := last; path != ""; {
		page := b.get(path).body
		if n := len(pages); n == 0 || !slices.Equal(pages[n-1], factsOn(page)) {
			t.Fatalf("back from %s: another page than on the way there", path)
		}
		pages = pages[:len(pages)-1]
		path = linkOf(page, "prev")
	}
	if len(pages) > 0 {
		t.Errorf("%d pages are not reached on the way back", len(pages))
	}

	for query, wantFacts := range map[string]int{
		"?text=SQLITE":                  1,
		"?text=%20use%20%20sqlite":      1,
		"?text=nothing":                 0,
		"?key=storage.database":         1,
		"?key=Storage.Database":         1,
		"?key=storage":                  0,
		"?key=no%20key":                 0,
		"?kind=decision":                pageSize,
		"?kind=outcome":                 0,
		"?kind=nonsense":                0,
		"?before=nonsense":              pageSize,
		"?text=sqlite&kind=decision":    1,
		"?text=sqlite&kind=pitfall":     0,
		"?after=" + first(b).String():   pageSize,
		"?before=" + first(b).String():  pageSize,
		"?before=" + oldest(b).String(): 0,
	} {
		if got := len(factsOn(b.get(timeline + query).body)); got != wantFacts {
			t.Errorf("%s: %d facts, want %d", query, got, wantFacts)
		}
	}
	if page := b.get(timeline + "?text=first&kind=decision").body; !strings.Contains(linkOf(page, "next"), "text=first") {
		t.Error("the next page forgets the filter")
	}
}

func first(b *bench) *cursor {
	for fact := range b.read().Newest() {
		return cursorOf(fact)
	}
	panic("no fact")
}

func oldest(b *bench) *cursor {
	for fact := range b.read().Facts() {
		return cursorOf(fact)
	}
	panic("no fact")
}

func TestCursorSurvivesTheAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(0, 253402300799_000000).Draw(t, "micros")
		c := cursor{time.UnixMicro(micros).UTC(), rapid.StringN(1, 200, -1).Draw(t, "id")}
		text := c.String()
		if url.QueryEscape(text) != text {
			t.Fatalf("%q has to be escaped", text)
		}
		back := parseCursor(text)
		if back == nil || !back.at.Equal(c.at) || back.id != c.id {
			t.Fatalf("%v came back as %v", c, back)
		}
	})
	for _, text := range []string{"", "!", "eA", encode([]byte("2026-01-01T00:00:00Z")), encode([]byte("yesterday f1"))} {
		if c := parseCursor(text); c != nil {
			t.Errorf("%q is taken for %v", text, c)
		}
	}
}

func TestFactOfAnyID(t *testing.T) {
	b := newBench(t)
	for i, id := range []string{"a/b", "a b", "%2f", "?x=1#y", "..", ".", "理由", `"><script>`, "a+b", "web:1"} {
		b.recordAs(id, fmt.Sprintf("Fact number %d.", i))
	}
	for fact := range b.read().Facts() {
		page := b.get("/w/" + b.workspace() + "/timeline").body
		path := ""
		for _, link := range regexp.MustCompile(`href="(/w/[^"/]*/facts[^"]*)"`).FindAllStringSubmatch(page, -1) {
			answer := b.get(html.UnescapeString(link[1]))
			if answer.status == 200 && strings.Contains(answer.body, fact.Content) {
				path = link[1]
			}
		}
		if path == "" {
			t.Errorf("no link leads to fact %q", fact.ID)
		}
	}
}
