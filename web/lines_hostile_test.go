package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"docket/memory"
)

// corpus is text that means harm to a page, a terminal or a table.
func corpus() []string {
	return []string{
		`<script>alert(1)</script>`,
		`</textarea><svg onload=alert(1)>`,
		`[x](javascript:alert(1)) ![t](https://evil.example/p)`,
		`&#106;avascript:alert(1)`,
		`"><div hx-post=/w/x/distill hx-trigger="load"> <img data-hx-get="//evil.example" src=x onerror=alert(1)>`,
		"data: 1\n\nevent: message\ndata: <b>2</b>",
		"## Approved\n<!-- hidden --> " + `<p id="main">id="page"</p>`,
		`<style>@import "//evil.example"</style><base href="//evil.example"><link rel=stylesheet href=//evil.example>`,
		`//evil.example/a https://evil.example/b <a href="//evil.example" ping="//evil.example">c</a>`,
		"a\u202eb\u200bc\U000e0041\U000e0042d\ufeff",
		"\x1b[2J\x1b]0;title\a",
		`=HYPERLINK("https://evil.example","x")`,
		`..%2f..%2fetc/passwd %00 9007199254740993 1e400`,
		`<iframe src="https://evil.example"></iframe><object data="//evil.example"></object>`,
		`{{constructor.constructor('alert(1)')()}} ${alert(1)} <template><script>alert(1)</script></template>`,
	}
}

// plant records the corpus wherever an agent can put text: contents, sources, evidence
// and ids, in memory, in cases and in what waits.
func (b *bench) plant() {
	b.t.Helper()
	var drafts []memory.Draft
	add := func(i int, text, key, id string, days int) {
		d := memory.NewDraft(text)
		d.Kind, d.Importance, d.Source, d.ID = memory.Decision, 4, "agent "+text, id
		d.RecordedAt = today.AddDate(0, 0, -days).Add(time.Duration(i) * time.Second)
		d.Evidence = map[string]string{"file": text, "line": "7", text: text, "url": "javascript:alert(1)//" + text}
		if key != "" {
			d.MemoryKey = &key
		}
		drafts = append(drafts, d)
	}
	for i, text := range corpus() {
		key := "hostile.key-" + itoa(i)
		add(i, text, "", `id="`+itoa(i)+`"><svg onload=alert(1)>/../`+text, 60)
		add(i, text, "", "", 59)
		add(i, text+" once", "", "", 2)
		for _, days := range []int{58, 57} {
			add(i, text, key, "", days)
			add(i, text+" or not", key, "", days)
		}
	}
	if _, err := b.engine.Append(context.Background(), drafts...); err != nil {
		b.t.Fatal(err)
	}
	b.distill()
}

// TestHostileCorpus: what harm is meant by the text of a fact, a reason or an address, no
// page runs it, asks elsewhere for anything, or breaks its policy. What the browser says
// fails the test as in every other.
func TestHostileCorpus(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.plant()
	for i, c := range b.read().OpenCases() {
		if i%2 == 0 {
			continue // stays open
		}
		form := b.decide(c, c.Candidates[0].Content, corpus()[i%len(corpus())]+" </textarea><script>alert(1)</script>")
		if answer := b.post(b.resolveURL(c), form); answer.status != http.StatusSeeOther {
			t.Fatalf("%s: %d", c.MemoryKey, answer.status)
		}
	}
	tab := newTabFor(b, true, 2*time.Minute)
	tab.allow("status of 422")
	tab.crawl(10)
	for i, text := range corpus() {
		q := url.QueryEscape(text)
		tab.harmless(b.at([]string{"timeline?text=" + q + "&key=" + q, "?text=" + q + "&source=" + q}[i%2]))
	}
	c := b.read().OpenCases()[0]
	tab.visit(b.at("cases/" + c.ID))
	tab.choose(c.Candidates[0].ID)
	tab.paste(strings.Repeat(strings.Join(corpus(), "\n"), 3)) // too long: it comes back
	tab.click(record)
	tab.see("#refusal")
	tab.inert("the refusal of " + c.ID)
}

// harmless opens a page and looks for what came out of a text.
func (t *tab) harmless(path string) {
	t.t.Helper()
	t.visit(path)
	t.inert(path)
}

func (t *tab) inert(what string) {
	t.t.Helper()
	t.run(chromedp.WaitReady(chromedp.CSS("#page")))
	if found := ask[[]string](t, `Array.from(document.querySelectorAll("#page script, #page style, #page base, #page link, #page img, #page iframe, #page object, #page template, #page [onload], #page [onerror], #page [ping], #page [hx-trigger=load], #page [data-hx-get]")).
		concat(Array.from(document.querySelectorAll("a[href], form[action], [formaction]")).filter(e => new URL(e.getAttribute("formaction") || e.getAttribute("action") || e.href, location.href).origin !== location.origin)).
		map(e => e.outerHTML.slice(0, 120))`); len(found) > 0 {
		t.t.Errorf("%s: out of a text came %q", what, found)
	}
	if n := t.count(`[id="page"]`) + t.count(`[id="main"]`); n != 1 {
		t.t.Errorf("%s: %d elements take the page's id", what, n)
	}
}

// crawl opens what the links of the desk lead to, and what those pages lead to, some of
// each kind of page.
func (t *tab) crawl(ofKind int) {
	t.t.Helper()
	seen, queue, kinds := map[string]bool{}, []string{t.at("")}, map[string]int{}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		kind, _, _ := strings.Cut(strings.TrimPrefix(path, t.at("")), "/")
		if kind, _, _ = strings.Cut(kind, "?"); seen[path] || kinds[kind] >= ofKind {
			continue
		}
		seen[path] = true
		kinds[kind]++
		t.harmless(path)
		if ask[int](t, `performance.getEntriesByType("navigation")[0].responseStatus`) != http.StatusOK {
			t.t.Errorf("a link leads to %s, which is no page", path)
		}
		queue = append(queue, ask[[]string](t, `Array.from(document.querySelectorAll("a[href]")).filter(a => a.origin === location.origin && a.pathname.startsWith("/w/")).map(a => a.pathname + a.search)`)...)
	}
	for _, kind := range []string{"", "cases", "memory", "timeline", "facts", "adjudications", "preview"} {
		if kinds[kind] == 0 {
			t.t.Errorf("no link leads to a page of %q", kind)
		}
	}
}
