package web

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"docket/memory"
	"docket/templates"
)

func TestMarksAreKept(t *testing.T) {
	dir := t.TempDir()
	r := newReaders(dir)
	if found, err := r.read("w", "lead"); err != nil || len(found.marks) > 0 || found.keysOff {
		t.Fatalf("at first: %+v, %v", found, err)
	}
	c := memory.Case{ID: "conflict-1", MemoryKey: "storage.database", Revision: 2, Fingerprint: "f2"}
	change := func(actor string, how func(*reader)) {
		t.Helper()
		if err := r.change("w", actor, how); err != nil {
			t.Fatal(err)
		}
	}
	change("lead", func(r *reader) { r.set(c, templates.ActAside, "later", today); r.keysOff = true })
	seen := markOf(c, today)
	want := reader{marks: map[string]marks{"storage.database": {Seen: seen, Aside: seen, Reason: "later"}}, keysOff: true}
	read := func(r *readers, workspace, actor string) reader {
		t.Helper()
		found, err := r.read(workspace, actor)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	same := cmp.AllowUnexported(reader{}, marks{}, mark{})
	if diff := cmp.Diff(want, read(newReaders(dir), "w", "lead"), same); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
	for _, other := range [][2]string{{"w", "second lead"}, {"v", "lead"}} {
		if found := read(r, other[0], other[1]); len(found.marks) > 0 || found.keysOff {
			t.Errorf("%v has the marks of another: %+v", other, found)
		}
	}
	change("lead", func(r *reader) { r.set(c, templates.ActUnset, "", today.Add(time.Hour)); r.keysOff = false })
	want = reader{marks: map[string]marks{"storage.database": {Seen: seen}}}
	if diff := cmp.Diff(want, read(r, "w", "lead"), same); diff != "" {
		t.Errorf("put back (-want +got):\n%s", diff)
	}
	change("lead", func(r *reader) { r.set(c, templates.ActBack, "", today) })
	if found := read(r, "w", "lead"); len(found.marks) > 0 {
		t.Errorf("all marks off: %+v", found)
	}
	if info, err := os.Stat(filepath.Join(dir, readersName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestMarksAreShared holds that no server keeps the file from another between requests.
func TestMarksAreShared(t *testing.T) {
	dir := t.TempDir()
	one, two := newReaders(dir), newReaders(dir)
	for i, r := range []*readers{one, two, one} {
		c := memory.Case{MemoryKey: itoa(i), Fingerprint: "f", Revision: 1}
		if err := r.change("w", "lead", func(r *reader) { r.set(c, templates.ActSeen, "", today) }); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := two.read("w", "lead"); err != nil || len(found.marks) != 3 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestMarksThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	r := newReaders(dir)
	mark := func() error { return r.change("w", "lead", func(r *reader) { r.keysOff = true }) }
	if err := mark(); err != nil {
		t.Fatal(err)
	}
	db, err := bbolt.Open(r.path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := mark(); !errors.Is(err, errReaders) || !held(err) {
		t.Errorf("held by another: %v", err)
	}
	if _, err := r.read("w", "lead"); !errors.Is(err, errReaders) || !held(err) {
		t.Errorf("held by another: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"of another kind": []byte("not a database of this kind, and not a short text either"),
		"cut short":       whole[:2*os.Getpagesize()],
	} {
		if err := os.WriteFile(r.path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := r.read("w", "lead"); !errors.Is(err, errReaders) || held(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(r.path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := r.read("w", "lead"); err != nil || !found.keysOff {
		t.Errorf("whole again: %+v, %v", found, err)
	}
}
