package web

import (
	"net"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lineDouble: a double click is one act and leads to the success page.
func lineDouble(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
		tab.paste("We need extensions.")
		tab.strike(record)
		tab.recorded(b)
	})
}

// lineEnter: so is Enter, twice.
func lineEnter(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
		tab.paste("We need extensions.")
		ask[bool](tab, `(document.querySelector(`+quoteJS(record)+`).focus(), true)`)
		tab.press(kb.Enter + kb.Enter)
		tab.recorded(b)
	})
}

// recorded expects the success page and one decision more than the example has.
func (t *tab) recorded(b *bench) {
	t.t.Helper()
	if notice := t.see("#notice"); !strings.Contains(notice, "Use Postgres.") {
		t.t.Errorf("the notice says %q", notice)
	}
	if t.count("#refusal") > 0 {
		t.t.Errorf("it was refused as well: %s", t.text("#refusal"))
	}
	if all := b.read().Adjudications(); len(all) != 5 || !strings.Contains(t.text("#notice"), storageKey) {
		t.t.Errorf("%d are on record, want 5", len(all))
	}
}

// lineReload: a reload after success asks nothing and sends nothing.
func lineReload(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
		tab.paste("We need extensions.")
		tab.click(record)
		tab.recorded(b)
		address := tab.path()
		tab.run(chromedp.Reload())
		tab.recorded(b)
		if tab.path() != address {
			t.Errorf("the reload leads to %s", tab.path())
		}
		tab.back() // to the page that the decision was made on
		tab.until(`document.readyState === "complete"`)
		if n := len(b.read().Adjudications()); n != 5 {
			t.Errorf("after going back %d are on record", n)
		}
	})
}

// lineDraft: what was typed and not sent is there in a new tab, and the desk marks it.
func lineDraft(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	c := b.open(storageKey)
	tab.visit(b.casePath(storageKey))
	tab.choose(b.candidate(c, "Use Postgres."))
	tab.see("#rationale")
	tab.run(chromedp.SendKeys(chromedp.CSS("#rationale"), "Half a sentence, 理由"))
	again := tab.sibling()
	again.visit(b.at(""))
	if !again.soon(`/draft/i.test(document.querySelector(` + quoteJS(row(c.ID, "")+`, `+row(c.ID, "a")) + `).closest("li").innerText)`) {
		t.Errorf("the desk does not mark the draft: %s", again.text(row(c.ID, "a")))
	}
	b.move()
	b.distill()
	again.visit(b.at(""))
	moved := row(b.open(storageKey).ID, "a")
	if !again.soon(`document.querySelector(` + quoteJS(moved) + `)?.innerText.includes("draft")`) {
		t.Errorf("after its case moved the desk does not mark the draft: %s", again.text(moved))
	}
	tab.run(chromedp.Navigate("about:blank"))
	c = b.open(storageKey)
	again.visit(b.casePath(storageKey))
	if !again.soon(`document.querySelector("#rationale").value === "Half a sentence, 理由"`) {
		t.Fatalf("the words are %q", again.words())
	}
	if got := again.choice(); got != "" && got != b.candidate(c, "Use Postgres.") {
		t.Errorf("chosen is %q", got)
	}
	again.choose(b.candidate(c, "Use Postgres."))
	again.click(record)
	again.see("#notice")
	again.visit(b.at(""))
	if got := again.text(".desk"); strings.Contains(strings.ToLower(got), "draft") {
		t.Error("the desk marks a draft that was sent")
	}
}

// lineGone: no answer is said where the reader is; nothing is lost, and the button works.
func lineGone(t *testing.T) {
	b := newDemo(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	kill := b.serveOn(listener)
	tab := newTab(b, true)
	for _, line := range []string{"net::ERR_", "htmx:sendError", "htmx:afterRequest"} { // Chromium's line, and htmx's
		tab.allow(line)
	}
	tab.visit(b.casePath(storageKey))
	chosen := b.candidate(b.open(storageKey), "Use Postgres.")
	tab.choose(chosen)
	tab.paste(difficult)
	kill()
	tab.click(record)
	fault := tab.see("#send-fault")
	if !strings.Contains(fault, "Not") || tab.words() != difficult || tab.choice() != chosen {
		t.Errorf("it says %q; the form holds %q and %q", fault, tab.choice(), tab.words())
	}
	tab.until(`!document.querySelector(` + quoteJS(record) + `).disabled`)
	tab.focusOn("#send-fault")
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Skipf("the port was taken meanwhile: %v", err)
	}
	b.openDemo()
	b.serveOn(listener)
	tab.click(record)
	tab.recorded(b)
}
