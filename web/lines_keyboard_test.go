package web

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeyboardClearsTheDesk: a lead decides the whole desk of the example with keys
// alone. One case is behind its facts and is brought up to date on the way.
func TestKeyboardClearsTheDesk(t *testing.T) {
	t.Parallel()
	b := newDemo(t)
	tab := newTabFor(b, true, 2*time.Minute)
	before, waiting := len(b.read().Adjudications()), len(b.read().OpenCases())
	fresh := 0
	for turn := 0; len(b.read().OpenCases()) > 0; turn++ {
		if turn > 2*waiting {
			t.Fatalf("after %d turns %d cases wait", turn, len(b.read().OpenCases()))
		}
		if tab.count("#decision") == 0 {
			tab.press("j")
			tab.press(kb.Enter)
			tab.until(`document.readyState === "complete" && document.querySelector("#decision")`)
		}
		if behind := `form[action$="/refresh"] button`; tab.count(behind) > 0 {
			fresh++
			at := tab.path()
			tab.tabTo(behind)
			tab.press(kb.Enter)
			tab.until(`document.readyState === "complete" && document.querySelector("#decision") && location.pathname + location.search !== ` + quoteJS(at))
		}
		key := tab.text("h1")
		tab.press(itoa(2)) // the first challenger, or the second where nothing is in force
		if tab.choice() == "" {
			t.Fatalf("%s: nothing is chosen by a key; the focus is on %s", key, tab.focus())
		}
		tab.press("r")
		tab.press(fmt.Sprintf("Decided with keys alone: %s.", key))
		tab.tabTo(record)
		done := len(b.read().Adjudications())
		was := tab.path()
		tab.press(kb.Enter)
		tab.until(`document.readyState === "complete" && document.querySelector("#notice") && location.pathname + location.search !== ` + quoteJS(was))
		if now := len(b.read().Adjudications()); now != done+1 {
			t.Fatalf("%s: %d are on record, want %d: %s", key, now, done+1, tab.text("#page"))
		}
	}
	if fresh == 0 {
		t.Error("no case had to be brought up to date: the example is another")
	}
	if got := len(b.read().Adjudications()) - before; got != waiting {
		t.Errorf("%d decisions for %d cases", got, waiting)
	}
	tab.arrive(b.at(""))
	if got := tab.text("#page"); !strings.Contains(got, "Nothing waits") {
		t.Errorf("the desk says %q", got)
	}
	if text := b.onDisk("MEMORY.md"); text != b.read().Rendered() {
		t.Error("MEMORY.md is not what the decisions make of it")
	}
}

// TestKeyboardWithoutScripts: tabs, arrows, space and Enter are enough where no key of
// ours works.
func TestKeyboardWithoutScripts(t *testing.T) {
	t.Parallel()
	b := newDemo(t)
	tab := newTab(b, false)
	tab.tabTo(row(b.open(storageKey).ID, "a"))
	tab.press(kb.Enter)
	tab.see("#decision")
	tab.tabTo(`input[name=candidate]`)
	tab.press(kb.ArrowDown)
	if got, want := tab.choice(), ask[string](tab, `document.querySelectorAll("input[name=candidate]")[1].value`); got != want {
		t.Fatalf("chosen is %q, want the second", got)
	}
	tab.tabTo("#rationale")
	tab.press("Decided with keys alone.")
	tab.tabTo(record)
	tab.press(kb.Enter)
	tab.see("#notice")
	if all := b.read().Adjudications(); len(all) != 5 || all[4].Rationale != "Decided with keys alone." {
		t.Errorf("on record: %+v", all)
	}
}

// tabTo presses Tab until an element has the focus.
func (t *tab) tabTo(selector string) {
	t.t.Helper()
	for range 150 {
		if ask[bool](t, `document.activeElement.matches(`+quoteJS(selector)+`)`) {
			return
		}
		t.press(kb.Tab)
	}
	t.t.Fatalf("at %s Tab does not get to %s", t.path(), selector)
}

// TestTwoBrowsersRace: two readers send their decisions on one case at the same time.
// One is recorded; the other gets every word back, byte for byte.
func TestTwoBrowsersRace(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		c := b.open(storageKey)
		theirs := b.as("payments lead")
		tabs := []*tab{newTab(b, scripts), newTab(theirs, scripts)}
		words := []string{difficult + "一 ", difficult + "two\n "}
		for i, tab := range tabs {
			tab.allow("status of 409")
			tab.visit(b.casePath(storageKey))
			tab.choose(b.candidate(c, []string{"Use Postgres.", "Use MySQL."}[i]))
			tab.paste(words[i])
			tab.run(chromedp.ScrollIntoView(chromedp.CSS(record)))
		}
		var wait sync.WaitGroup
		errs := make([]error, len(tabs))
		for i, tab := range tabs {
			wait.Go(func() { errs[i] = chromedp.Do(tab.ctx, chromedp.Click(chromedp.CSS(record))) })
		}
		wait.Wait()
		var won, lost []int
		for i, tab := range tabs {
			if errs[i] != nil {
				t.Fatal(errs[i])
			}
			tab.until(`document.readyState === "complete" && document.querySelector("#notice, #refusal")`)
			if tab.count("#refusal") > 0 {
				lost = append(lost, i)
			} else {
				won = append(won, i)
			}
		}
		if len(won) != 1 || len(lost) != 1 {
			t.Fatalf("%d were recorded, %d refused", len(won), len(lost))
		}
		if got, want := tabs[lost[0]].kept(), words[lost[0]]; got != want {
			t.Errorf("the loser's words are\n%q, want\n%q", got, want)
		}
		all := b.read().Adjudications()
		if winner := []string{"team lead", "payments lead"}[won[0]]; len(all) != 5 || all[4].Actor != winner {
			t.Errorf("on record: %d, the last by %q, want %q", len(all), all[4].Actor, winner)
		}
		content, err := os.ReadFile(b.file("MEMORY.md"))
		if want := []string{"Use Postgres.", "Use MySQL."}[won[0]]; err != nil || !strings.Contains(string(content), want) {
			t.Errorf("MEMORY.md lacks %q (%v)", want, err)
		}
	})
}

// lineKeys: j and k move the focus itself, Enter opens, u goes back, / searches, ? lists.
func lineKeys(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	rows := tab.rows()
	focused := func() string {
		return ask[string](tab, `document.activeElement.querySelector(".key")?.textContent.trim() || ""`)
	}
	for i, step := range []struct {
		key string
		row int
	}{{"j", 0}, {"j", 1}, {"j", 2}, {"k", 1}, {"k", 0}, {"k", 0}, {"j", 1}} {
		tab.press(step.key)
		if got := focused(); got != rows[step.row] {
			t.Fatalf("step %d, %s: the focus is on %q, want %q", i, step.key, got, rows[step.row])
		}
	}
	tab.press(kb.Enter)
	tab.see("#decision")
	if got := tab.text("h1"); got != rows[1] {
		t.Errorf("Enter opened %q", got)
	}
	tab.press("u")
	tab.arrive(b.at(""))
	tab.until(`document.querySelector(".desk")`)
	tab.press("/")
	tab.press("log")
	if got := ask[string](tab, `document.querySelector("#page input[type=search]").value`); got != "log" {
		t.Errorf("/ and letters give %q", got)
	}
	ask[bool](tab, `(document.activeElement.blur(), true)`)
	tab.press("?")
	help := tab.see("dialog[open]")
	for _, key := range []string{"j", "k", "Enter", "u", "/", "?"} {
		if !slices.Contains(strings.Fields(help), key) {
			t.Errorf("the list of keys lacks %q:\n%s", key, help)
		}
	}
	tab.press(kb.Escape)
	tab.until(`!document.querySelector("dialog[open]")`)
}

// lineKeysOff: keys mean letters in fields, do nothing with modifiers, and can be turned
// off for good.
func lineKeysOff(t *testing.T) {
	b := newDemo(t)
	readers := map[string]*tab{"the same browser": newTab(b, true), "a fresh profile": newTab(b, true)}
	tab, fresh := readers["the same browser"], readers["a fresh profile"]
	tab.run(chromedp.SendKeys(chromedp.CSS("#page input[type=search]"), "jk?/um"))
	if got := ask[string](tab, `document.activeElement.value`); got != "jk?/um" {
		t.Errorf("the field holds %q", got)
	}
	ask[bool](tab, `(document.activeElement.blur(), true)`)
	for name, modifier := range map[string]chromedp.Modifier{"Ctrl": chromedp.ModifierCtrl, "Alt": chromedp.ModifierAlt, "Meta": chromedp.ModifierMeta} {
		tab.press("j", modifier)
		tab.press("?", modifier)
		if got := tab.focus(); got != "body" || tab.count("dialog[open]") > 0 {
			t.Errorf("with %s the keys do something: the focus is on %s", name, got)
		}
	}
	tab.visit(b.casePath(storageKey))
	tab.run(chromedp.SendKeys(chromedp.CSS("#rationale"), "jk u?"))
	if got := tab.words(); got != "jk u?" || tab.choice() != "" {
		t.Errorf("the reason holds %q, chosen is %q", got, tab.choice())
	}
	tab.visit(b.at(""))
	tab.press("?")
	tab.see("dialog[open]")
	tab.click(`dialog button[name=keys][value=off]`)
	tab.until(`document.readyState === "complete" && document.body.dataset.keys === "off"`)
	for who, page := range readers {
		page.visit(b.at(""))
		page.press("j")
		page.press("?")
		if got := page.focus(); got != "body" || page.count("dialog[open]") > 0 {
			t.Errorf("%s: turned off, the keys do something: the focus is on %s", who, got)
		}
	}
	fresh.click(`button[name=keys][value=on]`)
	fresh.until(`document.readyState === "complete" && document.body.dataset.keys !== "off"`)
}
