package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// lineGroups: each reader has groups of their own, and a case that changes leaves Seen.
func lineGroups(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		other := b.as("payments lead")
		tab := newTab(b, scripts)
		c := b.open(storageKey)
		tab.visit(b.casePath(storageKey))
		tab.visit(b.at(""))
		if got := tab.group(storageKey); !strings.HasPrefix(got, "Changed since you looked · 2") { // they decided it once
			t.Errorf("opening a page marked it: it is in %q", got)
		}
		tab.visit(b.casePath(storageKey))
		tab.click(`button[formaction$="/seen"]`)
		tab.see("#notice")
		tab.visit(b.at(""))
		if got := tab.group(storageKey); !strings.HasPrefix(got, "Seen · 1") {
			t.Errorf("after it was seen it is in %q", got)
		}
		theirs := newTab(other, scripts)
		if got := theirs.group(storageKey); !strings.HasPrefix(got, "New · 12") {
			t.Errorf("for another reader it is in %q", got)
		}
		b.move()
		b.distill()
		if b.open(storageKey).ID == c.ID {
			t.Fatal("the case did not change")
		}
		tab.visit(b.at(""))
		if got := tab.group(storageKey); !strings.HasPrefix(got, "Changed since you looked · 2") {
			t.Errorf("after it changed it is in %q", got)
		}
		if got := tab.text(row(b.open(storageKey).ID, ".values")); !strings.Contains(got, "+2 facts") {
			t.Errorf("its row says %q", got)
		}
	})
}

// group is the heading above the row of a key.
func (t *tab) group(key string) string {
	t.t.Helper()
	return ask[string](t, `(Array.from(document.querySelectorAll(".desk .key")).find(e => e.textContent.trim() === `+quoteJS(key)+`)?.closest("section")?.querySelector("h2")?.innerText) || ""`)
}

// lineAside: set aside is still open, last, with its reason, and comes back.
func lineAside(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		c := b.open(storageKey)
		tab.visit(b.casePath(storageKey))
		tab.run(chromedp.SendKeys(chromedp.CSS(`form[action$="/aside"] input[name=reason]`), "ask <ops> first"))
		tab.click(`form[action$="/aside"] button:not([formaction])`)
		tab.see("#notice")
		tab.visit(b.at(""))
		rows := tab.rows()
		if len(rows) != 12 || rows[11] != storageKey || !strings.HasPrefix(tab.group(storageKey), "Set aside · 1") {
			t.Errorf("the desk lists %q, %s in %q", rows, storageKey, tab.group(storageKey))
		}
		if got := tab.text(row(c.ID, ".values")); !strings.Contains(got, "ask <ops> first") {
			t.Errorf("its row says %q", got)
		}
		if open := b.open(storageKey); open.ID != c.ID {
			t.Error("the case is another")
		}
		tab.visit(b.casePath(storageKey))
		tab.click(`form[action$="/unaside"] button`)
		tab.see("#notice")
		tab.visit(b.at(""))
		if got := tab.group(storageKey); strings.HasPrefix(got, "Set aside") {
			t.Errorf("put back, it is in %q", got)
		}
		tab.visit(b.casePath(storageKey)) // without a reason
		tab.click(`form[action$="/aside"] button:not([formaction])`)
		tab.see("#notice")
		tab.visit(b.at(""))
		if got := tab.group(storageKey); !strings.HasPrefix(got, "Set aside") {
			t.Errorf("without a reason it is in %q", got)
		}
	})
}

// lineBulk: rows are marked together, and told one by one; no decision is.
func lineBulk(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		for _, value := range ask[[]string](tab, `Array.from(document.querySelectorAll('[form=marks][type=submit], #marks [type=submit]'), e => e.value)`) {
			if !slices.Contains([]string{"seen", "aside", "back"}, value) {
				t.Errorf("the rows can be given %q", value)
			}
		}
		moved := b.open(storageKey)
		for _, key := range []string{storageKey, twoKey, longKey} {
			tab.click(chromedp.CSS(row(b.open(key).ID, "input[type=checkbox]")))
		}
		b.move()
		b.distill()
		tab.click(`button[form=marks][value=seen]`)
		notice := strings.Join(strings.Fields(tab.see("#notice")), " ")
		for _, words := range []string{"2 of 3 marked as seen", twoKey + " done", longKey + " done", storageKey + " changed meanwhile, not marked"} {
			if !strings.Contains(notice, words) {
				t.Errorf("the notice does not say %q: %s", words, notice)
			}
		}
		tab.visit(b.at(""))
		if got := tab.group(twoKey); !strings.HasPrefix(got, "Seen · 2") {
			t.Errorf("%s is in %q", twoKey, got)
		}
		if got := tab.group(storageKey); strings.HasPrefix(got, "Seen") {
			t.Errorf("what moved from %s is in %q", moved.ID, got)
		}
		tab.click(chromedp.CSS(row(b.open(twoKey).ID, "input[type=checkbox]")))
		tab.run(chromedp.SendKeys(chromedp.CSS("input[form=marks][name=reason]"), "after the release"))
		tab.click(`button[form=marks][value=aside]`)
		tab.see("#notice")
		if got := tab.text(row(b.open(twoKey).ID, ".values")); !strings.Contains(got, "after the release") {
			t.Errorf("its row says %q", got)
		}
		if n := len(b.read().Adjudications()); n != 4 {
			t.Errorf("%d decisions are on record, want the 4 there were", n)
		}
	})
}
