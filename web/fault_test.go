package web

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

func (b *bench) file(name string) string {
	return filepath.Join(b.project, ".learn_workbuddy", "memory", filepath.FromSlash(name))
}

// damage appends a line that is no record.
func (b *bench) damage(name string) {
	b.t.Helper()
	file, err := os.OpenFile(b.file(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = file.WriteString("{\"no\": \"record\"}\n")
	if err := errors.Join(err, file.Close()); err != nil {
		b.t.Fatal(err)
	}
}

func TestUnreadablePartsAreNamedInTheirPlace(t *testing.T) {
	for _, test := range []struct {
		file   string
		broken []string // pages that cannot be shown at all
		pages  []string // pages that show the rest
	}{
		{"curated.json", []string{"memory/e/KEY"}, []string{"", "memory", "preview", "preview?tab=context", "timeline", "cases/CASE", "memory/k/cache.engine"}},
		{"conflicts.json", []string{"cases/CASE"}, []string{"", "memory", "adjudications", "timeline", "preview"}},
		{"conflict-adjudications.jsonl", []string{"adjudications/none"}, []string{"", "adjudications", "memory", "cases/CASE"}},
		{"conflict-resolution-transactions.jsonl", nil, []string{"", "adjudications", "memory", "cases/CASE", "preview"}},
		{"daily/2026-01-10.jsonl", []string{"facts/none"}, []string{"", "timeline", "cases/CASE", "memory/k/cache.engine"}},
	} {
		t.Run(test.file, func(t *testing.T) {
			b, _ := world(t)
			c := b.open("cache.engine")
			active, _ := b.read().Active("storage.database")
			form := b.decide(c, "Use Postgres.", awkward)
			b.damage(test.file)
			expand := strings.NewReplacer("CASE", c.ID, "KEY", active.Key).Replace
			for _, path := range test.pages {
				answer := b.get("/w/" + b.workspace() + "/" + expand(path))
				if answer.status != http.StatusOK || !strings.Contains(answer.body, test.file) {
					t.Errorf("%q: %d, or it does not name the file", path, answer.status)
				}
			}
			for _, path := range test.broken {
				answer := b.get("/w/" + b.workspace() + "/" + expand(path))
				if answer.status != http.StatusServiceUnavailable || !strings.Contains(answer.body, test.file) {
					t.Errorf("%q: %d, or it does not name the file", path, answer.status)
				}
			}
			answer := b.post(b.resolveURL(c), form)
			if answer.status != http.StatusServiceUnavailable || !strings.Contains(answer.body, test.file) {
				t.Fatalf("a decision: %d, or it does not name the file", answer.status)
			}
			if !strings.Contains(answer.body, "理由") {
				t.Error("the reader's words are gone")
			}
		})
	}
}

func TestTimelineShowsAnUnreadableLogOnce(t *testing.T) {
	b := newBench(t)
	var days []string
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); len(days) < 3*pageSize; day = day.Add(6 * time.Hour) {
		days = append(days, day.Format("01-02"))
	}
	b.record("", "Write tests first.", days...)
	for _, name := range []string{"daily/2026-01-05.jsonl", "daily/2025-11-11.jsonl", "daily/2026-12-24.jsonl", "daily/2026-01-20.jsonl"} {
		b.damage(name)
	}
	shown := map[string]int{}
	for path := "/w/" + b.workspace() + "/timeline"; path != ""; {
		page := b.get(path).body
		page = page[strings.Index(page, `class="stack"`):] // under the banner
		for _, fault := range b.read().Faults() {
			shown[fault.File] += strings.Count(page, fault.File+":")
		}
		path = linkOf(page, "next")
	}
	for _, fault := range b.read().Faults() {
		if shown[fault.File] != 1 {
			t.Errorf("%s is shown %d times in its place, want once", fault.File, shown[fault.File])
		}
	}
}

func TestFailingDiskIsToldHonestly(t *testing.T) {
	t.Parallel()
	var unwritable, pending int
	for n := 0; ; n++ {
		b := newBench(t)
		c := b.dispute("storage.database")
		disk := faultfs.New(filestore.OS(), b.project)
		store, err := filestore.Open(b.project, filestore.Options{FS: disk})
		if err != nil {
			t.Fatal(err)
		}
		b.engine = memory.Open(store, memory.Options{Now: b.clock.read})
		b.serve()
		form := b.decide(c, "Use Postgres.", awkward)
		disk.FailAt(n, faultfs.NotDone)
		answer := b.post(b.resolveURL(c), form)
		if !disk.Fired() {
			break
		}
		b.store, b.engine = openProject(t, b.project, b.clock)
		onRecord := len(b.read().Adjudications()) == 1
		switch {
		case answer.status == http.StatusSeeOther:
			if !onRecord {
				t.Errorf("change %d failed: told as done, and it is not", n)
			}
		case answer.status != http.StatusServiceUnavailable:
			t.Errorf("change %d failed: %d", n, answer.status)
		case onRecord:
			pending++
			if strings.Contains(answer.body, "/resolve") {
				t.Errorf("change %d failed: the page offers to send a recorded decision again", n)
			}
			if !strings.Contains(answer.body, "Recorded") {
				t.Errorf("change %d failed: the page does not say that the decision is recorded", n)
			}
		default:
			unwritable++
			if back := formOf(t, answer.body); back.values.Get("rationale") != awkward || back.id() != form.Get("event_id") {
				t.Errorf("change %d failed: came back under %q as %q", n, back.id(), back.values.Get("rationale"))
			}
		}
	}
	if unwritable == 0 || pending == 0 {
		t.Errorf("%d failures before the commit point and %d after it; the test needs both", unwritable, pending)
	}
}

// TestOneFileThatIsALinkBlanksNoPage has each file be a link in turn: pages name it, show
// the rest, and never call none what they cannot read.
func TestOneFileThatIsALinkBlanksNoPage(t *testing.T) {
	const none = "No facts yet|Nothing has been recorded|Nothing in memory yet|None yet|Nothing waits|not on disk yet|not there yet"
	for file, pages := range map[string]map[string]string{ // what each page shows all the same
		"MEMORY.md":                              {"timeline": "Use SQLite.", "memory": "Use SQLite.", "preview": "cannot be read on disk", "preview?tab=raw": "Use SQLite.", "": "cache.engine"},
		"curated.json":                           {"timeline": "Use SQLite.", "memory": "is not known", "preview": "Use SQLite.", "": "cache.engine"},
		"conflicts.json":                         {"timeline": "Use SQLite.", "memory": "Use SQLite.", "": "is not known"},
		"conflict-adjudications.jsonl":           {"timeline": "Use SQLite.", "memory": "Use SQLite.", "adjudications": "cannot be read to its end", "": "cache.engine"},
		"conflict-resolution-transactions.jsonl": {"timeline": "Use SQLite.", "memory": "Use SQLite.", "": "cache.engine"},
		"daily/2026-01-10.jsonl":                 {"timeline": "can be read", "memory": "Use SQLite.", "": "cache.engine"},
		"daily":                                  {"timeline": "No fact can be read", "timeline?text=x": "No fact can be read", "memory": "Use SQLite.", "": "cache.engine"},
	} {
		t.Run(file, func(t *testing.T) {
			b, _ := world(t)
			aside := filepath.Join(b.project, "aside")
			if err := errors.Join(os.Rename(b.file(file), aside), os.Symlink(aside, b.file(file))); err != nil {
				t.Skip(err) // conflict-adjudications.jsonl is none here
			}
			for path, shown := range pages {
				answer := b.get("/w/" + b.workspace() + "/" + path)
				if answer.status != http.StatusOK || !strings.Contains(answer.body, file) || !strings.Contains(answer.body, "is a symbolic link") {
					t.Errorf("%q: %d, or it does not name the file", path, answer.status)
				}
				if !strings.Contains(answer.body, shown) {
					t.Errorf("%q does not show %q", path, shown)
				}
				for _, words := range strings.Split(none, "|") {
					if strings.Contains(answer.body, words) {
						t.Errorf("%q says %q", path, words)
					}
				}
			}
		})
	}
}

// TestDeskWithoutCasesCallsNothingNone is of a desk where nothing waits, of which the
// facts cannot be read.
func TestDeskWithoutCasesCallsNothingNone(t *testing.T) {
	b := newBench(t)
	b.record("", "Write tests first.", "01-02")
	aside := filepath.Join(b.project, "aside")
	if err := errors.Join(os.Rename(b.file("daily"), aside), os.Symlink(aside, b.file("daily"))); err != nil {
		t.Fatal(err)
	}
	if body := b.get("/w/" + b.workspace()).body; strings.Contains(body, "No facts yet") || strings.Contains(body, "-1") {
		t.Errorf("the desk says that there are no facts, or a number of them:\n%s", body)
	}
}
