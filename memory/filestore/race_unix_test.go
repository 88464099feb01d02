//go:build unix

package filestore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// A racingFS lets something happen just before a file is opened for reading, and
// just after it was described.
type racingFS struct {
	filestore.FS
	beforeOpen, afterStat func(path string)
}

type racingFile struct {
	filestore.File
	afterStat func(path string)
}

func (r racingFS) Open(path string, flag int) (filestore.File, error) {
	if flag == os.O_RDONLY && r.beforeOpen != nil {
		r.beforeOpen(path)
	}
	file, err := r.FS.Open(path, flag)
	if err != nil {
		return nil, err
	}
	return racingFile{file, r.afterStat}, nil
}

func (r racingFile) Stat() (fs.FileInfo, error) {
	info, err := r.File.Stat()
	if r.afterStat != nil {
		r.afterStat(r.Name())
	}
	return info, err
}

// TestReadRaces changes the file while it is read.
func TestReadRaces(t *testing.T) {
	project := newProject(t)
	write := func(text string) {
		t.Helper()
		store := open(t, project, filestore.Options{})
		release := lease(t, store)
		must(t, store.Append(today, 0, []byte(text)))
		must(t, release())
	}
	cut := func(path string) { must(t, os.Truncate(path, 4)) }
	grow := func(path string) {
		must(t, os.WriteFile(path, []byte("0123456789ab"), 0o600))
	}
	remove := func(path string) { must(t, os.Remove(path)) }
	tests := []struct {
		name string
		disk racingFS
		want string
	}{
		{"cut before it is opened", racingFS{beforeOpen: cut}, "123"},
		{"cut when its size is known", racingFS{afterStat: cut}, "123"},
		{"grown when its size is known", racingFS{afterStat: grow}, "123456789"},
		{"removed before it is opened", racingFS{beforeOpen: remove}, ""},
		{"removed when it is open", racingFS{afterStat: remove}, "123456789"},
	}
	for _, test := range tests {
		write("0123456789")
		test.disk.FS = filestore.OS()
		data, stamp, err := open(t, project, filestore.Options{FS: test.disk}).Read(today, 1)
		if err != nil || string(data) != test.want {
			t.Errorf("%s: Read = %q, %v; want %q", test.name, data, err, test.want)
		}
		if size := int64(len(data)); size > 0 && stamp.Size != 1+size {
			t.Errorf("%s: stamp %+v of %d bytes from 1 on", test.name, stamp, size)
		}
	}
}

// TestReadBecomesOdd puts a folder or a link in the file's place when it has been
// looked at, and before it is opened.
func TestReadBecomesOdd(t *testing.T) {
	project := newProject(t)
	outside := filepath.Join(project, "outside")
	must(t, os.WriteFile(outside, []byte("outside\n"), 0o600))
	for name, put := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"link":   func(path string) error { return os.Symlink(outside, path) },
	} {
		store := open(t, project, filestore.Options{})
		release := lease(t, store)
		must(t, store.Replace(memory.Projection, []byte("x\n")))
		must(t, release())
		disk := racingFS{FS: filestore.OS(), beforeOpen: func(path string) {
			must(t, os.Remove(path))
			must(t, put(path))
		}}
		data, _, err := open(t, project, filestore.Options{FS: disk}).Read(memory.Projection, 0)
		if err == nil || len(data) > 0 {
			t.Errorf("%s: Read = %q, %v; want an error", name, data, err)
		}
		if name == "folder" {
			wantFault(t, "Read of a folder", err, string(memory.Projection))
		}
		must(t, os.Remove(filepath.Join(store.Folder(), string(memory.Projection))))
	}
}

// A crowdedFS has another process make each folder a moment earlier.
type crowdedFS struct{ filestore.FS }

func (c crowdedFS) Mkdir(path string) error {
	if err := c.FS.Mkdir(path); err != nil {
		return err
	}
	return c.FS.Mkdir(path)
}

func TestFoldersMadeByAnother(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{FS: crowdedFS{filestore.OS()}})
	lease(t, store)
	must(t, store.Append(today, 0, []byte("one\n")))
	if got := read(t, store, today); got != "one\n" {
		t.Errorf("Read = %q", got)
	}
}
