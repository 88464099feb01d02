package faultfs_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

const all = "0123456789"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write makes four changes: create, write, sync, close.
func write(disk *faultfs.FS, path string) error {
	file, err := disk.Open(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = file.Write([]byte(all))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func TestModes(t *testing.T) {
	const none = "(none)"
	const create, writing, closing = 0, 1, 3
	tests := []struct {
		mode    faultfs.Mode
		at      int
		wantErr error
		want    string
	}{
		{faultfs.NotDone, create, syscall.EIO, none},
		{faultfs.NotDone, writing, syscall.EIO, ""},
		{faultfs.NotDone, closing, syscall.EIO, all},
		{faultfs.DoneButFailed, create, syscall.EIO, ""},
		{faultfs.DoneButFailed, writing, syscall.EIO, all},
		{faultfs.DoneThenGone, create, faultfs.ErrGone, ""},
		{faultfs.DoneThenGone, writing, faultfs.ErrGone, all},
		{faultfs.DoneThenGone, closing, faultfs.ErrGone, all},
		{faultfs.ShortWrite, create, syscall.ENOSPC, none},
		{faultfs.ShortWrite, writing, syscall.ENOSPC, all[:5]},
		{faultfs.HalfThenGone, create, faultfs.ErrGone, none},
		{faultfs.HalfThenGone, writing, faultfs.ErrGone, all[:5]},
		{faultfs.NotDone, 4, nil, all}, // later than the last change
	}
	for _, test := range tests {
		root := t.TempDir()
		path := filepath.Join(root, "file")
		disk := faultfs.New(filestore.OS(), root)
		disk.FailAt(test.at, test.mode)
		err := write(disk, path)
		if !errors.Is(err, test.wantErr) || disk.Fired() != (test.wantErr != nil) {
			t.Errorf("%s at %d: %v, fired %v; want %v", test.mode, test.at, err, disk.Fired(), test.wantErr)
		}
		disk.Kill()
		got := none
		if data, err := os.ReadFile(path); err == nil {
			got = string(data)
		}
		if got != test.want {
			t.Errorf("%s at %d: the file is %q, want %q", test.mode, test.at, got, test.want)
		}
	}
}

// TestOnce has one change fail, and the next ones work.
func TestOnce(t *testing.T) {
	root := t.TempDir()
	disk := faultfs.New(filestore.OS(), root)
	for range 2 {
		disk.FailAt(1, faultfs.NotDone)
		if err := disk.Mkdir(filepath.Join(root, "a")); err != nil {
			t.Fatal(err)
		}
		if err := disk.Remove(filepath.Join(root, "a")); !errors.Is(err, faultfs.ErrInjected) {
			t.Errorf("the change to fail: %v", err)
		}
		if err := disk.Remove(filepath.Join(root, "a")); err != nil {
			t.Errorf("the next change: %v", err)
		}
	}
}

// TestReads has one read of each kind fail, and the next ones work.
func TestReads(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "file")
	disk := faultfs.New(filestore.OS(), root)
	must(t, write(disk, path))
	file, err := disk.Open(path, os.O_RDONLY)
	must(t, err)
	calls := map[string]func() error{
		"Lstat":   func() error { _, err := disk.Lstat(path); return err },
		"ReadDir": func() error { _, err := disk.ReadDir(root); return err },
		"Open":    func() error { _, err := disk.Open(path, os.O_RDONLY); return err },
		"Stat":    func() error { _, err := file.Stat(); return err },
		"ReadAt":  func() error { _, err := file.ReadAt(make([]byte, 1), 0); return err },
	}
	for name, call := range calls {
		disk.FailReadAt(1)
		must(t, call())
		must(t, disk.Mkdir(filepath.Join(root, name))) // no read
		if err := call(); !errors.Is(err, syscall.EIO) || !errors.Is(err, faultfs.ErrInjected) || !disk.Fired() {
			t.Errorf("%s, the read to fail: %v", name, err)
		}
		must(t, call())
	}
}

func TestLines(t *testing.T) {
	root := t.TempDir()
	disk := faultfs.New(filestore.OS(), root)
	folder := filepath.Join(root, "folder")
	if err := errors.Join(disk.Mkdir(folder), disk.SyncDir(root), write(disk, filepath.Join(folder, "file"))); err != nil {
		t.Fatal(err)
	}
	temp, err := disk.CreateTemp(folder)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(temp.Chmod(0o600), temp.Truncate(3), temp.Close(), disk.Rename(temp.Name(), filepath.Join(folder, "new")))
	if err != nil {
		t.Fatal(err)
	}
	temp, err = disk.CreateTemp(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(temp.Close(), disk.Remove(temp.Name())); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"mkdir folder", "syncdir .",
		"create folder/file", "write folder/file", "sync folder/file", "close folder/file",
		"create folder/.docket-*.tmp", "chmod folder/.docket-*.tmp", "truncate folder/.docket-*.tmp",
		"close folder/.docket-*.tmp", "rename folder/new",
		"create folder/.docket-*.tmp", "close folder/.docket-*.tmp", "remove folder/.docket-*.tmp",
	}
	if diff := cmp.Diff(want, disk.Lines()); diff != "" {
		t.Errorf("Lines (-want +got):\n%s", diff)
	}
}

// TestGone lets nothing work in a process that is gone, and keeps its lock until it
// is killed.
func TestGone(t *testing.T) {
	root := t.TempDir()
	disk := faultfs.New(filestore.OS(), root)
	if err := write(disk, filepath.Join(root, "file")); err != nil {
		t.Fatal(err)
	}
	file, err := disk.Open(filepath.Join(root, "file"), os.O_RDONLY)
	if err != nil {
		t.Fatal(err)
	}
	lockFile := filepath.Join(root, "lock")
	lock, err := disk.Lock(t.Context(), lockFile, "me")
	if err != nil {
		t.Fatal(err)
	}
	disk.FailAt(0, faultfs.DoneThenGone)
	calls := map[string]func() error{
		"Mkdir":       func() error { return disk.Mkdir(filepath.Join(root, "x")) },
		"Lstat":       func() error { _, err := disk.Lstat(root); return err },
		"ReadDir":     func() error { _, err := disk.ReadDir(root); return err },
		"UnsafeLocks": func() error { _, err := disk.UnsafeLocks(root); return err },
		"Open":        func() error { _, err := disk.Open(filepath.Join(root, "file"), os.O_RDONLY); return err },
		"Lock":        func() error { _, err := disk.Lock(t.Context(), lockFile, "me"); return err },
		"ReadAt":      func() error { _, err := file.ReadAt(make([]byte, 1), 0); return err },
		"Stat":        func() error { _, err := file.Stat(); return err },
		"Close":       file.Close,
		"Unlock":      lock.Unlock,
	}
	if err := calls["Mkdir"](); !errors.Is(err, faultfs.ErrGone) {
		t.Fatalf("the last change: %v", err)
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, faultfs.ErrGone) {
			t.Errorf("%s of a process that is gone: %v", name, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20e6)
	defer cancel()
	if _, err := filestore.OS().Lock(ctx, lockFile, "other"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock before Kill: %v", err)
	}
	disk.Kill()
	if _, err := filestore.OS().Lock(t.Context(), lockFile, "other"); err != nil {
		t.Errorf("Lock after Kill: %v", err)
	}
}

// TestLockFault does not keep a lock that was reported as not had.
func TestLockFault(t *testing.T) {
	root := t.TempDir()
	disk := faultfs.New(filestore.OS(), root)
	for _, mode := range []faultfs.Mode{faultfs.NotDone, faultfs.DoneButFailed, faultfs.ShortWrite} {
		disk.FailAt(0, mode)
		if _, err := disk.Lock(t.Context(), filepath.Join(root, "lock"), "me"); !errors.Is(err, faultfs.ErrInjected) {
			t.Errorf("%s: Lock: %v", mode, err)
		}
	}
	if _, err := disk.Lock(t.Context(), filepath.Join(root, "lock"), "me"); err != nil {
		t.Errorf("Lock: %v", err)
	}
	if _, err := disk.Lstat(filepath.Join(root, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Lstat of nothing: %v", err)
	}
}
