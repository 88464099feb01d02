package filestore_test

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// A scenario is some writes to a store, and what has to be there before them.
type scenario struct {
	name   string
	before func(t testing.TB, store *filestore.Store)
	do     func(store *filestore.Store) error
}

func scenarios() []scenario {
	some := func(t testing.TB, store *filestore.Store) {
		must(t, store.Append(today, 0, []byte("one\n")))
		must(t, store.Replace(memory.CuratedDocument, []byte("old\n")))
	}
	return []scenario{
		{"first append", nil, func(s *filestore.Store) error { return s.Append(today, 0, []byte("one\n")) }},
		{"second append", some, func(s *filestore.Store) error { return s.Append(today, 4, []byte("two\n")) }},
		{"append after a torn tail", some, func(s *filestore.Store) error { return s.Append(today, 3, []byte("two\n")) }},
		{"first append of a day", some, func(s *filestore.Store) error {
			return s.Append("daily/2026-03-01.jsonl", 0, []byte("one\n"))
		}},
		{"first replace", nil, func(s *filestore.Store) error { return s.Replace(memory.CuratedDocument, []byte("new\n")) }},
		{"replace", some, func(s *filestore.Store) error { return s.Replace(memory.CuratedDocument, []byte("new\n")) }},
	}
}

// prepare brings a new project into the state before the scenario.
func (sc scenario) prepare(t testing.TB) (project string) {
	t.Helper()
	project = newProject(t)
	if sc.before == nil {
		return project
	}
	store := open(t, project, filestore.Options{})
	release := lease(t, store)
	sc.before(t, store)
	must(t, release())
	return project
}

// TestOperations compares the changes of each scenario with a golden file: a change
// that is not in it is a crash that nobody has thought of.
func TestOperations(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths and folder syncs differ")
	}
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			project := sc.prepare(t)
			disk := faultfs.New(filestore.OS(), project)
			store := open(t, project, filestore.Options{FS: disk})
			wantGolden(t, sc.name+" by a new store", disk, func() {
				release := lease(t, store)
				must(t, sc.do(store))
				must(t, release())
			})
		})
	}
	t.Run("same store again", func(t *testing.T) {
		project := newProject(t)
		disk := faultfs.New(filestore.OS(), project)
		store := open(t, project, filestore.Options{FS: disk})
		lease(t, store)
		must(t, store.Append(today, 0, []byte("one\n")))
		must(t, store.Replace(memory.CuratedDocument, []byte("old\n")))
		wantGolden(t, "second append by the same store", disk, func() {
			must(t, store.Append(today, 4, []byte("two\n")))
		})
		wantGolden(t, "second replace by the same store", disk, func() {
			must(t, store.Replace(memory.CuratedDocument, []byte("new\n")))
		})
	})
}

func wantGolden(t *testing.T, name string, disk *faultfs.FS, do func()) {
	t.Helper()
	disk.Reset()
	do()
	got := strings.Join(disk.Lines(), "\n") + "\n"
	path := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".golden")
	if flag.Lookup("update").Value.String() == "true" {
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("changes of %s (-want +got):\n%s", name, diff)
	}
}
