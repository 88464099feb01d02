package filestore_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// run takes the lease, plays the scenario, and gives the lease back.
func (sc scenario) run(store *filestore.Store) error {
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		return err
	}
	return errors.Join(sc.do(store), release())
}

// contents returns what a new store reads. An empty log counts as none: that is how
// one is left whose first line could not be written.
func contents(t testing.TB, project string) map[memory.Name]string {
	t.Helper()
	store := open(t, project, filestore.Options{})
	days, err := store.Days()
	must(t, err)
	names := []memory.Name{memory.CuratedDocument}
	for name := range days {
		names = append(names, name)
	}
	all := map[memory.Name]string{}
	for _, name := range names {
		if data := read(t, store, name); data != "" {
			all[name] = data
		}
	}
	return all
}

// TestFaults runs each scenario with each change going wrong in each way, and then
// reads the project anew. A file holds what it held before or what was written;
// only a process that died within a write leaves a part of it.
func TestFaults(t *testing.T) {
	for _, sc := range scenarios() {
		project := sc.prepare(t)
		before := contents(t, project)
		must(t, sc.run(open(t, project, filestore.Options{})))
		after := contents(t, project)
		for _, mode := range faultfs.Modes() {
			t.Run(sc.name+" "+mode.String(), func(t *testing.T) {
				changes := 0
				for tryFault(t, sc, before, after, changes, mode) {
					changes++
				}
				if changes < 6 {
					t.Errorf("only %d changes went wrong", changes)
				}
			})
		}
	}
}

// tryFault reports whether the scenario came as far as change n.
func tryFault(t *testing.T, sc scenario, before, after map[memory.Name]string, n int, mode faultfs.Mode) (fired bool) {
	t.Helper()
	project := sc.prepare(t)
	disk := faultfs.New(filestore.OS(), project)
	disk.FailAt(n, mode)
	err := sc.run(open(t, project, filestore.Options{FS: disk}))
	disk.Kill()
	got := contents(t, project)
	switch {
	case !disk.Fired() && err != nil:
		t.Errorf("%d: no fault, and %v", n, err)
	case disk.Fired() && err == nil:
		t.Errorf("%d: a fault, and no error; changes:\n%s", n, strings.Join(disk.Lines(), "\n"))
	case err == nil && !cmp.Equal(got, after):
		t.Errorf("%d: acknowledged, and the project holds %q", n, got)
	case !between(got, before, after, mode == faultfs.HalfThenGone):
		t.Errorf("%d (%v): the project holds %q, neither %q nor %q", n, err, got, before, after)
	}

	must(t, sc.run(open(t, project, filestore.Options{})))
	if diff := cmp.Diff(after, contents(t, project)); diff != "" {
		t.Errorf("%d: after opening and writing again (-want +got):\n%s", n, diff)
	}
	wantNoTemps(t, project)
	return disk.Fired()
}

// between reports whether each file is as before, as after, or, in a log, cut to
// what both have in common; with torn set, also with a part of what was to come.
func between(got, before, after map[memory.Name]string, torn bool) bool {
	for name := range after {
		is, was, will := got[name], before[name], after[name]
		if is == was || is == will {
			continue
		}
		cut := strings.HasPrefix(was, is) && strings.HasPrefix(will, is)
		part := torn && strings.HasPrefix(will, is)
		if name == memory.CuratedDocument || !cut && !part {
			return false
		}
	}
	return true
}

func wantNoTemps(t *testing.T, project string) {
	t.Helper()
	err := filepath.WalkDir(project, func(path string, _ fs.DirEntry, err error) error {
		if ours, _ := filepath.Match(filestore.TempPattern, filepath.Base(path)); ours {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	must(t, err)
}

// TestErrors has errors named, and the disk's own among them.
func TestErrors(t *testing.T) {
	for mode, errno := range map[faultfs.Mode]error{faultfs.NotDone: syscall.EIO, faultfs.ShortWrite: syscall.ENOSPC} {
		for _, sc := range scenarios() {
			project := sc.prepare(t)
			disk := faultfs.New(filestore.OS(), project)
			store := open(t, project, filestore.Options{FS: disk})
			lease(t, store)
			disk.FailAt(indexOf(t, sc, "write "), mode)
			err := sc.do(store)
			if !errors.Is(err, errno) || errors.Is(err, memory.ErrSealed) || memory.CodeOf(err) != memory.CodeIO {
				t.Errorf("%s, %s: %v; want %v, unsealed", sc.name, mode, err, errno)
			}
			wantNoTemps(t, project)
			if err := sc.do(store); err != nil {
				t.Errorf("%s, %s: the next write: %v", sc.name, mode, err)
			}
		}
	}
}

// indexOf returns the number of the first change with that prefix, counted from the
// moment when the lease is held.
func indexOf(t *testing.T, sc scenario, prefix string) int {
	t.Helper()
	return slices.IndexFunc(linesOf(t, sc), func(line string) bool { return strings.HasPrefix(line, prefix) })
}

func linesOf(t *testing.T, sc scenario) []string {
	t.Helper()
	project := sc.prepare(t)
	disk := faultfs.New(filestore.OS(), project)
	store := open(t, project, filestore.Options{FS: disk})
	lease(t, store)
	disk.Reset()
	must(t, sc.do(store))
	return disk.Lines()
}

// TestSealed fails each sync of each scenario, and writes on.
func TestSealed(t *testing.T) {
	for _, sc := range scenarios() {
		for n, line := range linesOf(t, sc) {
			if !strings.HasPrefix(line, "sync") {
				continue
			}
			for _, mode := range []faultfs.Mode{faultfs.NotDone, faultfs.DoneButFailed} {
				t.Run(sc.name+" "+line+" "+mode.String(), func(t *testing.T) {
					trySealed(t, sc, n, mode)
				})
			}
		}
	}
}

func trySealed(t *testing.T, sc scenario, n int, mode faultfs.Mode) {
	project := sc.prepare(t)
	disk := faultfs.New(filestore.OS(), project)
	store := open(t, project, filestore.Options{FS: disk})
	release := lease(t, store)
	disk.Reset()
	disk.FailAt(n, mode)
	if err := sc.do(store); !errors.Is(err, memory.ErrSealed) || !errors.Is(err, faultfs.ErrInjected) {
		t.Fatalf("a failed sync: %v; want both causes", err)
	}
	for _, line := range disk.Lines()[n+1:] {
		if strings.HasPrefix(line, "sync") {
			t.Errorf("after a failed sync: %s", line)
		}
	}
	disk.Reset()
	wantSealed(t, "Append", store.Append(today, 0, []byte("x\n")))
	wantSealed(t, "Replace", store.Replace(memory.CuratedDocument, []byte("x\n")))
	must(t, release())
	if _, err := store.Lease(context.Background(), true); !errors.Is(err, memory.ErrSealed) {
		t.Fatalf("Lease of a sealed store: %v", err) // held, so that nobody else could write
	}
	if lines := disk.Lines(); len(lines) > 0 {
		t.Errorf("a sealed store changed the disk: %q", lines)
	}
	if _, err := store.Days(); err != nil {
		t.Errorf("a sealed store does not read: %v", err)
	}
	must(t, sc.run(open(t, project, filestore.Options{FS: disk})))
}

func wantSealed(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, memory.ErrSealed) {
		t.Errorf("%s of a sealed store: %v", what, err)
	}
}

// TestUnsyncedIsTakenBack fails each sync of each append, and wants the log as it was:
// what is read there would be built upon, and a power cut may take it away.
func TestUnsyncedIsTakenBack(t *testing.T) {
	for _, sc := range scenarios() {
		for n, line := range linesOf(t, sc) {
			if !strings.HasPrefix(line, "sync") || !strings.Contains(sc.name, "append") {
				continue
			}
			project := sc.prepare(t)
			before := contents(t, project)
			disk := faultfs.New(filestore.OS(), project)
			store := open(t, project, filestore.Options{FS: disk})
			lease(t, store)
			disk.FailAt(n, faultfs.DoneButFailed)
			wantSealed(t, sc.name, sc.do(store))
			for name, text := range contents(t, project) {
				if !strings.HasPrefix(before[name], text) { // a torn tail may be gone
					t.Errorf("%s, %s: %s holds %q, and before it %q", sc.name, line, name, text, before[name])
				}
			}
		}
	}
}

// A stuckFS writes half, and cannot cut that back.
type stuckFS struct{ filestore.FS }

type stuckFile struct{ filestore.File }

func (s stuckFS) Open(path string, flag int) (filestore.File, error) {
	file, err := s.FS.Open(path, flag)
	return stuckFile{file}, err
}

func (s stuckFile) Write(data []byte) (int, error) { return s.File.Write(data[:len(data)/2]) }
func (s stuckFile) Truncate(int64) error           { return syscall.EIO }

// TestCutBackFails also has a write that is short without an error.
func TestCutBackFails(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{FS: stuckFS{filestore.OS()}})
	lease(t, store)
	wantSealed(t, "the first Append", store.Append(today, 0, []byte("one\n")))
	wantSealed(t, "the next Append", store.Append(today, 0, []byte("one\n")))
}
