package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pages is one address of each kind in the worked example.
func (b *bench) pages() map[string]string {
	b.t.Helper()
	state := b.read()
	entry, _ := state.Active(storageKey)
	decided := state.Adjudications()[0]
	return map[string]string{
		"desk": b.at(""), "case": b.casePath(storageKey), "four": b.casePath(fourKey), "decided": b.at("cases/" + decided.ConflictID),
		"superseded": b.at("cases/" + b.superseded(supersedKey).ID), "memory": b.at("memory"), "domain": b.at("memory/k/" + storageKey),
		"entry": b.at("memory/e/" + entry.Key), "timeline": b.at("timeline"), "fact": b.at("facts/" + entry.EvidenceIDs[0]),
		"adjudications": b.at("adjudications"), "adjudication": b.at("adjudications/" + decided.EventID), "preview": b.at("preview"),
		"raw": b.at("preview?tab=raw"), "context": b.at("preview?tab=context"), "forecast": b.at("forecast"), "health": b.at("health"),
	}
}

// lineAxe: a page that htmx put together is as good as one that was loaded.
func lineAxe(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	tab.allow("status of 422")
	tab.visit(b.casePath(storageKey))
	tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
	tab.paste("We need extensions.")
	tab.settle()
	if found := tab.axe(axeAll); len(found.Violations) > 0 {
		t.Errorf("a choice made:%s", found)
	}
	tab.leniently()
	ask[bool](tab, `(document.querySelector("#rationale").value = " ", true)`)
	tab.click(record)
	tab.see("#refusal")
	if found := tab.axe(axeAll); len(found.Violations) > 0 {
		t.Errorf("after a swap:%s", found)
	}
}

// lineEveryPage: on every page a relative time has the absolute one in its title, and
// where the keyboard gets to; there is one live region; the title is the page's own; and
// the browser has nothing to say. The audit says the absolute time first.
func lineEveryPage(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.click(`form[action$="/distill"] button`)
		tab.see("#notice")
		titles := map[string]string{}
		for name, path := range b.pages() {
			tab.visit(path)
			if bad := ask[[]string](tab, bareTimes); len(bad) > 0 {
				t.Errorf("%s: times without the absolute one, or out of the keyboard's reach: %q", name, bad)
			}
			if n := tab.count(`[aria-live]:not([aria-live=off]), [role=status]:not([aria-live]), [role=alert]:not([aria-live]), [role=log]:not([aria-live])`); n != 1 {
				t.Errorf("%s has %d live regions", name, n)
			}
			title := ask[string](tab, "document.title")
			if other, ok := titles[title]; ok && !previews(name, other) {
				t.Errorf("%s and %s are both %q", name, other, title)
			}
			titles[title] = name
			if !strings.HasSuffix(title, " · Docket") {
				t.Errorf("%s is %q", name, title)
			}
		}
		if want := storageKey + " · open · Docket"; titles[want] == "" {
			t.Errorf("no page is %q", want)
		}
		tab.visit(b.at("adjudications"))
		if got := tab.text("#page tbody tr"); got == "" || !strings.HasPrefix(strings.TrimSpace(got), "2026-") {
			t.Errorf("a line of the audit begins with %q", got)
		}
	})
}

// bareTimes are the relative times that lack something.
const bareTimes = `Array.from(document.querySelectorAll("#page time, .rail time")).filter(e => e.checkVisibility()).filter(e => {
				const absolute = /\d{4}-\d\d-\d\d/;
				if (absolute.test(e.innerText) || /^\d\d:\d\d/.test(e.innerText)) return false;
				return !absolute.test(e.title) || !e.dateTime || !(e.closest("a, button, summary, [tabindex='0']") || /\d{4}-\d\d-\d\d/.test(e.textContent));
			}).map(e => e.parentElement.innerHTML.slice(0, 160))`

// lineCopy: an id can be copied, which is said, and selected without scripts.
func lineCopy(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	tab.spoilt = true
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(tab.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: cdpbrowser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(tab.ctx).BrowserContextID,
		}); err != nil {
			t.Fatal(err)
		}
	}
	plain := newTab(b, false)
	pages := b.pages()
	for name, ids := range map[string][]string{
		"case": {b.open(storageKey).ID}, "decided": {b.read().Adjudications()[0].ConflictID},
		"fact": {strings.TrimPrefix(pages["fact"], b.at("facts/"))}, "entry": {strings.TrimPrefix(pages["entry"], b.at("memory/e/"))},
		"adjudication": {b.read().Adjudications()[0].EventID}, "domain": nil,
	} {
		tab.visit(pages[name])
		for _, id := range ids {
			button := chromedp.CSS(`#page button[data-copy="` + id + `"]`)
			if tab.count(string(button)) == 0 {
				t.Errorf("%s: %s has no button that copies it", name, id)
				continue
			}
			tab.click(button)
			tab.until(`/copied/i.test(document.querySelector("#live").textContent)`)
			if got, err := chromedp.Run(tab.ctx, chromedp.Evaluate[string](`navigator.clipboard.readText()`, chromedp.EvalAwaitPromise)); err != nil || got != id {
				t.Errorf("%s: copied is %q, want %q (%v)", name, got, id, err)
			}
		}
		plain.visit(pages[name])
		if n := ask[int](plain, `Array.from(document.querySelectorAll("#page button[data-copy]")).filter(e => e.checkVisibility()).length`); n > 0 {
			t.Errorf("%s: without scripts %d buttons do nothing", name, n)
		}
		if n := ask[int](plain, `Array.from(document.querySelectorAll("#page *")).filter(e => getComputedStyle(e).userSelect === "none").length`); n > 0 {
			t.Errorf("%s: %d elements cannot be selected", name, n)
		}
	}
}

// lineFocus: after a swap the focus is on the result, and the live region says so.
func lineFocus(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	tab.allow("status of 422")
	tab.visit(b.at(""))
	tab.click(`form[action$="/distill"] button`)
	tab.see("#notice")
	tab.until(`document.activeElement.id === "notice"`)
	tab.until(`document.querySelector("#live").textContent.trim() !== ""`)
	tab.visit(b.casePath(storageKey))
	tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
	if got := tab.focus(); got == "body" {
		t.Error("choosing leaves the focus on the body")
	}
	tab.paste("x")
	tab.settleQuietly()
	tab.focusOn("#rationale")
	tab.leniently()
	ask[bool](tab, `(document.querySelector("#rationale").value = " ", true)`)
	tab.click(record)
	tab.see("#refusal")
	tab.until(`document.activeElement.id === "refusal"`)
	if said := ask[string](tab, `document.querySelector("#refusal h2").textContent.trim()`); !tab.soon(`document.querySelector("#live").textContent.trim() === ` + quoteJS(said)) {
		t.Errorf("the live region says %q, want %q", tab.text("#live"), said)
	}
}

// lineNotice: after a form that the browser sent by itself the focus is on the result too,
// it is said, and the keys go on from the row after the last that was marked.
func lineNotice(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	heard := func(title string) {
		t.Helper()
		tab.focusOn("#notice")
		if !tab.soon(`document.querySelector("#live").textContent.trim() === ` + quoteJS(title)) {
			t.Errorf("the live region says %q, want %q", tab.text("#live"), title)
		}
	}
	at := func() string {
		return ask[string](tab, `document.activeElement.querySelector(".key")?.textContent.trim() || ""`)
	}
	rows := tab.rows()
	for _, step := range []struct{ mark, key, row string }{
		{"jjjjxm", "j", rows[4]}, // 0 to 3 are passed, 3 is marked
		{"jxm", "k", rows[4]},    // from 4 to 5, which is marked; 6 is next and 4 before it
	} {
		tab.press(step.mark)
		tab.until(`document.readyState === "complete" && document.querySelector("#notice")`)
		heard("1 case marked as seen")
		tab.press(step.key)
		if got := at(); got != step.row {
			t.Errorf("after %s, %s goes to %q, want %q", step.mark, step.key, got, step.row)
		}
		ask[bool](tab, `(document.querySelector("#notice").remove(), true)`)
	}
	address := tab.path()
	tab.press(kb.Enter)
	tab.see("#decision")
	tab.back()
	tab.arrive(address)
	tab.until(fmt.Sprintf("document.activeElement.closest('.desk li')?.querySelector('.key').textContent === %q", rows[4]))

	tab.visit(b.casePath(storageKey))
	tab.click(`form[action$="/aside"] button:not([formaction])`)
	tab.until(`document.readyState === "complete" && document.querySelector("#notice")`)
	heard("1 case set aside")
}

// settleQuietly waits until no request is under way.
func (t *tab) settleQuietly() {
	t.t.Helper()
	t.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
}

// lineHeader: what has the focus is never under a header.
func lineHeader(t *testing.T) {
	b := newDemo(t)
	tab := newTab(b, true)
	tab.size(390, 600) // where the rail is a bar that stays at the top
	for _, step := range []struct {
		path      string
		modifiers []chromedp.Modifier
	}{{b.casePath(storageKey), nil}, {b.at(""), []chromedp.Modifier{chromedp.ModifierShift}}} {
		tab.visit(step.path)
		for range 35 {
			tab.press(kb.Tab, step.modifiers...)
			if hidden := ask[string](tab, coveredFocus); hidden != "" {
				t.Errorf("%s: under something else: %s", step.path, hidden)
			}
		}
	}
}

// previews tells the three tabs of one page.
func previews(a, b string) bool {
	tabs := []string{"preview", "raw", "context"}
	return slices.Contains(tabs, a) && slices.Contains(tabs, b)
}

// coveredFocus is the element that has the focus, if every corner of it is under one
// that it is not in, or out of the window.
const coveredFocus = `(e => {
	if (!e || e === document.body) return "";
	const r = e.getBoundingClientRect();
	if (r.width === 0 || r.height === 0) return "";
	const xs = [r.left + 2, (r.left + r.right) / 2, r.right - 2], ys = [r.top + 2, (r.top + r.bottom) / 2, r.bottom - 2];
	for (const x of xs) for (const y of ys) {
		const top = document.elementFromPoint(x, y);
		if (top && (e === top || e.contains(top) || top.contains(e) && !top.closest("header.rail") || top.contains(e))) return "";
		if (top && top.closest("label") && top.closest("label").contains(e)) return "";
	}
	return e.outerHTML.slice(0, 120);
})(document.activeElement)`

// lineNoise: what a page says to the console, and what breaks its policy, is heard. That
// there is none of it every tab of every test holds.
func lineNoise(t *testing.T) {
	deaf := newTab(newBench(t), true)
	deaf.allow("") // everything: it is asked for
	ask[bool](deaf, `(document.body.append(Object.assign(document.createElement("script"), {textContent: "alert(1)"})), console.info("hear me"), document.body.append(Object.assign(new Image(), {src: "http://other.invalid/p"})), true)`)
	heard := func() string {
		deaf.mu.Lock()
		defer deaf.mu.Unlock()
		return strings.Join(deaf.noise, "\n")
	}
	deaf.until(`true`)
	for _, words := range []string{"hear me", "Content Security Policy"} {
		if !strings.Contains(heard(), words) {
			t.Errorf("the harness does not hear %q: %s", words, heard())
		}
	}
}

// linePrint: addresses are whole, all evidence is open, and there is no navigation.
func linePrint(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.paper()
		for _, path := range []string{b.casePath(longKey), b.casePath(fourKey), b.at("memory/k/" + storageKey), b.at("adjudications/" + b.read().Adjudications()[0].EventID)} {
			tab.visit(path)
			if tab.count("nav, header, .rail, .crumbs, .skip") > 0 {
				if seen := ask[[]string](tab, `Array.from(document.querySelectorAll("nav, .rail, .skip")).filter(e => e.checkVisibility()).map(e => e.className || e.localName)`); len(seen) > 0 {
					t.Errorf("%s: printed as well: %q", path, seen)
				}
			}
			if closed := ask[int](tab, `Array.from(document.querySelectorAll("#page details > :not(summary)")).filter(e => !e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) || e.getBoundingClientRect().height === 0).length`); closed > 0 {
				t.Errorf("%s: %d folded parts stay folded", path, closed)
			}
			cut := ask[[]string](tab, `Array.from(document.querySelectorAll("#page *")).filter(e => e.checkVisibility() && !e.closest(".hidden, .axis") && // what the axis abbreviates is whole on its card
				(getComputedStyle(e).webkitLineClamp !== "none" || getComputedStyle(e).textOverflow === "ellipsis") && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)).map(e => e.innerText.slice(0, 60))`)
			if len(cut) > 0 {
				t.Errorf("%s: cut off: %q", path, cut)
			}
		}
		tab.visit(b.casePath(longKey))
		if !tab.shown("url=https://wiki.example.com/billing/release") {
			t.Error("an address in the evidence is not whole")
		}
		tab.visit(b.casePath(storageKey))
		if !tab.shown("Addresses that begin with / go on from " + b.url) {
			t.Error("where the addresses of the links lead to is not said")
		}
		const panel = ".more > div"
		if n := len(tab.boxes(panel)); n != 1 {
			t.Fatalf("%d panels, want the one of what would settle it", n)
		}
		if over := ask[[]string](tab, covers(panel)); len(over) > 0 {
			t.Errorf("the panel of what would settle it is over %q", over)
		}
		tab.media("", "light")
		if tab.shown("Addresses that begin with /") {
			t.Error("a line for paper is on the screen")
		}
		tab.paper()
		if bare := ask[[]string](tab, `Array.from(document.querySelectorAll("#page a[href^=http]")).filter(e => !e.innerText.includes(e.getAttribute("href")) && !getComputedStyle(e, "::after").content.includes(e.getAttribute("href"))).map(e => e.outerHTML.slice(0, 120))`); len(bare) > 0 {
			t.Errorf("links without their address: %q", bare)
		}
	})
}

// covers are the texts of the page that an element lies over, or that lie over it.
func covers(selector string) string {
	return `(box => { const walk = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT), over = [], r = box.getBoundingClientRect();
	while (walk.nextNode()) {
		const text = walk.currentNode, range = document.createRange();
		if (box.contains(text) || !text.data.trim() || text.parentElement.closest(".hidden")) continue;
		range.selectNodeContents(text);
		for (const t of range.getClientRects())
			if (t.left < r.right - 1 && t.right > r.left + 1 && t.top < r.bottom - 1 && t.bottom > r.top + 1) { over.push(text.data.trim()); break; }
	}
	return over })(document.querySelector(` + quoteJS(selector) + `))`
}
