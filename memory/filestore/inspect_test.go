package filestore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// TestSealedByAFailedSyncAlone tries every change of an append.
func TestSealedByAFailedSyncAlone(t *testing.T) {
	sealing := 0
	for n := 0; ; n++ {
		project := t.TempDir()
		disk := faultfs.New(filestore.OS(), project)
		store, err := filestore.Open(project, filestore.Options{FS: disk})
		if err != nil {
			t.Fatal(err)
		}
		disk.FailAt(n, faultfs.NotDone)
		release, err := store.Lease(context.Background(), true)
		if err == nil {
			err = errors.Join(store.Append(memory.AuditLog, 0, []byte("{}\n")), release())
		}
		if store.Sealed() != errors.Is(err, memory.ErrSealed) {
			t.Errorf("change %d failed: sealed %t, %v", n, store.Sealed(), err)
		}
		if store.Sealed() {
			sealing++
		}
		if !disk.Fired() {
			break
		}
	}
	if sealing == 0 {
		t.Error("nothing seals the store")
	}
}

func TestInspectOfNoStore(t *testing.T) {
	store, err := filestore.Open(t.TempDir(), filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := store.Inspect(); err != nil || len(found) > 0 {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestInspectLeavesTheNamespaceAlone holds that what others keep beside the memory
// folder is theirs.
func TestInspectLeavesTheNamespaceAlone(t *testing.T) {
	project := t.TempDir()
	store, err := filestore.Open(project, filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"other", "memory/other", "memory/daily/2026-02-30.jsonl"} {
		path = filepath.Join(project, filestore.DefaultNamespace, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := store.Inspect()
	if err != nil {
		t.Fatal(err)
	}
	stranger := memory.Finding{What: "a file that is not of the layout", Severity: memory.SeverityNote}
	want := []memory.Finding{stranger, stranger}
	want[0].File, want[1].File = "other", "daily/2026-02-30.jsonl"
	if diff := cmp.Diff(want, found, cmpopts.IgnoreFields(memory.Finding{}, "Why")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
