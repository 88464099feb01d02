package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

// An Open opens the store of one place anew, as another process would. It fails the
// test if it cannot. The store should be told to wait for the lease for some tenths
// of a second: the suite waits that long for a lease that it cannot have.
type Open func() memory.Store

// The files that the suite writes.
const (
	document = memory.CuratedDocument
	log      = memory.Name("daily/2026-02-28.jsonl")
)

// Run runs the suite. Each call of place makes a new place, which holds no store.
func Run(t *testing.T, place func(t *testing.T) Open) {
	tests := []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"workspace id", testWorkspaceID},
		{"nothing there", testNothingThere},
		{"reading creates nothing", testReadingCreatesNothing},
		{"replace", testReplace},
		{"replace with nothing", testReplaceWithNothing},
		{"append", testAppend},
		{"append creates", testAppendCreates},
		{"append cuts to keep", testAppendCuts},
		{"append to a shorter log", testAppendShorter},
		{"append of a megabyte", testAppendLarge},
		{"append of nothing", testAppendNothing},
		{"read from an offset", testReadOffset},
		{"read beyond the end", testReadBeyond},
		{"names are separate", testNames},
		{"unknown names", testUnknownNames},
		{"stamps tell changes", testStamps},
		{"days", testDays},
		{"reading beside a writer", testReadingBesideWriter},
		{"lease creates", testLeaseCreates},
		{"lease without a store", testLeaseWithoutStore},
		{"lease excludes", testLeaseExcludes},
		{"lease is released", testLeaseReleased},
		{"lease is won by the waiting", testLeaseWon},
		{"lease and a context", testLeaseContext},
		{"lease counts", testLeaseCounts},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, place(t)) })
	}
	t.Run("like a map", func(t *testing.T) { testLikeMap(t, place) })
}

// A tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// write runs f under the lease of a store that it creates if need be.
func write(t tb, store memory.Store, f func()) {
	t.Helper()
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		t.Fatalf("Lease: %v", err)
	}
	f()
	if err := release(); err != nil {
		t.Fatalf("release: %v", err)
	}
}

func replace(t tb, store memory.Store, name memory.Name, data string) {
	t.Helper()
	write(t, store, func() {
		if err := store.Replace(name, []byte(data)); err != nil {
			t.Fatalf("Replace(%q): %v", name, err)
		}
	})
}

func add(t tb, store memory.Store, name memory.Name, keep int, data string) {
	t.Helper()
	write(t, store, func() {
		if err := store.Append(name, int64(keep), []byte(data)); err != nil {
			t.Fatalf("Append(%q, %d): %v", name, keep, err)
		}
	})
}

// wantFile checks that a file holds want, by all that reads it.
func wantFile(t tb, store memory.Store, name memory.Name, want string) {
	t.Helper()
	data, stamp, err := store.Read(name, 0)
	if err != nil {
		t.Fatalf("Read(%q): %v", name, err)
	}
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Fatalf("Read(%q) (-want +got):\n%s", name, diff)
	}
	stat, err := store.Stat(name)
	if err != nil || stat != stamp {
		t.Fatalf("Stat(%q) = %+v, %v; Read gave %+v", name, stat, err, stamp)
	}
	if stamp.Size != int64(len(want)) {
		t.Fatalf("stamp of %q has size %d, want %d", name, stamp.Size, len(want))
	}
}

func wantAbsent(t tb, store memory.Store, name memory.Name) {
	t.Helper()
	data, stamp, err := store.Read(name, 0)
	if len(data) != 0 || stamp != (memory.Stamp{}) || err != nil {
		t.Errorf("Read(%q) = %q, %+v, %v; want nothing, no error", name, data, stamp, err)
	}
	if stamp, err := store.Stat(name); stamp != (memory.Stamp{}) || err != nil {
		t.Errorf("Stat(%q) = %+v, %v; want the zero Stamp", name, stamp, err)
	}
}

func wantExists(t tb, store memory.Store, want bool) {
	t.Helper()
	if got, err := store.Exists(); got != want || err != nil {
		t.Errorf("Exists() = %v, %v; want %v", got, err, want)
	}
}

func testWorkspaceID(t *testing.T, open Open) {
	first, second := open().WorkspaceID(), open().WorkspaceID()
	if first == "" || first != second {
		t.Errorf("WorkspaceID() = %q, then %q of the same place", first, second)
	}
	if strings.ContainsAny(first, "\n\x00") {
		t.Errorf("WorkspaceID() = %q", first)
	}
}

func testNothingThere(t *testing.T, open Open) {
	store := open()
	wantExists(t, store, false)
	for _, name := range allNames() {
		wantAbsent(t, store, name)
	}
	days, err := store.Days()
	if len(days) != 0 || err != nil {
		t.Errorf("Days() = %v, %v; want none", days, err)
	}
}

func testReadingCreatesNothing(t *testing.T, open Open) {
	testNothingThere(t, open)
	wantExists(t, open(), false)
}

func allNames() []memory.Name {
	return []memory.Name{
		memory.CuratedDocument, memory.ConflictsDocument, memory.Projection,
		memory.AuditLog, memory.JournalLog,
		memory.DailyLog(time.Date(2026, 2, 28, 23, 0, 0, 0, time.UTC)),
	}
}
