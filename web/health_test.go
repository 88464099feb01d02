package web

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/templates"
)

func (b *bench) healthURL() string { return "/w/" + b.workspace() + "/health" }

// checkUp has the files checked and waits for the end.
func (b *bench) checkUp() {
	b.t.Helper()
	if answer := b.post(b.healthURL(), nil); answer.status != http.StatusSeeOther || answer.header.Get("Location") != b.healthURL() {
		b.t.Fatalf("check now: %d to %q", answer.status, answer.header.Get("Location"))
	}
	b.server.projects[b.workspace()].check.work.Wait()
}

// asks polls as a page with a check at work does.
func (b *bench) asks(percent string) reply {
	b.t.Helper()
	r := b.request(http.MethodGet, b.healthURL()+"?at="+percent, nil, b.cookie())
	r.Header.Set("HX-Request", "true")
	return b.do(r)
}

// rail is what the rail says of health, on another page.
func (b *bench) rail() string {
	b.t.Helper()
	_, after, _ := strings.Cut(b.get("/w/"+b.workspace()+"/memory").body, `href="`+b.healthURL()+`"`)
	words, _, _ := strings.Cut(after, "</a>")
	return words
}

func (b *bench) expectHealth(words ...string) {
	b.t.Helper()
	page := b.get(b.healthURL())
	if page.status != http.StatusOK {
		b.t.Fatalf("health: %d", page.status)
	}
	for _, want := range words {
		if !strings.Contains(page.body, want) {
			b.t.Errorf("health does not say %q:\n%s", want, page.body)
		}
	}
}

func TestHealthSaysHowTheFilesStand(t *testing.T) {
	b, _ := world(t)
	b.expectHealth("Never checked", "Check now", "What is checked")
	if rail := b.rail(); !strings.Contains(rail, "not checked yet") {
		t.Errorf("the rail says %q", rail)
	}
	before := footprint(t, b.project)
	b.checkUp()
	b.expectHealth("<title>Health · all is well", "All is well", "just now", "it took", "in the daily logs")
	if rail := b.rail(); !strings.Contains(rail, "✓") {
		t.Errorf("the rail says %q", rail)
	}
	if diff := cmp.Diff(before, footprint(t, b.project)); diff != "" {
		t.Errorf("a check changes the project: %s", diff)
	}

	b.damage("daily/2026-01-10.jsonl")
	if rail := b.rail(); !strings.Contains(rail, "1 fault") {
		t.Errorf("with a fault that a page runs into the rail says %q", rail)
	}
	if err := os.WriteFile(b.file("strange<b>.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.checkUp()
	b.expectHealth("<title>Health · 1 fault", "daily/2026-01-10.jsonl", "line 5", "has no workspace_id", "Restore it from a copy",
		"1 note", "strange&lt;b&gt;.txt", "could not be read whole")

	b.serve()
	b.expectHealth("<title>Health · 1 fault", "has no workspace_id") // a restart remembers
	if rail := b.rail(); !strings.Contains(rail, "1 fault") {
		t.Errorf("after a restart the rail says %q", rail)
	}
}

func TestHealthIsForReadersWhoAreSignedIn(t *testing.T) {
	b := newBench(t)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if answer := b.do(b.request(method, b.healthURL(), nil, nil)); answer.status != http.StatusUnauthorized {
			t.Errorf("%s signed out: %d", method, answer.status)
		}
	}
	if b.server.projects[b.workspace()].check.view() != (templates.HealthView{}) {
		t.Error("somebody who is not signed in had the files checked")
	}
}

func TestHealthShowsProgressAndKeepsNobodyWaiting(t *testing.T) {
	b := newBench(t)
	b.record("storage.database", "Use SQLite.", "01-01")
	b.distill()
	b.read()
	release, reading := make(chan bool), make(chan bool, 1)
	p := b.server.projects[b.workspace()]
	p.check.begin(today, func(ctx context.Context, tell func(memory.Progress)) (checked, bool) {
		tell(memory.Progress{File: "daily/2026-01-01.jsonl", Done: 42, Total: 100})
		reading <- true
		<-release
		return checked{At: today, Took: time.Second, Entries: 7}, true
	})
	<-reading
	b.expectHealth("<title>Health · checking", "daily/2026-01-01.jsonl", `value="42"`, `hx-trigger="every 1s"`, "See how far it is")
	if answer := b.get("/w/" + b.workspace() + "/"); answer.status != http.StatusOK {
		t.Errorf("the desk answers %d meanwhile", answer.status)
	}
	if answer := b.asks("42"); answer.status != http.StatusNoContent {
		t.Errorf("who knows it all is answered %d", answer.status)
	}
	if answer := b.asks("41"); answer.status != http.StatusOK || !strings.HasPrefix(answer.body, `<section id="checking"`) {
		t.Errorf("who knows less is answered %d: %s", answer.status, answer.body)
	}
	if answer := b.post(b.healthURL(), nil); answer.status != http.StatusSeeOther {
		t.Errorf("a second check: %d", answer.status)
	}
	close(release)
	p.check.work.Wait()
	answer := b.asks("42")
	if answer.header.Get("HX-Retarget") != "#page" || !strings.Contains(answer.body, "All is well") {
		t.Errorf("when it is over: %v\n%s", answer.header, answer.body)
	}
	b.expectHealth("All is well", "it took 1.0 s", "7 ")
}

func TestBrowserChecksTheFiles(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, scripts bool) {
		b := newBench(t)
		b.dispute("storage.database")
		tab := newTab(b, scripts)
		tab.visit(b.healthURL())
		tab.click("form.end button")
		tab.until(`!document.body.innerText.includes("Never checked")`) // the answer is here
		check := b.server.projects[b.workspace()].check
		for check.view().Last == nil {
			time.Sleep(10 * time.Millisecond)
		}
		if !scripts {
			tab.visit(b.healthURL())
		}
		if words := tab.see("#verdict-title"); !strings.Contains(words, "All is well") {
			t.Errorf("the page says %q", words)
		}
		if words := tab.see("#pages"); !strings.Contains(words, "✓") {
			t.Errorf("the rail says %q", words)
		}
	})
}

// TestBrowserFollowsACheck holds that the progress comes by itself and leaves the focus
// where the reader has it.
func TestBrowserFollowsACheck(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	steps := make(chan int64)
	b.server.projects[b.workspace()].check.begin(today, func(_ context.Context, tell func(memory.Progress)) (checked, bool) {
		for percent := range steps {
			tell(memory.Progress{File: "curated.json", Done: percent, Total: 100})
		}
		return checked{At: today, Took: time.Minute}, true
	})
	steps <- 10
	tab := newTab(b, true)
	tab.visit(b.healthURL())
	tab.see(`progress[value="10"]`)
	ask[bool](tab, `document.querySelector("#pages a").focus() || true`)
	steps <- 60
	tab.see(`progress[value="60"]`)
	if at := ask[string](tab, `document.activeElement.innerText`); !strings.HasPrefix(at, "Desk") {
		t.Errorf("the focus went to %q", at)
	}
	close(steps)
	if words := tab.see("#verdict-title"); !strings.Contains(words, "All is well") {
		t.Errorf("when it is over the page says %q", words)
	}
	if title := ask[string](tab, `document.title`); title != "Health · all is well · Docket" {
		t.Errorf("the title is %q", title)
	}
}

func TestHealthTellsOfACheckThatFailed(t *testing.T) {
	b := newBench(t)
	b.record("storage.database", "Use SQLite.", "01-01")
	b.distill()
	b.engine = memory.Open(&unreadable{b.store}, memory.Options{Now: b.clock.read})
	b.serve()
	b.checkUp()
	b.expectHealth("Health · not known", "could not be finished", "the server's log")
	if strings.Contains(b.get(b.healthURL()).body, "All is well") || !strings.Contains(b.rail(), "1 fault") {
		t.Errorf("what could not be read is shown as well; the rail says %q", b.rail())
	}
}

// unreadable is a store that cannot be read.
type unreadable struct{ memory.Store }

func (unreadable) Read(memory.Name, int64) ([]byte, memory.Stamp, error) {
	return nil, memory.Stamp{}, os.ErrPermission
}

func TestHealthEndsWithTheServer(t *testing.T) {
	b := newBench(t)
	check := b.server.projects[b.workspace()].check
	started := make(chan bool)
	check.begin(today, func(ctx context.Context, _ func(memory.Progress)) (checked, bool) {
		close(started)
		<-ctx.Done()
		return checked{}, false
	})
	<-started
	b.server.close() // does not return before the check has
	check.begin(today, func(context.Context, func(memory.Progress)) (checked, bool) {
		t.Error("a check begins after the end")
		return checked{}, false
	})
	check.work.Wait()
	if view := check.view(); view != (templates.HealthView{}) {
		t.Errorf("left behind: %+v", view)
	}
}

func TestHealthForgetsNothingButWhatItCannotRead(t *testing.T) {
	b := newBench(t)
	b.checkUp()
	kept := filepath.Join(b.state, healthFolder, b.workspace()+".json")
	info, err := os.Stat(kept)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("kept as %v, %v", info, err)
	}
	if err := os.WriteFile(kept, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.serve()
	b.expectHealth("Never checked")
}

func TestCheckKeepsFaultsBeforeNotes(t *testing.T) {
	var x memory.Examination
	for range keptFindings {
		x.Findings = append(x.Findings, memory.Finding{File: "a", Severity: memory.SeverityNote})
	}
	x.Findings = append(x.Findings, memory.Finding{File: "b", Severity: memory.SeverityFault})
	var c checked
	c.take(x)
	if c.Faults != 1 || c.Notes != keptFindings || len(c.Findings) != 1 || c.Findings[0].File != "b" {
		t.Errorf("%d faults, %d notes, kept %d", c.Faults, c.Notes, len(c.Findings))
	}
}
