package web

import (
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

const submit chromedp.CSS = "#decision .primary"

// both runs a flow with JavaScript on and off.
func both(t *testing.T, flow func(t *testing.T, scripts bool)) {
	for name, scripts := range map[string]bool{"with scripts": true, "without scripts": false} {
		t.Run(name, func(t *testing.T) { flow(t, scripts) })
	}
}

func TestBrowserDecides(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newBench(t)
		first := b.dispute("storage.database")
		b.clock.move(time.Hour)
		second := b.dispute("cache.engine")
		tab := newTab(b, scripts)
		tab.click(chromedp.CSS(`.desk a[href$="` + first.ID + `"]`))
		tab.see("#decision")
		if got := tab.choice(); got != "" {
			t.Errorf("%s is chosen before the reader chose", got)
		}
		tab.fill(b.candidate(first, "Use Postgres."), "We need extensions.")
		tab.click(submit)
		if notice := tab.see("#notice"); !strings.Contains(notice, "Use Postgres.") {
			t.Errorf("the notice says %q", notice)
		}
		if got, want := tab.path(), "/w/"+b.workspace()+"/cases/"+second.ID+"?"; !strings.HasPrefix(got, want) {
			t.Errorf("the reader is at %s, want the next case", got)
		}
		tab.click(`#notice a[href*="/adjudications/"]`)
		if title := tab.see("#page"); !strings.Contains(title, "We need extensions.") {
			t.Error("the adjudication lacks the reason")
		}
		if a := b.only(); a.Actor != "team lead" || a.Rationale != "We need extensions." {
			t.Errorf("on record: %+v", a)
		}
		if text, err := os.ReadFile(b.file("MEMORY.md")); err != nil || !strings.Contains(string(text), "Use Postgres.") {
			t.Errorf("MEMORY.md: %v\n%s", err, text)
		}
	})
}

func TestBrowserStalePageKeepsTheWords(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newBench(t)
		c := b.dispute("storage.database")
		tab := newTab(b, scripts)
		tab.allow("status of 409")
		tab.visit("/w/" + b.workspace() + "/cases/" + c.ID)
		const words = "\nFirst line,\n\n  <b>second</b> & 理由"
		tab.fill(b.candidate(c, "Use Postgres."), words)
		b.record("storage.database", "Use MySQL.", "01-11")
		b.record("storage.database", "Use Postgres.", "01-11")
		tab.click(submit)
		refusal := tab.see("#refusal")
		if !strings.Contains(refusal, "Not recorded") || strings.Count(refusal, "+ added") != 2 {
			t.Errorf("the page says %q", refusal)
		}
		if got := tab.words(); got != words {
			t.Errorf("the words are %q, want %q", got, words)
		}
		if got, want := tab.choice(), b.candidate(c, "Use Postgres."); got != want {
			t.Errorf("chosen is %q, want %q", got, want)
		}
		if button := tab.see(submit); !strings.Contains(button, "Record against case revision 2") {
			t.Errorf("the button says %q", button)
		}
		tab.focusOn("#refusal")
		tab.click(submit)
		tab.see("#notice")
		if a := b.only(); a.CaseRevision != 2 || a.Rationale != "First line, <b>second</b> & 理由" {
			t.Errorf("on record: %+v", a)
		}
	})
}

func TestBrowserDoubleClickIsOneAct(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newBench(t)
		c := b.dispute("storage.database")
		tab := newTab(b, scripts)
		tab.visit("/w/" + b.workspace() + "/cases/" + c.ID)
		tab.fill(b.candidate(c, "Use Postgres."), "We need extensions.")
		tab.run(chromedp.ScrollIntoView(submit))
		at := ask[[]float64](tab, `(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector("`+string(submit)+`").getBoundingClientRect())`)
		mouse := func(kind input.DispatchMouseEventType, count int) chromedp.Action[chromedp.Void] {
			return chromedp.MouseEvent(kind, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(count))
		}
		down, up := input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased
		tab.run(mouse(down, 1), mouse(up, 1), mouse(down, 2), mouse(up, 2))
		tab.see("#notice")
		if got, want := tab.path(), "/w/"+b.workspace()+"/?decided="; !strings.HasPrefix(got, want) {
			t.Errorf("the reader is at %s, want the desk", got)
		}
		b.only()
		tab.run(chromedp.Reload())
		tab.see("#notice")
		b.only()
	})
}

func TestBrowserSignedOutWordsAreStillThere(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newBench(t)
		c := b.dispute("storage.database")
		tab := newTab(b, scripts)
		tab.allow("status of 401")
		tab.visit("/w/" + b.workspace() + "/cases/" + c.ID)
		const words = "We need\nextensions."
		tab.fill(b.candidate(c, "Use Postgres."), words)
		send(tab, network.ClearBrowserCookies, cdp.Empty{})
		tab.click(submit)
		tab.see("#refusal")
		if got := ask[string](tab, `document.querySelector("#refusal textarea").value`); got != words {
			t.Errorf("the words are %q", got)
		}
		tab.run(chromedp.SendKeys(chromedp.CSS("input[name=token]"), b.server.sessions.token))
		tab.click("form.filter button")
		tab.see("#decision")
		if scripts { // what was typed is still in this browser
			if got := tab.words(); got != words {
				t.Errorf("after signing in the words are %q", got)
			}
		} else {
			tab.fill(b.candidate(c, "Use Postgres."), words)
		}
		tab.click(submit)
		tab.see("#notice")
		b.only()
	})
}

func TestBrowserInvalidFormKeepsEverything(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.dispute("storage.database")
	tab := newTab(b, true)
	tab.allow("status of 422")
	tab.visit("/w/" + b.workspace() + "/cases/" + c.ID)
	words := strings.Repeat("words ", 200)
	tab.click(chromedp.CSS(`input[value="` + b.candidate(c, "Use MySQL.") + `"]`))
	tab.run(chromedp.SetValue(chromedp.CSS("#rationale"), words))
	tab.click(submit)
	tab.see("#refusal")
	if tab.words() != words || tab.choice() != b.candidate(c, "Use MySQL.") {
		t.Errorf("the form holds %q and %q", tab.choice(), tab.words())
	}
	tab.click(`#refusal a[href="#rationale"]`)
	tab.focusOn("#rationale")
	tab.run(chromedp.SetValue(chromedp.CSS("#rationale"), "Short."))
	tab.click(submit)
	tab.see("#notice")
	b.only()
}

func TestBrowserServerGoneLosesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.dispute("storage.database")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	kill := b.serveOn(listener)
	tab := newTab(b, true)
	tab.allow("net::ERR_")
	tab.allow("htmx:sendError") // htmx's lines for no answer
	tab.allow("htmx:afterRequest")
	tab.visit("/w/" + b.workspace() + "/cases/" + c.ID)
	const words = "We need extensions."
	tab.fill(b.candidate(c, "Use Postgres."), words)
	kill()
	tab.click(submit)
	tab.see("#send-fault")
	if got := tab.words(); got != words {
		t.Errorf("the words are %q", got)
	}
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Skipf("the port was taken meanwhile: %v", err)
	}
	b.store, b.engine = openProject(t, b.project, b.clock)
	b.serveOn(listener)
	tab.click(submit)
	tab.see("#notice")
	b.only()
}

func TestBrowserHostileTextIsInert(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, text := range []string{
		`<script>alert(1)</script>`,
		`</textarea><svg onload=alert(1)>`,
		`[x](javascript:alert(1)) ![t](https://evil.example/p) &#106;avascript:`,
		`"><div hx-post=/w/x/distill hx-trigger="load"> <img data-hx-get="//evil.example" src=x onerror=alert(1)>`,
		"## Approved <!-- id=\"main\" \u202e\u200b\U000e0041 \x1b[2J",
		`<style>@import "//evil.example"</style><base href="//evil.example">`,
	} {
		key := "hostile.key-" + itoa(i)
		b.record("", text, "01-01", "01-02")
		b.record("", text+" once", "02-28")
		b.record(key, text, "01-03", "01-04")
		b.record(key, text+" or not", "01-03", "01-04")
	}
	b.distill()
	c := b.read().OpenCases()[0]
	answer := b.post(b.resolveURL(c), b.decide(c, c.Candidates[0].Content, `</textarea><script>alert(1)</script>`))
	if answer.status != http.StatusSeeOther {
		t.Fatal(answer.status)
	}
	tab := newTab(b, true)
	base := "/w/" + b.workspace()
	paths := []string{answer.header.Get("Location"), base + "/", base + "/memory", base + "/timeline", base + "/adjudications",
		base + "/preview", base + "/preview?tab=raw", base + "/preview?tab=context", base + "/cases/" + c.ID,
		base + "/memory/k/" + c.MemoryKey, base + "/adjudications/" + b.only().EventID,
		base + "/timeline?text=%3Cscript%3Ealert(1)%3C/script%3E&key=%22%3E%3Cscript%3E"}
	for _, open := range b.read().OpenCases() {
		paths = append(paths, base+"/cases/"+open.ID, base+"/memory/k/"+open.MemoryKey)
	}
	for _, entry := range b.read().Entries() {
		paths = append(paths, base+"/memory/e/"+entry.Key, base+"/facts/"+entry.EvidenceIDs[0])
	}
	for _, path := range paths {
		tab.visit(path)
		tab.see("#page")
		if n := ask[int](tab, `document.querySelectorAll("#page script, #page svg[onload], #page style, #page base, #page img, #page iframe, #page [hx-trigger=load]").length`); n > 0 {
			t.Errorf("%s: %d elements came out of a fact", path, n)
		}
	}
}
