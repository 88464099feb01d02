//go:build unix

package filestore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// wantFault checks that err is a fault of corruption, of the named file.
func wantFault(t *testing.T, what string, err error, file string) {
	t.Helper()
	var fault *memory.Fault
	if !errors.As(err, &fault) || fault.Code != memory.CodeCorrupt || fault.File != file {
		t.Errorf("%s: %v; want a Fault of %s", what, err, file)
	}
}

// TestOddFolders puts something that is no folder in the place of each folder,
// before the store is opened and after it.
func TestOddFolders(t *testing.T) {
	folders := map[string]string{
		".learn_workbuddy":              ".learn_workbuddy",
		".learn_workbuddy/memory":       ".learn_workbuddy/memory",
		".learn_workbuddy/memory/daily": "daily",
	}
	outside := newProject(t)
	must(t, os.MkdirAll(filepath.Join(outside, "memory", "daily"), 0o755))
	odd := map[string]func(path string) error{
		"link out":      func(path string) error { return os.Symlink(outside, path) },
		"dangling link": func(path string) error { return os.Symlink("nowhere", path) },
		"file":          func(path string) error { return os.WriteFile(path, nil, 0o600) },
	}
	for folder, name := range folders {
		for kind, put := range odd {
			t.Run(name+" "+kind, func(t *testing.T) {
				reason := "is not a folder"
				if strings.Contains(kind, "link") {
					reason = "is a symbolic link, which is not followed"
				}
				project := newProject(t)
				path := filepath.Join(project, folder)
				early := open(t, project, filestore.Options{})
				must(t, os.MkdirAll(filepath.Dir(path), 0o700))
				must(t, put(path))
				_, err := filestore.Open(project, filestore.Options{})
				wantFault(t, "Open", err, name)
				if !strings.HasSuffix(err.Error(), reason) {
					t.Errorf("Open: %v; want that it %s", err, reason)
				}
				refusesFolder(t, early, name)
			})
		}
	}
	if left, err := os.ReadDir(filepath.Join(outside, "memory")); err != nil || len(left) != 1 {
		t.Errorf("a link was followed: %v, %v", left, err)
	}
}

func refusesFolder(t *testing.T, store *filestore.Store, name string) {
	t.Helper()
	_, err := store.Days()
	wantFault(t, "Days", err, name)
	_, err = store.Stat(today)
	wantFault(t, "Stat", err, name)
	_, _, err = store.Read(today, 0)
	wantFault(t, "Read", err, name)
	release, err := store.Lease(context.Background(), true)
	if name != "daily" {
		wantFault(t, "Lease", err, name)
		return
	}
	must(t, err)
	defer func() { must(t, release()) }()
	wantFault(t, "Append", store.Append(today, 0, []byte("x\n")), name)
	wantFault(t, "Replace", store.Replace(today, []byte("x\n")), name)
}

// TestOddFiles puts something that is no regular file in the place of each file.
func TestOddFiles(t *testing.T) {
	names := []memory.Name{memory.CuratedDocument, memory.ConflictsDocument, memory.Projection,
		memory.AuditLog, memory.JournalLog, today}
	odd := map[string]func(path, target string) error{
		"link":          func(path, target string) error { return os.Symlink(target, path) },
		"dangling link": func(path, _ string) error { return os.Symlink("nowhere", path) },
		"folder":        func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"pipe":          func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	}
	for kind, put := range odd {
		t.Run(kind, func(t *testing.T) {
			project := newProject(t)
			target := filepath.Join(project, "target")
			must(t, os.WriteFile(target, []byte("outside\n"), 0o600))
			store := open(t, project, filestore.Options{})
			lease(t, store)
			must(t, os.Mkdir(filepath.Join(store.Folder(), "daily"), 0o700))
			for _, name := range names {
				path := filepath.Join(store.Folder(), string(name))
				must(t, put(path, target))
				_, err := store.Stat(name)
				wantFault(t, "Stat", err, string(name))
				_, _, err = store.Read(name, 0)
				wantFault(t, "Read", err, string(name))
				reason := "is not a regular file"
				if strings.Contains(kind, "link") {
					reason = "is a symbolic link, which is not followed"
				}
				if !strings.HasSuffix(err.Error(), reason) {
					t.Errorf("Read: %v; want that it %s", err, reason)
				}
				wantFault(t, "Append", store.Append(name, 0, []byte("x\n")), string(name))
				wantFault(t, "Replace", store.Replace(name, []byte("x\n")), string(name))
			}
			if days, err := store.Days(); err != nil || len(days) != 1 {
				t.Errorf("Days = %v, %v; want the one that Read refuses", days, err)
			}
			if data, err := os.ReadFile(target); string(data) != "outside\n" {
				t.Errorf("a link was followed: %q, %v", data, err)
			}
		})
	}
}

func TestLeaseFileIsLink(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{})
	release := lease(t, store)
	must(t, release())
	path := filepath.Join(store.Folder(), ".lease")
	must(t, os.Remove(path))
	must(t, os.Symlink("elsewhere", path))
	_, err := store.Lease(context.Background(), false)
	wantFault(t, "Lease", err, ".lease")
	if _, err := os.Lstat(filepath.Join(store.Folder(), "elsewhere")); err == nil {
		t.Error("the lock file's link was followed")
	}
}

// TestModes creates everything under masks that are too wide and too narrow. The
// mask is the process's: no other test may run beside this one.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o277} {
		project := newProject(t)
		old := syscall.Umask(mask)
		store := open(t, project, filestore.Options{})
		release, err := store.Lease(context.Background(), true)
		if err == nil {
			err = errors.Join(
				store.Append(today, 0, []byte("x\n")),
				store.Replace(memory.CuratedDocument, []byte("x\n")),
				release())
		}
		syscall.Umask(old)
		must(t, err)
		for path, want := range map[string]os.FileMode{
			"..": os.ModeDir | 0o700, ".": os.ModeDir | 0o700, "daily": os.ModeDir | 0o700,
			".lease": 0o600, "curated.json": 0o600, string(today): 0o600,
		} {
			info, err := os.Stat(filepath.Join(store.Folder(), path))
			if err != nil || info.Mode() != want {
				t.Errorf("umask %#o: %s has mode %v (%v), want %v", mask, path, info.Mode(), err, want)
			}
		}
	}
}
