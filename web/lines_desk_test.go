package web

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lineAddress: the list is what its address says, after a reload and for another profile.
func lineAddress(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		first := newTab(b, scripts)
		all := first.rows()
		first.run(chromedp.SendKeys(chromedp.CSS("#page input[type=search]"), "Postgres"+kb.Enter))
		first.arrive(b.at("?"))
		filtered, address := first.rows(), first.path()
		if want := []string{storageKey, "test.database"}; !slices.Equal(filtered, want) {
			t.Fatalf("%s lists %q, want %q", address, filtered, want)
		}
		first.run(chromedp.Reload())
		second := newTab(b, scripts)
		second.visit(address)
		for who, tab := range map[string]*tab{"a reload": first, "another profile": second} {
			if got := tab.rows(); !slices.Equal(got, filtered) {
				t.Errorf("%s lists %q, want %q", who, got, filtered)
			}
			if got := ask[string](tab, `document.querySelector("input[type=search]").value`); got != "Postgres" {
				t.Errorf("%s: the field holds %q", who, got)
			}
		}
		second.visit(b.at("?sort=newest"))
		if got := second.rows(); len(got) != len(all) || got[2] != "docs.language" { // within its group
			t.Errorf("newest first: %q", got)
		}
	})
}

// lineBack: back finds the list, the place in it and the row.
func lineBack(t *testing.T) {
	b := many(t, 60)
	tab := newTab(b, true)
	tab.size(1280, 500)
	tab.visit(b.at("?text=area"))
	if tab.count("[hx-boost]") > 0 {
		t.Error("links are boosted")
	}
	rows := tab.rows()
	for range 30 {
		tab.press("j")
	}
	was := ask[float64](tab, "scrollY")
	if was == 0 {
		t.Fatal("the thirtieth row is on the first screen: nothing to restore")
	}
	tab.press(kb.Enter)
	tab.see("#decision")
	tab.back()
	tab.arrive(b.at("?text=area"))
	tab.until(fmt.Sprintf("document.activeElement.closest('.desk li')?.querySelector('.key').textContent === %q", rows[29]))
	if now := ask[float64](tab, "scrollY"); math.Abs(now-was) > 2 {
		t.Errorf("scrolled to %v, was %v", now, was)
	}
	if got := tab.rows(); !slices.Equal(got, rows) {
		t.Errorf("the list is another: %q", got)
	}
	if kept := ask[string](tab, "JSON.stringify({...sessionStorage, ...localStorage})"); strings.Contains(kept, "area0") {
		t.Errorf("a page is kept in the browser: %s", kept)
	}

	plain := newTab(b, false)
	plain.size(1280, 500)
	plain.visit(b.at("?text=area"))
	plain.click(chromedp.CSS(`.desk li:nth-child(30) a`))
	plain.see("#decision")
	plain.back()
	plain.arrive(b.at("?text=area"))
	if now := ask[float64](plain, "scrollY"); now == 0 {
		t.Error("without scripts the place is lost")
	}
}

// lineWaits: what waits comes before all else, the longest first; the counts are words.
func lineWaits(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		// What the reader decided once and is open again is what changed since they looked.
		if got := tab.rows(); len(got) != 12 || got[0] != storageKey || got[2] != fourKey || got[11] != "docs.language" {
			t.Errorf("the desk lists %q", got)
		}
		if age := tab.text(row(b.open(fourKey).ID, ".age")); age != "22 days" {
			t.Errorf("the longest has waited %q", age)
		}
		if first := ask[float64](tab, `document.querySelector(".desk li").getBoundingClientRect().bottom`); first > 300 {
			t.Errorf("the first row ends at %v px", first)
		}
	})
	c := b.open(fourKey)
	b.post(b.at("cases/"+b.open(storageKey).ID+"/seen"), nil)
	b.move()
	b.distill()
	b.resolveAs("team lead", c, "Keep sessions in signed cookies.", "They are enough.")
	tab := newTab(b, true)
	for _, words := range []string{"11 wait", "the oldest", "2 changed since you looked", "1 decided this week"} {
		if got := tab.text("#page"); !strings.Contains(strings.Join(strings.Fields(got), " "), words) {
			t.Errorf("the desk does not say %q:\n%s", words, tab.text(".counts"))
		}
	}
}

// lineNext: after a decision a notice with a permalink, and the next of the same list.
func lineNext(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.visit(b.at("?text=Postgres"))
		tab.click(chromedp.CSS(row(b.open(storageKey).ID, "a")))
		tab.see("#decision")
		tab.fill(b.candidate(b.open(storageKey), "Use MySQL."), "Operations knows it.")
		tab.click(record)
		tab.see("#notice")
		if got := tab.text("h1"); got != "test.database" {
			t.Errorf("the next case is %q", got)
		}
		permalink := ask[string](tab, `document.querySelector('#notice a[href*="/adjudications/"]')?.getAttribute("href") || ""`)
		if permalink == "" || !b.found(permalink) {
			t.Errorf("the permalink is %q", permalink)
		}
		tab.click(".crumbs a")
		tab.arrive(b.at("?text=Postgres"))
		if got := tab.rows(); !slices.Equal(got, []string{"test.database"}) {
			t.Errorf("the list is now %q", got)
		}
	})
}

// found reports whether a signed-in reader gets a page there.
func (b *bench) found(path string) bool { return b.get(path).status == 200 }

// lineEmpty: an empty desk says which emptiness it is.
func lineEmpty(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		fresh := newTab(newBench(t), scripts)
		none := fresh.text(".empty")
		cleared := newTab(clearedBench(t), scripts)
		decided := cleared.text(".empty")
		b := newBench(t)
		b.record("", "Be kind.", "01-01", "01-02")
		b.distill()
		quiet := newTab(b, scripts).text(".empty")
		full := newTab(many(t, 2), scripts)
		full.visit(full.at("?text=nothing-says-this"))
		unmatched := full.text(".empty")
		full.click(".empty a")
		full.arrive(full.at(""))
		if got := full.rows(); len(got) != 2 {
			t.Errorf("cleared, the filter lists %q", got)
		}
		said := map[string]string{}
		for name, words := range map[string]string{"none yet": none, "all decided": decided, "nothing waits": quiet, "none match": unmatched} {
			if other, ok := said[words]; ok || words == "" {
				t.Errorf("%q and %q both say %q", name, other, words)
			}
			said[words] = name
		}
		if !strings.Contains(decided, "all is decided") || !strings.Contains(none, "No facts yet") {
			t.Errorf("they say %q and %q", decided, none)
		}
	})
}

// lineRows: twenty rows fit a usual window, and nothing is too small to hit.
func lineRows(t *testing.T) {
	b := many(t, 26)
	tab := newTab(b, true)
	tab.size(1280, 800)
	tab.visit(b.at(""))
	if n := ask[int](tab, `Array.from(document.querySelectorAll(".desk li")).filter(e => e.getBoundingClientRect().bottom <= 800).length`); n < 20 {
		t.Errorf("%d rows fit", n)
	}
	for _, width := range []int64{1280, 390} {
		tab.size(width, 800)
		small := ask[[]string](tab, `Array.from(document.querySelectorAll(".desk a, .desk label, #page button, #page summary")).
			filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 24).map(e => e.outerHTML.slice(0, 120))`)
		if len(small) > 0 {
			t.Errorf("at %d px, less than 24 px high: %q", width, small)
		}
	}
}
