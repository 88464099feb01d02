package crashtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
			got := operations(disk.Lines())
			name := filepath.Join("testdata", "operations", strings.ReplaceAll(s.name, " ", "-")+".golden")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the changes are others (-want +got); if they are meant, run with -update:\n%s", diff)
			}
		})
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
