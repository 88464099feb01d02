package filestore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

const shortWait = 100 * time.Millisecond

func wantBusy(t *testing.T, store *filestore.Store) *memory.BusyError {
	t.Helper()
	_, err := store.Lease(context.Background(), true)
	var busy *memory.BusyError
	if !errors.As(err, &busy) {
		t.Fatalf("Lease: %v; want a BusyError", err)
	}
	return busy
}

// TestTwoPathsOneLease takes the lease by one path and asks for it by another.
func TestTwoPathsOneLease(t *testing.T) {
	project := newProject(t)
	link := filepath.Join(newProject(t), "link")
	must(t, os.Symlink(project, link))
	release := lease(t, open(t, project, filestore.Options{}))
	other := open(t, link, filestore.Options{LeaseWait: shortWait})
	wantBusy(t, other)
	must(t, release())
	lease(t, other)
}

func TestTwoProjectsTwoLeases(t *testing.T) {
	for range 2 {
		lease(t, open(t, newProject(t), filestore.Options{LeaseWait: shortWait}))
	}
	project := newProject(t)
	for _, namespace := range []string{"one", "two"} {
		lease(t, open(t, project, filestore.Options{LeaseWait: shortWait, Namespace: namespace}))
	}
}

// TestLeaseFileReplaced removes the lock file, as cleaning a work tree does: the
// next writer may lock the new file, and the lock on the old one is worth nothing.
func TestLeaseFileReplaced(t *testing.T) {
	project := newProject(t)
	store := open(t, project, filestore.Options{LeaseWait: shortWait})
	release := lease(t, store)
	path := filepath.Join(store.Folder(), ".lease")
	before, err := os.Stat(path)
	must(t, err)
	must(t, release())
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the lock file was not left where it was: %v", err)
	}
	must(t, os.Rename(path, path+".old")) // the old file stays, or its inode could be used again
	release = lease(t, store)
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the lock is not on the file that the path names: %v", err)
	}
	wantBusy(t, open(t, project, filestore.Options{LeaseWait: shortWait}))
	must(t, release())
}

func TestHolderWords(t *testing.T) {
	project := newProject(t)
	release := lease(t, open(t, project, filestore.Options{}))
	other := open(t, project, filestore.Options{LeaseWait: shortWait})
	path := filepath.Join(other.Folder(), ".lease")
	for written, want := range map[string]string{
		"pid 1 on somewhere\npid 22 on a longer name\n": "pid 1 on somewhere",
		"no new line":                "no new line",
		"":                           "",
		"\x1b[2Jred\u202e\xff\x00\n": "[2Jred",
		strings.Repeat("x", 1000):    strings.Repeat("x", 200),
	} {
		must(t, os.WriteFile(path, []byte(written), 0o600))
		if got := wantBusy(t, other).Holder; got != want {
			t.Errorf("holder of %q is %q, want %q", written, got, want)
		}
	}
	must(t, release())
	// A long story before makes no tail to ours.
	release = lease(t, other)
	third := open(t, project, filestore.Options{LeaseWait: shortWait})
	words, err := os.ReadFile(path)
	must(t, err)
	if got := wantBusy(t, third).Holder; !strings.HasPrefix(got, "pid ") || string(words) != got+"\n" {
		t.Errorf("holder is %q, of %q", got, words)
	}
	must(t, release())
	must(t, release()) // a second time does nothing
	lease(t, third)
	must(t, release())
	wantBusy(t, other)
}

// TestGoneHolder has a process die with the lease, as the fault injection tells it.
func TestGoneHolder(t *testing.T) {
	project := newProject(t)
	disk := faultfs.New(filestore.OS(), project)
	release := lease(t, open(t, project, filestore.Options{FS: disk}))
	disk.FailAt(0, faultfs.DoneThenGone)
	if err := disk.Mkdir(filepath.Join(project, "x")); !errors.Is(err, faultfs.ErrGone) {
		t.Fatalf("Mkdir: %v", err)
	}
	if err := release(); !errors.Is(err, faultfs.ErrGone) {
		t.Errorf("release by a process that is gone: %v", err)
	}
	next := open(t, project, filestore.Options{LeaseWait: shortWait})
	wantBusy(t, next)
	disk.Kill()
	lease(t, next)
}
