package crashtest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/crashfs"
)

// TestOperations compares the changes that each scenario makes with a golden file: a
// change that is not in it is a boundary that nobody has thought of. The file shows the
// syncs, the price of the scenario, in its last line.
func TestOperations(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			root := newRoot(t)
			disk := crashfs.New(root)
			s.setup(t, root, disk)
			disk.Record()
			if err := s.run(open(t, root, disk)); err != nil {
				t.Fatal(err)
			}
			wantGolden(t, s.name, disk.Lines())
		})
	}
	for _, x := range seals() {
		t.Run(x.name, func(t *testing.T) { wantGolden(t, x.name, x.lines(t)) })
	}
}

// A seal is a scenario of which one sync fails.
type seal struct {
	name     string
	scenario string
	change   string // that fails, the first of it
}

func seals() []seal {
	return []seal{
		{"seal in an append", "first append of a day", "sync " + inFolder(dayOf(1))},
		{"seal behind an append", "first append of a day", "syncdir " + inFolder("daily")},
		{"seal in the cut of a torn line", "append behind a torn line", "sync " + inFolder(dayOf(90))},
		{"seal in a document", "distill into entries", "sync " + inFolder(filestore.TempPattern)},
		{"seal in a decision", "choose a challenger", "sync " + inFolder(memory.JournalLog)},
	}
}

// lines returns the changes of the run whose sync fails, and of the same engine asked
// again: a sealed store takes back what is not durable, closes, and does nothing more.
func (x seal) lines(t *testing.T) []string {
	t.Helper()
	all := scenarios()
	s := all[slices.IndexFunc(all, func(s scenario) bool { return s.name == x.scenario })]
	root := newRoot(t)
	disk := crashfs.New(root)
	s.setup(t, root, disk)
	trial := disk.Clone()
	if err := s.run(open(t, root, trial)); err != nil {
		t.Fatal(err)
	}
	disk.Record()
	n := slices.Index(trial.Lines(), x.change)
	disk.FailAt(n, crashfs.SyncDropped)
	e := open(t, root, disk)
	for _, request := range []func(*memory.Engine) error{s.run, s.run, load} {
		if err := request(e); !errors.Is(err, memory.ErrSealed) || !disk.Fired() {
			t.Fatalf("%q, change %d, failed: %t, and the engine says: %v", x.change, n, disk.Fired(), err)
		}
	}
	lines := disk.Lines()
	lines[n] += " fails"
	return lines
}

// wantGolden compares changes with the file of that name, or writes it anew.
func wantGolden(t *testing.T, name string, lines []string) {
	t.Helper()
	got := operations(lines)
	path := filepath.Join("testdata", "operations", strings.ReplaceAll(name, " ", "-")+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the changes are others (-want +got); if they are meant, run with -update:\n%s", diff)
	}
}

// operations writes changes down with their paths in the store, and counts the syncs.
func operations(lines []string) string {
	var b strings.Builder
	files, folders := 0, 0
	for _, line := range lines {
		op, path, _ := strings.Cut(line, " ")
		switch op {
		case "sync":
			files++
		case "syncdir":
			folders++
		}
		if rest, ok := strings.CutPrefix(path, folder+"/"); ok {
			path = rest
		}
		fmt.Fprintf(&b, "%s %s\n", op, path)
	}
	fmt.Fprintf(&b, "%d changes; fsync of %d files and %d folders\n", len(lines), files, folders)
	return b.String()
}
