//go:build unix

package memory_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
)

// A refusingFS is a disk that does not let one path be opened, as a mode does not for
// everybody but root.
type refusingFS struct {
	filestore.FS
	path string
}

func (r *refusingFS) Open(path string, flag int) (filestore.File, error) {
	if path == r.path {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
	}
	return r.FS.Open(path, flag)
}

func (r *refusingFS) ReadDir(path string) ([]string, error) {
	if path == r.path {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
	}
	return r.FS.ReadDir(path)
}

// An oddity is what stands in the place of a file. put puts it there, and gives back what
// was there when undo is called.
type oddity struct {
	name   string
	reason string
	code   memory.Code
	put    func(path string, disk *refusingFS) error
}

const aside = ".aside"

func oddities() []oddity {
	away := func(put func(path string) error) func(string, *refusingFS) error {
		return func(path string, _ *refusingFS) error {
			return errors.Join(os.Rename(path, filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(path))), aside)), put(path))
		}
	}
	const link, kind = "is a symbolic link, which is not followed", "is not a regular file"
	return []oddity{
		{"link", link, memory.CodeCorrupt, away(func(path string) error { return os.Symlink("../"+aside, path) })},
		{"dangling link", link, memory.CodeCorrupt, away(func(path string) error { return os.Symlink("nowhere", path) })},
		{"pipe", kind, memory.CodeCorrupt, away(func(path string) error { return syscall.Mkfifo(path, 0o600) })},
		{"folder", kind, memory.CodeCorrupt, away(func(path string) error { return os.Mkdir(path, 0o700) })},
		{"refused", "cannot be read: permission denied", memory.CodeIO, func(path string, disk *refusingFS) error {
			disk.path = path
			return nil
		}},
		{"mode 000", "cannot be read: permission denied", memory.CodeIO, func(path string, _ *refusingFS) error { return os.Chmod(path, 0) }},
	}
}

// undo puts the file back.
func (o oddity) undo(path string, disk *refusingFS) error {
	if disk.path = ""; o.code == memory.CodeIO {
		return os.Chmod(path, 0o600)
	}
	return errors.Join(os.Remove(path), os.Rename(filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(path))), aside), path))
}

// contents is how many records of each part a State shows.
func contents(s *memory.State) map[memory.Part]int {
	text, _ := s.Memory()
	return map[memory.Part]int{
		memory.PartFacts: s.Len(), memory.PartCurated: len(s.Entries()), memory.PartConflicts: len(s.Cases()),
		memory.PartAudit: len(s.Adjudications()), memory.PartProjection: len(text),
	}
}

// lying lists what lies in the folder, and what the regular files hold that may be read.
func lying(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(storeIn(dir), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found[path] = entry.Type().String()
		if entry.Type().IsRegular() && filepath.Base(path) != ".lease" { // where the holder's words are
			data, err := os.ReadFile(path)
			if err == nil {
				found[path] += string(data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOneFileThatCannotBeRead puts something else in the place of each file: the State
// names that file alone and shows the rest; what rests on the file is refused, and nothing
// is written; and what else is wrong is found.
func TestOneFileThatCannotBeRead(t *testing.T) {
	base := newWreck(t)
	whole := openFaulty(t, base.dir, nil).State(t.Context())
	files := map[string]memory.Part{
		"MEMORY.md": memory.PartProjection, curated: memory.PartCurated, conflicts: memory.PartConflicts,
		day(50): memory.PartFacts, auditLog: memory.PartAudit, journal: memory.PartJournal,
	}
	for name, part := range files {
		for _, odd := range oddities() {
			t.Run(name+" "+odd.name, func(t *testing.T) {
				t.Parallel()
				if odd.name == "mode 000" && os.Getuid() == 0 {
					t.Skip("root reads it all the same")
				}
				x := &unread{t: t, wreck: base.copied(t), name: name, part: part, odd: odd, whole: whole}
				x.disk = &refusingFS{FS: filestore.OS()}
				x.stateNamesIt()
				x.writersRefuse()
				x.verifyNamesAll()
			})
		}
	}
}

// unread is a store in which one file cannot be read.
type unread struct {
	t     *testing.T
	wreck *wreck
	name  string
	part  memory.Part
	odd   oddity
	disk  *refusingFS
	whole *memory.State
}

func (x *unread) stateNamesIt() {
	t, w := x.t, x.wreck
	t.Helper()
	before := openFaulty(t, w.dir, x.disk)
	before.State(t.Context())
	if err := x.odd.put(w.path(x.name), x.disk); err != nil {
		t.Fatal(err)
	}
	engines := []*memory.Engine{openFaulty(t, w.dir, x.disk)}
	if x.odd.code != memory.CodeIO { // a mode leaves no trace in a stamp: what was read stands
		engines = append(engines, before)
	}
	want := contents(x.whole)
	if want[x.part] = 0; x.part == memory.PartFacts {
		want[x.part] = 14 - 3
	}
	for _, e := range engines {
		s := e.State(t.Context())
		fault := &memory.Fault{Code: x.odd.code, File: x.name, Reason: x.odd.reason}
		if diff := cmp.Diff([]*memory.Fault{fault}, s.Faults()); diff != "" {
			t.Errorf("faults (-want +got):\n%s", diff)
		}
		if s.Readable(x.part) == nil {
			t.Errorf("%s counts as readable", x.part)
		}
		got := contents(s)
		if delete(want, memory.PartJournal); !maps.Equal(want, got) {
			t.Errorf("it shows %v, want %v", got, want)
		}
	}
	if err := x.odd.undo(w.path(x.name), x.disk); err != nil {
		t.Fatal(err)
	}
	for _, e := range append(engines, before) {
		if s := e.State(t.Context()); len(s.Faults()) > 0 || !maps.Equal(contents(s), contents(x.whole)) {
			t.Errorf("put back: %v, %v", s.Faults(), contents(s))
		}
	}
	if err := x.odd.put(w.path(x.name), x.disk); err != nil {
		t.Fatal(err)
	}
}

// writersRefuse tries every way to write, with an engine that has read and with a new one.
// Of the ways to append, those that rest on nothing but sound daily logs go on, unless it
// is the disk that refuses a file.
func (x *unread) writersRefuse() {
	t, w, ctx := x.t, x.wreck, context.Background()
	t.Helper()
	daily := x.part == memory.PartFacts
	appending := func(id string, ago int) func(*memory.Engine) error {
		return func(e *memory.Engine) error {
			_, err := e.Append(ctx, draftOf(id, "", "One more.", 3, ago))
			return err
		}
	}
	for what, write := range map[string]struct {
		do    func(*memory.Engine) error
		rests bool // on the one file
	}{
		"distill": {do: distillFaulty, rests: true},
		"resolve": {do: choose(false), rests: true},
		"recover": {do: recoverFaulty, rests: !daily},
		"context": {do: func(e *memory.Engine) error {
			_, err := e.Context(ctx, 6, 0)
			return err
		}, rests: x.part != memory.PartConflicts && x.part != memory.PartAudit},
		"append of a given id": {do: appending("given", 1), rests: daily || x.odd.code == memory.CodeIO},
		"append to that day":   {do: appending("", 50), rests: daily || x.odd.code == memory.CodeIO},
		"append":               {do: appending("", 1), rests: !daily && x.odd.code == memory.CodeIO},
	} {
		for _, read := range []bool{false, true} {
			e := openFaulty(t, w.dir, x.disk)
			if read {
				e.State(ctx)
			}
			before := lying(t, w.dir)
			err := write.do(e)
			if !write.rests {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			if fault := new(memory.Fault); !errors.As(err, &fault) || fault.File != x.name {
				if what == "resolve" && x.part == memory.PartConflicts && err != nil {
					continue // there is no case that the test could choose in
				}
				t.Errorf("%s (read: %v): %v; want the fault of %s", what, read, err, x.name)
			}
			if diff := cmp.Diff(before, lying(t, w.dir)); diff != "" {
				t.Errorf("%s wrote something (-before +after):\n%s", what, diff)
			}
		}
	}
}

// verifyNamesAll tampers with another file, and leaves a stranger and a mode.
func (x *unread) verifyNamesAll() {
	t, w := x.t, x.wreck
	t.Helper()
	other := auditLog
	if x.name == auditLog {
		other = conflicts
		w.behind(conflicts, w.case2, `"fingerprint": "`, `"fingerprint": "0`)
	} else {
		w.swap(auditLog, `"lead"`, `"deputy"`)
	}
	w.write("notes.txt", "x")
	if err := os.Chmod(w.path(day(70)), 0o644); err != nil {
		t.Fatal(err)
	}
	findings := must[[]memory.Finding](t)(openFaulty(t, w.dir, x.disk).Verify(t.Context()))
	for file, want := range map[string]string{x.name: "it " + x.odd.reason, other: "", "notes.txt": "not of the layout", day(70): "its mode is 0644"} {
		named := 0
		for _, f := range findings {
			if f.File == file && strings.Contains(f.What, want) && f.Why != "" {
				named++
			}
		}
		if named == 0 || named > 1 && file == x.name {
			t.Errorf("%s is named %d times in %+v", file, named, findings)
		}
	}
}
