package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

const axeFolder = "../testdata/axe"

// axeSource reads axe once. It is evaluated through the debugger, so that the pages'
// own policy stays as it is.
var axeSource = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(filepath.Join(axeFolder, "axe.min.js"))
	return string(source), err
})

// What axe is asked for: everything from WCAG 2.0 A to 2.2 AA, or of that what a change
// of colours alone can spoil.
const (
	axeAll     = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]`
	axeColours = `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

// axeRun asks for it. Nothing is fetched for it.
const axeRun = `axe.run(document, {
	runOnly: %s,
	resultTypes: ["violations"], preload: false,
}).then(r => ({
	Passes: r.passes.length,
	Violations: r.violations.map(v => ({
		ID: v.id, Impact: v.impact, Help: v.help,
		Nodes: v.nodes.map(n => ({Target: n.target.join(" "), HTML: n.html, Summary: n.failureSummary})),
	})),
}))`

// An axeResult is what axe found on one page.
type axeResult struct {
	Passes     int
	Violations []struct {
		ID, Impact, Help string
		Nodes            []struct{ Target, HTML, Summary string }
	}
}

// axe checks the page as it is now for axeAll or axeColours. It needs a tab with scripts.
func (t *tab) axe(rules string) axeResult {
	t.t.Helper()
	source, err := axeSource()
	if err != nil {
		t.t.Fatal(err)
	}
	if !ask[bool](t, `typeof axe === "object"`) {
		t.run(chromedp.Evaluate[chromedp.Void](source + "\n;undefined"))
	}
	result, err := chromedp.Run(t.ctx, chromedp.Evaluate[axeResult](fmt.Sprintf(axeRun, rules), chromedp.EvalAwaitPromise))
	if err != nil {
		t.t.Fatalf("axe at %s: %v", t.path(), err)
	}
	return result
}

// String lists the violations for people.
func (r axeResult) String() string {
	var b strings.Builder
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "\n%s (%s): %s", v.ID, v.Impact, v.Help)
		for _, n := range v.Nodes {
			fmt.Fprintf(&b, "\n    %s\n        %s\n        %s", n.Target, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n        "))
		}
	}
	return b.String()
}

// TestAxe holds line 39: no scene violates a rule, light or dark. A tab costs more than a
// page, so that two of them go through all scenes, from one project to the next.
func TestAxe(t *testing.T) {
	t.Parallel()
	all := scenes()
	for name, some := range map[string][]scene{"first": all[:len(all)/2], "second": all[len(all)/2:]} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := newTabFor(newBench(t), true, 8*tabLimit)
			for _, s := range some {
				t.Run(s.name, func(t *testing.T) {
					page.moveTo(s.serve(t), s.allow)
					s.reach(t, page)
					page.accessible(t)
					page.checkNoise()
				})
			}
		})
	}
}

// accessible expects that axe finds nothing, light or dark.
func (t *tab) accessible(test *testing.T) {
	test.Helper()
	result := t.axe(axeAll)
	if result.Passes < 10 {
		test.Errorf("axe passed %d rules only: it saw no page", result.Passes)
	}
	if len(result.Violations) > 0 {
		test.Errorf("light, %s:%s", t.path(), result)
	}
	t.dark()
	if result := t.axe(axeColours); len(result.Violations) > 0 || result.Passes == 0 {
		test.Errorf("dark, %s: %d rules passed%s", t.path(), result.Passes, result)
	}
}

// TestAxeFinds holds that the harness would find something.
func TestAxeFinds(t *testing.T) {
	t.Parallel()
	tab := newTab(newBench(t), true)
	ask[bool](tab, `(document.querySelector("#page").append(document.createElement("input")), true)`)
	found := false
	for _, v := range tab.axe(axeAll).Violations {
		found = found || v.ID == "label"
	}
	if !found {
		t.Error("an input without a label goes unnoticed")
	}
}

// TestAxeIsGenuine recomputes the hashes of the files of others.
func TestAxeIsGenuine(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(axeFolder, "vendored.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files []struct{ Name, Version, License, Integrity, Source, File, SHA256 string }
	if err := json.Unmarshal(list, &files); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"vendored.json": true}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(axeFolder, f.File))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		if got := hex.EncodeToString(sum[:]); got != f.SHA256 {
			t.Errorf("%s has the hash %s, not %s", f.File, got, f.SHA256)
		}
		if f.Name != "axe-core" || f.Version == "" || f.License == "" || f.Source == "" || !strings.HasPrefix(f.Integrity, "sha512-") {
			t.Errorf("%s: where it comes from is not told whole: %+v", f.File, f)
		}
		listed[f.File] = true
	}
	entries, err := os.ReadDir(axeFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !listed[entry.Name()] {
			t.Errorf("%s is not listed", entry.Name())
		}
	}
}
