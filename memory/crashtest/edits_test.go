package crashtest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// edits are what happens to files by hand, by editors and by version control. The lines
// of text keep their ends.
func edits() map[string]func(text string, lines []string) string {
	join := func(lines ...[]string) string { return strings.Join(slices.Concat(lines...), "") }
	return map[string]func(text string, lines []string) string{
		"saved as it is":  func(text string, _ []string) string { return text },
		"CRLF":            func(text string, _ []string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
		"BOM":             func(text string, _ []string) string { return "\ufeff" + text },
		"blank lines":     func(text string, _ []string) string { return text + "\n\n" },
		"last end lost":   func(text string, _ []string) string { return strings.TrimSuffix(text, "\n") },
		"last end broken": func(text string, _ []string) string { return strings.TrimSuffix(text, "\n") + "\v" },
		"NUL in it":       func(text string, _ []string) string { return text[:len(text)/2] + "\x00" + text[len(text)/2:] },
		"emptied":         func(string, []string) string { return "" },
		"cut to a third":  func(text string, _ []string) string { return text[:len(text)/3] },
		"cut at the end":  func(text string, _ []string) string { return text[:len(text)-2] },
		"doubled":         func(text string, _ []string) string { return text + text },
		"last line lost":  func(_ string, lines []string) string { return join(lines[:len(lines)-1]) },
		"first line lost": func(_ string, lines []string) string { return join(lines[1:]) },
		"lines swapped": func(_ string, lines []string) string {
			return join(lines[len(lines)/2:], lines[:len(lines)/2])
		},
		"last lines swapped": func(_ string, lines []string) string {
			n := len(lines)
			return join(lines[:max(n-2, 0)], lines[n-1:], lines[max(n-2, 0):n-1])
		},
		"merge markers": func(_ string, lines []string) string {
			n := len(lines) / 2
			return join(lines[:n], []string{"<<<<<<< HEAD\n"}, lines[n:], []string{"=======\n"}, lines[n:], []string{">>>>>>> theirs\n"})
		},
	}
}

// TestEdits edits each file of a rich store in each way, between two decisions and at each
// phase of one, in place and by rename, with the engine open and opened after it; and
// deletes it. At the phases the short run edits in place alone.
func TestEdits(t *testing.T) {
	for n, phase := range append([]string{""}, phases()...) {
		if raced && n > 0 {
			continue
		}
		t.Run("phase "+phase, func(t *testing.T) {
			t.Parallel()
			x := newEditor(t, phase)
			for _, name := range slices.Sorted(maps.Keys(x.files)) {
				for what, change := range edits() {
					lines := slices.Collect(strings.Lines(x.files[name]))
					text := change(x.files[name], lines)
					x.try(t, what+" in place: "+name, name, true, func(disk *crashfs.FS) error { return disk.Edit(inFolder(memory.Name(name)), text) })
					if phase == "" || long() {
						x.try(t, what+" by rename: "+name, name, false, func(disk *crashfs.FS) error { return disk.Save(inFolder(memory.Name(name)), text) })
					}
				}
				x.try(t, "deleted: "+name, name, true, func(disk *crashfs.FS) error { return disk.Delete(inFolder(memory.Name(name))) })
			}
			x.report(t)
		})
	}
}

// phases are where a decision may have been left.
func phases() []string {
	return []string{"prepared", "curated_applied", "conflict_closed", "audit_appended"}
}

// TestNeitherBeforeNorAfter changes each file to something sound that is neither what it
// was before a decision nor what it is to be after, at each phase of the decision: nobody
// goes on from that, and nothing is written.
func TestNeitherBeforeNorAfter(t *testing.T) {
	t.Parallel()
	for _, phase := range phases() {
		x := newEditor(t, phase)
		for name, change := range x.neither() {
			disk := x.disk.Clone()
			text := change(x.files[string(name)])
			if err := disk.Save(inFolder(name), text); err != nil || text == x.files[string(name)] {
				t.Fatalf("%s at %s: nothing was changed: %v", name, phase, err)
			}
			got, err := x.verdict(t, disk, open(t, x.root, disk), string(name))
			if err != nil || got != refused {
				t.Errorf("%s at %s: %v, %v", name, phase, got, err)
			}
			// Also a writer that goes on past other faults finishes nothing.
			before := filesOf(disk)
			if err := record(open(t, x.root, disk), draft("past", "", "Goes on.", 3, 1)); err != nil {
				t.Errorf("%s at %s: record: %v", name, phase, err)
			}
			after := filesOf(disk)
			delete(after, string(dayOf(1)))
			if !maps.Equal(before, after) {
				t.Errorf("%s at %s: something was written upon it", name, phase)
			}
		}
	}
}

// neither changes each file to another sound one.
func (x *editor) neither() map[memory.Name]func(text string) string {
	replace := func(old, new string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, new, 1) }
	}
	event := `"event_id": "event:api.format", `
	return map[memory.Name]func(text string) string{
		memory.CuratedDocument:   replace(`"last_seen": "2026-03-03T12:00:00Z"`, `"last_seen": "2026-03-03T12:00:01Z"`),
		memory.ConflictsDocument: replace(`"detected_at": "2026-06-01T12:00:00Z"`, `"detected_at": "2026-06-01T12:00:01Z"`),
		memory.JournalLog: func(text string) string { // the pending intent, as somebody else would have it
			at := strings.LastIndex(text, `"intent": `)
			return text[:at] + strings.Replace(text[at:], `"rationale": "Because."`, `"rationale": "So what."`, 1)
		},
		memory.AuditLog: func(text string) string { // this event, with another reason
			first, _, _ := strings.Cut(text, "\n")
			if strings.Contains(text, event) {
				return strings.ReplaceAll(text, `"rationale": "Because."`, `"rationale": "So what."`)
			}
			return text + strings.Replace(first, `"event_id": "event:storage.database", `, event, 1) + "\n"
		},
	}
}

// A verdict is what became of an edit.
type verdict string

const (
	harmless verdict = "harmless"              // the state is the same
	refused  verdict = "refused"               // State names a fault, and every command that reads the file stops there
	told     verdict = "told by verify"        // the state differs, and Verify says what does not agree
	ownWords verdict = "own words of a record" // one record says something else that no other record speaks of
	gone     verdict = "uncited facts gone"    // facts are missing that no entry and no case speaks of
	undone   verdict = "pending decision gone" // with the journal, its only record: all is as before it
)

// An editor changes files of one store and looks what is made of it.
type editor struct {
	root  string
	disk  *crashfs.FS
	files map[string]string
	view  view
	found map[verdict]int

	undecided view            // before the decision that is pending
	known     map[string]bool // what Verify says of the store as it is
}

// newEditor makes a store with every kind of record, and perhaps a decision that died.
func newEditor(t testing.TB, phase string) *editor {
	t.Helper()
	x := &editor{root: newRoot(t), found: map[verdict]int{}}
	x.disk = crashfs.New(x.root)
	by(inForce, importBatch, distill, challenge, distill, chooseChallenger, challengeFormat, distill)(t, x.root, x.disk)
	x.undecided = viewOf(open(t, x.root, x.disk).State(context.Background()))
	if phase != "" {
		dieAfter(t, x.root, x.disk, phase, func(e *memory.Engine) error { return decide(e, "api.format", false) })
	}
	x.files = filesOf(x.disk)
	x.view = viewOf(open(t, x.root, x.disk).State(context.Background()))
	x.known = map[string]bool{}
	findings, err := open(t, x.root, x.disk).Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if f.Severity == memory.SeverityFault {
			t.Fatalf("verify: %+v", f)
		}
		x.known[f.File+f.What] = true
	}
	return x
}

// try makes the edit while the store is open, or before it is opened; in the long run both.
func (x *editor) try(t *testing.T, what, name string, isOpen bool, change func(disk *crashfs.FS) error) {
	t.Helper()
	ways := []bool{isOpen}
	if long() {
		ways = []bool{true, false}
	}
	for _, isOpen := range ways {
		disk := x.disk.Clone()
		e := open(t, x.root, disk)
		if isOpen {
			e.State(context.Background())
		}
		if err := change(disk); err != nil {
			t.Fatal(err)
		}
		got, err := x.verdict(t, disk, e, name)
		if err != nil {
			t.Errorf("%s, open: %v: %v", what, isOpen, err)
		}
		x.found[got]++
	}
}

func (x *editor) report(t *testing.T) {
	t.Helper()
	for _, v := range []verdict{harmless, refused, told, ownWords, gone, undone} {
		t.Logf("%5d %s", x.found[v], v)
	}
	if x.found[refused] == 0 || x.found[harmless] == 0 {
		t.Error("nothing was refused, or nothing was harmless")
	}
}

func differs(a, b map[string]string) []string {
	var keys []string
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			if a[key] != b[key] && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

func silent(what string, args ...any) (verdict, error) {
	return "", fmt.Errorf("silently different: "+what, args...)
}
