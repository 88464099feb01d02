//go:build unix

package filestore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// TestTryLock locks a file and takes its name away, as happens between the two
// steps of a try when somebody cleans a folder: opening and locking.
func TestTryLock(t *testing.T) {
	tests := []struct {
		name    string
		between func(path string) error
		want    error
	}{
		{"nothing happens", func(string) error { return nil }, nil},
		{"renamed", func(path string) error { return os.Rename(path, path+".old") }, errHeld},
		{"replaced", func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		}, errHeld},
		{"replaced by a link to it", func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.Symlink(path+".old", path))
		}, errHeld},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "lock")
		var kernel *flock.Flock
		got, err := tryLock(path, func(lock *flock.Flock) (bool, error) {
			kernel = lock
			ok, err := lock.TryLock()
			return ok, errors.Join(err, test.between(path))
		})
		if !errors.Is(err, test.want) || (got == nil) != (test.want != nil) || kernel.Locked() != (test.want == nil) {
			t.Errorf("%s: %v, %v, locked %v; want %v", test.name, got, err, kernel.Locked(), test.want)
		}
	}
}

// TestSlot looks at the part of the lock that is in the process, which the kernel's
// lock hides where it is one between open files.
func TestSlot(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	slot, err := slotOf(link)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		lock, err := OS().Lock(t.Context(), filepath.Join(folder, "lock"), "me")
		if err != nil || len(slot) != 1 {
			t.Fatalf("Lock: %v; the slot holds %d", err, len(slot))
		}
		if err := lock.Unlock(); err != nil || len(slot) != 0 {
			t.Fatalf("Unlock: %v; the slot holds %d", err, len(slot))
		}
	}
}
