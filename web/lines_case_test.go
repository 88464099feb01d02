package web

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A box is where an element is on the page.
type box struct{ X, Y, Width, Height float64 }

// boxes are where the elements are that a selector finds; what is not shown is left out.
func (t *tab) boxes(selector string) []box {
	t.t.Helper()
	return ask[[]box](t, `Array.from(document.querySelectorAll(`+quoteJS(selector)+`)).filter(e => e.checkVisibility()).
		map(e => e.getBoundingClientRect()).map(r => ({X: r.x + scrollX, Y: r.y + scrollY, Width: r.width, Height: r.height}))`)
}

// shown reports whether words stand on the page where a reader sees them: not in a part
// that is folded away.
func (t *tab) shown(words string) bool {
	t.t.Helper()
	return ask[bool](t, seen+`.includes(`+quoteJS(words)+`)`)
}

// seen is the text of the page that a reader sees, its spaces made one.
const seen = `(() => { const walk = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT); let text = "";
	while (walk.nextNode()) if (walk.currentNode.parentElement.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})) text += walk.currentNode.data;
	return text.replace(/\s+/g, " ") })()`

// lineVisible: what is in force, what challenges it and what was before are side by side
// at 1100 px and stacked at 320 px, and nothing scrolls sideways.
func lineVisible(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.size(1100, 800)
		tab.visit(b.casePath(storageKey))
		cards := tab.boxes(".cards .card")
		if len(cards) != 3 || cards[0].Y != cards[1].Y || cards[1].Y != cards[2].Y {
			t.Errorf("at 1100 px the cards are at %v", cards)
		}
		if got := tab.text(".cards .card:first-child"); !strings.Contains(got, "in force") || !strings.Contains(got, "Use SQLite.") {
			t.Errorf("the first card says %q", got)
		}
		for _, words := range []string{"Use SQLite.", "Use Postgres.", "Use MySQL.", "Use flat files, one a customer."} {
			if !tab.shown(words) {
				t.Errorf("at 1100 px %q is not there to see", words)
			}
		}
		tab.size(320, 640)
		cards = tab.boxes(".cards .card")
		if len(cards) != 3 || cards[0].X != cards[1].X || cards[1].Y < cards[0].Y+cards[0].Height || cards[2].Y < cards[1].Y+cards[1].Height {
			t.Errorf("at 320 px the cards are at %v", cards)
		}
		paths := []string{b.at(""), b.at("memory/k/" + storageKey), b.at("facts/" + b.read().FactsOf(storageKey)[0].ID)}
		for _, c := range b.read().OpenCases() {
			paths = append(paths, b.at("cases/"+c.ID))
		}
		for _, path := range paths {
			tab.visit(path)
			if width := ask[int](tab, "document.documentElement.scrollWidth"); width > 320 {
				t.Errorf("%s is %d px wide at 320", path, width)
			}
		}
	})
}

// lineDifferences: words that differ are told by element and sign, not by colour alone;
// Chinese differs by character.
func lineDifferences(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		differences := func(path string) (added, removed []string) {
			tab.visit(path)
			for _, kind := range []struct {
				tag, sign, line string
			}{{"ins", "+", "underline"}, {"del", "−", "line-through"}} {
				// The sign is a reader's too who hears the page, or sees no colour.
				if n := ask[int](tab, fmt.Sprintf(`Array.from(document.querySelectorAll("#page %[1]s")).filter(e => e.checkVisibility() &&
					!(getComputedStyle(e).textDecorationLine.includes(%[3]q) &&
					[getComputedStyle(e, "::before").content, getComputedStyle(e, "::after").content, e.textContent, e.closest("li, tr, p, div")?.innerText].
						some(s => s && (s.includes(%[2]q) || %[2]q === "−" && s.includes("-"))))).length`, kind.tag, kind.sign, kind.line)); n > 0 {
					t.Errorf("%s: %d %s without a line or the sign %s", path, n, kind.tag, kind.sign)
				}
			}
			const texts = `Array.from(document.querySelectorAll("#page %s")).map(e => e.innerText.replace(/^[+−-]\s*/, "").trim())`
			return ask[[]string](tab, fmt.Sprintf(texts, "ins")), ask[[]string](tab, fmt.Sprintf(texts, "del"))
		}
		if added, _ := differences(b.casePath(storageKey)); !slices.Contains(added, "Postgres") || !slices.Contains(added, "MySQL") {
			t.Errorf("words added: %q", added)
		}
		added, _ := differences(b.casePath(longKey))
		if !slices.Contains(added, "按需") {
			t.Errorf("characters added: %q", added)
		}
		added, removed := differences(b.at("memory/k/" + storageKey))
		if !slices.Contains(added, "SQLite") || !slices.Contains(removed, "flat files, one a customer") {
			t.Errorf("the chain has added %q, removed %q", added, removed)
		}
	})
}

// lineFolds: long text is folded with details, and what is equal says so.
func lineFolds(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.size(1280, 800)
		tab.visit(b.casePath(longKey))
		const end = "也不合并成一次大发布"
		if tab.shown(end) {
			t.Error("the long text is whole on the page before it is opened")
		}
		if heights := tab.boxes(".cards .card"); heights[0].Height > 500 {
			t.Errorf("the cards are %v px high", heights[0].Height)
		}
		tab.click(".cards details:not([open]) > summary")
		if !tab.soon(seen + `.includes("` + end + `")`) {
			t.Error("opened, the long text is not whole")
		}
		if got := tab.choice(); got != "" {
			t.Errorf("opening the text chose %s", got)
		}
	})
	tab := newTab(b, true)
	tab.visit(b.casePath(storageKey) + "?from=2&to=2")
	if !tab.shown("No difference") {
		t.Error("a case revision compared with itself does not say that there is no difference")
	}
}

// lineChallenger: who says the same is one challenger, and all of them are named.
func lineChallenger(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		if n := tab.count(".cards .card"); n != 3 {
			t.Errorf("%d cards, want 3", n)
		}
		cards := ask[[]string](tab, `Array.from(document.querySelectorAll(".cards .card"), e => e.innerText.replace(/\s+/g, " "))`)
		for i, words := range [][]string{{"agent", "user"}, {"migration-tool", "user"}, {"as “use mysql.”", "ops/notes.md:88", "ops/迁移.md:3"}} {
			for _, word := range words {
				if !strings.Contains(cards[i], word) {
					t.Errorf("card %d does not name %q: %s", i, word, cards[i])
				}
			}
		}
	})
}

// lineEvidence: each item says who, when and where, has an anchor, and is lit up by it.
func lineEvidence(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		c := b.open(storageKey)
		ids := ask[[]string](tab, `Array.from(document.querySelectorAll(".cards .evidence li"), e => e.id)`)
		n := 0
		for _, candidate := range c.Candidates {
			n += len(candidate.EvidenceIDs)
			for _, id := range candidate.EvidenceIDs {
				fact, _ := b.read().Fact(id)
				item := `.cards .evidence li:has(a[href*="` + id + `"])`
				text := strings.Join(strings.Fields(tab.text(item)), " ") + ask[string](tab, "document.querySelector("+quoteJS(item+" a")+").title")
				wants := []string{fact.Source, fact.RecordedAt.Format("2006-01-02 15:04"), "daily/" + fact.RecordedAt.Format(time.DateOnly) + ".jsonl:"}
				if file := fact.Evidence["file"]; file != "" {
					wants = append(wants, file)
				}
				for _, want := range wants {
					if !strings.Contains(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(want, " ", "")) {
						t.Errorf("%s does not say %q: %s", id, want, text)
					}
				}
			}
		}
		if len(ids) != n || slices.Contains(ids, "") || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != n {
			t.Fatalf("the anchors are %q", ids)
		}
		const ground = `getComputedStyle(document.getElementById(%s)).backgroundColor`
		plain := ask[string](tab, fmt.Sprintf(ground, quoteJS(ids[2])))
		tab.visit(b.casePath(storageKey) + "#" + ids[2])
		if lit := ask[string](tab, fmt.Sprintf(ground, quoteJS(ids[2]))); lit == plain {
			t.Errorf("%s is %s with and without its anchor in the address", ids[2], lit)
		}
	})
}

// lineSince: the difference between what the reader saw and what is, with both in the
// address, so that it can be shown to another.
func lineSince(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.visit(b.casePath(storageKey))
		tab.click(`button[formaction$="/seen"]`)
		tab.see("#notice")
		b.move()
		b.distill()
		tab.visit(b.casePath(storageKey))
		if got := strings.ToLower(tab.text("#page")); !strings.Contains(got, "since you looked") || !strings.Contains(got, "revision 2 → 3") {
			t.Fatalf("the case does not say “Since you looked (revision 2 → 3)”")
		}
		compare := ask[string](tab, `document.querySelector("#page a[href*='from=2'][href*='to=3']")?.getAttribute("href") || ""`)
		if compare == "" {
			t.Fatal("no address holds both bounds")
		}
		other := newTab(b.as("payments lead"), scripts)
		other.visit(compare)
		text := strings.Join(strings.Fields(other.text("#page")), " ")
		for _, words := range []string{"revision 2 → 3", "added", "2026-10-17", "migration-tool"} {
			if !strings.Contains(text, words) {
				t.Errorf("another reader's %s does not say %q", compare, words)
			}
		}
	})
}

// hasten makes the waits of a page's scripts a hundredth of what they ask for, and keeps
// what they asked for in window.waits.
const hasten = `(function () {
	const later = window.setTimeout, again = window.setInterval;
	window.waits = [];
	window.setTimeout = function (f, ms, ...more) { window.waits.push(ms || 0); return later(f, (ms || 0) / 100, ...more); };
	window.setInterval = function (f, ms, ...more) { window.waits.push(ms || 0); return again(f, Math.max((ms || 0) / 100, 50), ...more); };
})()`

// lineBanner: a newer revision is said politely within 30 s, and nothing moves. So is what
// comes after it, once each.
func lineBanner(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	tab.size(1280, 500)
	tab.spoilt = true
	send(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hasten})
	tab.visit(b.casePath(storageKey))
	tab.run(chromedp.SendKeys(chromedp.CSS("#rationale"), "Half a"))
	if n := ask[int](tab, `performance.getEntriesByType("resource").filter(e => e.initiatorType === "eventsource").length`); n > 0 {
		t.Error("the page keeps a connection open")
	}
	const newer = `/(newer|moved|changed|new) .*revision|revision \d+ .*(newer|is here|exists)/i.test(Array.from(document.querySelectorAll("#page [role=status], #page .newer, #newer, #poll, #live")).map(e => e.textContent).join(" "))`
	tab.until(`window.waits.some(ms => ms >= 1000 && ms <= 30000)`)
	if ask[bool](tab, newer) {
		t.Fatal("it is said before there is one")
	}
	was, scrolled := tab.boxes("#rationale"), ask[float64](tab, "scrollY")
	b.move()
	b.distill()
	if !tab.soon(newer) {
		t.Fatalf("it is not said; the scripts waited %v ms", ask[[]float64](tab, "window.waits.slice(-20)"))
	}
	if now := tab.boxes("#rationale"); len(now) != 1 || math.Abs(now[0].Y-was[0].Y) > 1 || ask[float64](tab, "scrollY") != scrolled {
		t.Errorf("the reason moved from %v to %v", was, now)
	}
	if tab.words() != "Half a" || tab.focus() != "#rationale" {
		t.Errorf("the reason holds %q, the focus is on %s", tab.words(), tab.focus())
	}
	tab.press(" sentence")
	if got := tab.words(); got != "Half a sentence" {
		t.Errorf("the reason holds %q", got)
	}
	ask[bool](tab, `(window.said = [], new MutationObserver(() => said.push(document.querySelector("#live").textContent)).
		observe(document.querySelector("#live"), {childList: true}), document.querySelector("#newer a").focus(), true)`)
	b.resolveAs("payments lead", b.open(storageKey), "Use Postgres.", "Extensions.")
	if !tab.soon(`/was decided/.test(document.querySelector("#newer").textContent) && said.some(words => /was decided/.test(words))`) {
		t.Fatalf("after it was decided the page says %q", tab.text("#newer"))
	}
	asked := ask[int](tab, `performance.getEntriesByType("resource").filter(e => e.name.includes("/newer")).length`)
	tab.until(fmt.Sprintf(`performance.getEntriesByType("resource").filter(e => e.name.includes("/newer")).length > %d`, asked+1))
	if said := ask[[]string](tab, `said.filter(words => words !== "")`); len(said) != 1 {
		t.Errorf("it is said %d times: %q", len(said), said)
	}
	if now := tab.boxes("#rationale"); math.Abs(now[0].Y-was[0].Y) > 1 || !ask[bool](tab, `document.activeElement.matches("#newer a")`) {
		t.Errorf("the reason moved from %v to %v, the focus to %s", was, now, tab.focus())
	}
}

// lineReadOnly: an old revision has its address, no form, and a way to the current one.
func lineReadOnly(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		old, now := b.superseded(supersedKey), b.open(supersedKey)
		tab.visit(b.at("cases/" + old.ID))
		if got := strings.ToLower(tab.text("#page")); !strings.Contains(got, "not current") {
			t.Error("it does not say that it is not current")
		}
		if n := tab.count("#page textarea, #page input[type=radio], #decision"); n > 0 {
			t.Errorf("%d fields can be filled in", n)
		}
		tab.click(chromedp.CSS(`#page a[href*="` + now.ID + `"]`))
		tab.see("#decision")
	})
}

// lineInvisible: what cannot be seen is shown, and foreign text is kept to itself.
func lineInvisible(t *testing.T) {
	b := newBench(t)
	b.record(storageKey, "Use Postgres.", "01-10", "01-11")
	b.record(storageKey, "Use Рostgres.", "01-10", "01-11") // the first letter is Cyrillic
	b.record(storageKey, "Use\u200b Postgres\u202e.", "01-10", "01-11")
	b.distill()
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		c := b.open(storageKey)
		for _, path := range []string{b.at(""), b.at("cases/" + c.ID), b.at("timeline"), b.at("memory/k/" + storageKey)} {
			tab.visit(path)
			text := tab.text("#page")
			if strings.ContainsAny(text, "\u200b\u202e") {
				t.Errorf("%s: characters that cannot be seen stand bare in the text", path)
			}
			for _, name := range []string{"200B", "202E"} {
				if !strings.Contains(text, name) {
					t.Errorf("%s: U+%s is not shown", path, name)
				}
			}
			if n := ask[int](tab, `Array.from(document.querySelectorAll(".card .value, .desk .values, .evidence")).filter(e => /ostgres/.test(e.textContent) && !e.querySelector("bdi")).length`); n > 0 {
				t.Errorf("%s: %d texts are not isolated", path, n)
			}
		}
		tab.visit(b.at("cases/" + c.ID))
		cyrillic := ask[string](tab, `Array.from(document.querySelectorAll(".card")).find(e => e.querySelector(".value").textContent.includes("\u0420"))?.innerHTML || ""`)
		if !strings.Contains(cyrillic, "0420") && !strings.Contains(strings.ToLower(cyrillic), "cyrillic") {
			t.Errorf("the Cyrillic letter that looks like a P is not marked: %s", cyrillic)
		}
	})
}
