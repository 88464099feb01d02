package web

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// difficult is a reason that is easily spoilt on its way: it begins with a new line and
// ends with blanks, and holds more of them, markup, Chinese and an entity.
const difficult = "\nFirst line,\n\n  <script>alert(1)</script> </textarea> &amp; 理由：\t扩展。 \U0001f642  "

// paste puts words into the reason, byte for byte, as a paste does.
func (t *tab) paste(words string) {
	t.t.Helper()
	t.see("#rationale")
	ask[bool](t, `(e => { e.focus(); e.value = `+quoteJS(words)+`; e.dispatchEvent(new Event("input", {bubbles: true})); return true })(document.querySelector("#rationale"))`)
}

// choose clicks a value.
func (t *tab) choose(candidate string) {
	t.t.Helper()
	t.click(chromedp.CSS(`input[value="` + candidate + `"]`))
}

// leniently takes the browser's own checks off the form.
func (t *tab) leniently() {
	t.t.Helper()
	ask[bool](t, `(document.querySelectorAll("#decision [required]").forEach(e => e.required = false), true)`)
}

// lineConsent: nothing is chosen, one button records, what cannot be done says why, and
// what changes is read before the button.
func lineConsent(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.size(1280, 800)
		tab.visit(b.casePath(storageKey))
		if got := tab.choice(); got != "" {
			t.Errorf("%s is chosen", got)
		}
		if n := ask[int](tab, `Array.from(document.querySelectorAll("#decision button, #decision input[type=submit]")).filter(e => /record/i.test(e.innerText)).length`); n != 1 {
			t.Errorf("%d buttons record, want 1", n)
		}
		if n := ask[int](tab, `Array.from(document.querySelectorAll("#page :disabled")).filter(e => !e.getAttribute("aria-describedby") && !e.title).length`); n > 0 {
			t.Errorf("%d disabled controls do not say why", n)
		}
		tab.choose(b.candidate(b.open(storageKey), "Use Postgres."))
		tab.paste("We need extensions.")
		if !scripts {
			tab.click(`#decision button[formaction$="/preview#changes"], #decision button[formaction$="/preview"]`) // Show what changes
		}
		const changes = `(() => { const page = document.querySelector("#page").innerText.replace(/\s+/g, " "), after = page.slice(page.search(/what changes/i));
			return /what changes/i.test(page) && after.includes("Use SQLite. (seen 3x; evidence: 3)") && after.includes("Use Postgres. (seen 2x; evidence: 2)") && after.includes("of 12,000 characters") })()`
		tab.until(changes)
		if got, words := tab.choice(), tab.words(); got != b.candidate(b.open(storageKey), "Use Postgres.") || words != "We need extensions." {
			t.Errorf("the form now holds %q and %q", got, words)
		}
		if n := len(b.read().Adjudications()); n != 4 {
			t.Fatalf("showing it recorded something: %d", n)
		}
		if !ask[bool](tab, `(() => { const walk = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
			while (walk.nextNode()) if (/what changes/i.test(walk.currentNode.data) && !walk.currentNode.parentElement.closest("button"))
				return Boolean(walk.currentNode.compareDocumentPosition(document.querySelector(`+quoteJS(record)+`)) & Node.DOCUMENT_POSITION_FOLLOWING);
			return false })()`) {
			t.Error("what changes does not come before the button")
		}
	})
}

// lineInvalid: the summary leads to the fields, everything is kept, the focus is on it.
func lineInvalid(t *testing.T) {
	b := newDemo(t)
	both(t, func(t *testing.T, scripts bool) {
		b := b.of(t)
		tab := newTab(b, scripts)
		tab.allow("status of 422")
		tab.visit(b.casePath(storageKey))
		words := strings.Repeat("理由 words\n", 200) + " "
		chosen := b.candidate(b.open(storageKey), "Use MySQL.")
		tab.choose(chosen)
		tab.paste(words)
		tab.click(record)
		tab.see("#refusal")
		if tab.words() != words || tab.choice() != chosen {
			t.Errorf("the form holds %q and %q", tab.choice(), tab.words())
		}
		if got := ask[string](tab, `document.querySelector("#rationale").getAttribute("aria-invalid")`); got != "true" {
			t.Errorf("aria-invalid is %q", got)
		}
		if described := ask[bool](tab, `document.querySelector("#rationale").getAttribute("aria-describedby").split(" ").every(id => document.getElementById(id))`); !described {
			t.Error("what describes the field is not there")
		}
		tab.focusOn("#refusal")
		tab.click(`#refusal a[href="#rationale"]`)
		tab.focusOn("#rationale")
		tab.visit(b.casePath(storageKey)) // nothing filled in: both are told at once
		tab.leniently()
		ask[bool](tab, `(document.querySelector("#rationale").value = "", document.querySelectorAll("input[name=candidate]").forEach(e => e.checked = false), true)`) // a draft may have come back
		tab.click(record)
		tab.see("#refusal")
		if n := tab.count("#refusal li a"); n != 2 {
			t.Errorf("%d things to mend, want 2: %s", n, tab.text("#refusal"))
		}
		tab.click(`#refusal li:first-child a`)
		tab.until(`document.activeElement.name === "candidate"`)
	})
}

// lineStale: words, choice and caret come back; what is different is told, by whom and
// when; the button says what it now goes against; a second change is another such answer.
func lineStale(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.allow("status of 409")
		tab.visit(b.casePath(storageKey))
		chosen := b.candidate(b.open(storageKey), "Use Postgres.")
		tab.choose(chosen)
		tab.paste(difficult)
		ask[bool](tab, `(document.querySelector("#rationale").setSelectionRange(5, 9), true)`)
		for revision := 3; revision <= 4; revision++ {
			b.clock.move(time.Hour)
			b.move()
			b.say(storageKey, "Use Postgres.", 0, "user", "docs/second.md")
			tab.click(record)
			tab.until(`document.querySelector("#refusal") && document.querySelector("#page").innerText.includes("case revision ` + itoa(revision) + `")`)
			refusal := strings.Join(strings.Fields(tab.text("#refusal")), " ")
			for _, words := range []string{"Not recorded", "2026-10-17", "migration-tool", "deploy/db.tf:7", "counts for Use Postgres.",
				"counts for Use MySQL.", "2026-12-01", "user", "too young", "unchanged"} {
				if !strings.Contains(refusal, words) {
					t.Errorf("revision %d: it does not say %q: %s", revision, words, refusal)
				}
			}
			if n := strings.Count(refusal, "+ added"); n != 3 {
				t.Errorf("revision %d: %d facts are told as added, want 3", revision, n)
			}
			if got := tab.words(); got != difficult {
				t.Errorf("revision %d: the words are\n%q, want\n%q", revision, got, difficult)
			}
			if got := tab.choice(); got != chosen {
				t.Errorf("revision %d: chosen is %q", revision, got)
			}
			if got, want := tab.text(record), "Record against case revision "+itoa(revision); got != want {
				t.Errorf("the button says %q, want %q", got, want)
			}
			tab.focusOn("#refusal")
			if caret := ask[[]int](tab, `(e => [e.selectionStart, e.selectionEnd])(document.querySelector("#rationale"))`); scripts && !slices.Equal(caret, []int{5, 9}) {
				t.Errorf("revision %d: the caret is at %v", revision, caret)
			}
		}
		tab.click(record)
		tab.see("#notice")
		all := b.read().Adjudications()
		if len(all) != 5 || all[4].CaseRevision != 4 || all[4].Actor != "team lead" {
			t.Errorf("on record: %+v", all)
		}
	})
}

// lineDecided: who decided meanwhile and in which words; the reader's own can be copied.
func lineDecided(t *testing.T) {
	both(t, func(t *testing.T, scripts bool) {
		b := newDemo(t)
		tab := newTab(b, scripts)
		tab.allow("status of 409")
		c := b.open(storageKey)
		tab.visit(b.casePath(storageKey))
		tab.choose(b.candidate(c, "Use Postgres."))
		tab.paste(difficult)
		b.resolveAs("payments lead", c, "Use MySQL.", "Operations knows it.")
		tab.click(record)
		tab.see("#refusal")
		text := strings.Join(strings.Fields(tab.text("#page")), " ")
		for _, words := range []string{"payments lead decided this before you", "Operations knows it.", "Use MySQL.", "2026-12-01"} {
			if !strings.Contains(text, words) {
				t.Errorf("the page does not say %q", words)
			}
		}
		if got := tab.kept(); got != difficult {
			t.Errorf("the words are\n%q, want\n%q", got, difficult)
		}
		if n := tab.count("#decision"); n > 0 {
			t.Error("it can be decided again")
		}
		if scripts && tab.count("#refusal [data-copy], #refusal button") == 0 {
			t.Error("there is no button that copies them")
		}
	})
}

// kept is what the page gives back of the reader's words, wherever they now stand.
func (t *tab) kept() string {
	t.t.Helper()
	return ask[string](t, `(document.querySelector("#refusal textarea, #rationale") || {value: "gone"}).value`)
}
