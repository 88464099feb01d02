package cli

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/crashfs"
)

// TestImportAgainIsDurable kills an import before each of its changes, runs it again
// until it is acknowledged, and takes the power away: every fact must be there, those too
// that the dead process had written and not synced.
func TestImportAgainIsDurable(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	open := func(disk filestore.FS) *memory.Engine {
		store, err := filestore.Open(root, filestore.Options{Identity: "/srv/import", FS: disk, LeaseWait: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return memory.Open(store, memory.Options{})
	}
	const lines = `{"content": "One.", "recorded_at": "2026-01-01T00:00:00Z"}
{"content": "Two.", "recorded_at": "2026-01-02T00:00:00Z"}
{"content": "Three.", "recorded_at": "2026-01-03T00:00:00Z"}
`
	run := func(disk filestore.FS) error {
		return (&Import{File: "-"}).Run(context.Background(), &Terminal{
			Open: func() (*memory.Engine, error) { return open(disk), nil }, Stdin: strings.NewReader(lines), Stdout: io.Discard,
		})
	}
	disk := crashfs.New(root)
	disk.Record()
	if err := run(disk); err != nil {
		t.Fatal(err)
	}
	for n, moment := range disk.Moments() {
		killed := moment.Clone()
		killed.Restart()
		if err := run(killed); err != nil {
			t.Fatalf("killed before change %d, again: %v", n, err)
		}
		state := open(killed.Synced().Disk).State(context.Background())
		if state.Len() != 3 || len(state.Faults()) > 0 {
			t.Errorf("killed before change %d, acknowledged again, power lost: %d facts of 3, faults %v", n, state.Len(), state.Faults())
		}
	}
}
