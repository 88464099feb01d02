//go:build unix

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"docket/memory"
)

// A shelf is a store that fails only when it is told to: a map.
type shelf struct {
	id       string
	files    map[memory.Name][]byte
	replaced map[memory.Name]int // how often
	left     int                 // writes until it fails, if any number is set
}

var errShelf = errors.New("the shelf was told to fail")

var _ memory.Store = (*shelf)(nil)

func newShelf(id string) *shelf {
	return &shelf{id: id, files: map[memory.Name][]byte{}, replaced: map[memory.Name]int{}}
}

// write counts a write.
func (s *shelf) write() error {
	if s.left == 1 {
		return errShelf
	}
	s.left = max(0, s.left-1)
	return nil
}

func (s *shelf) clone() *shelf {
	return &shelf{id: s.id, files: maps.Clone(s.files), replaced: maps.Clone(s.replaced)}
}

func (s *shelf) WorkspaceID() string   { return s.id }
func (s *shelf) Exists() (bool, error) { return len(s.files) > 0, nil }

func (s *shelf) Stat(name memory.Name) (memory.Stamp, error) {
	data, ok := s.files[name]
	if !ok {
		return memory.Stamp{}, nil
	}
	return memory.Stamp{ID: fmt.Sprint(s.replaced[name]), Size: int64(len(data)), Modified: 1}, nil
}

func (s *shelf) Days() (map[memory.Name]memory.Stamp, error) {
	days := map[memory.Name]memory.Stamp{}
	for name := range s.files {
		if strings.HasPrefix(string(name), "daily/") {
			days[name], _ = s.Stat(name)
		}
	}
	return days, nil
}

func (s *shelf) Read(name memory.Name, offset int64) ([]byte, memory.Stamp, error) {
	stamp, err := s.Stat(name)
	data := s.files[name]
	return slices.Clone(data[min(offset, int64(len(data))):]), stamp, err
}

func (s *shelf) Replace(name memory.Name, data []byte) error {
	if err := s.write(); err != nil {
		return err
	}
	s.files[name] = slices.Clone(data)
	s.replaced[name]++
	return nil
}

func (s *shelf) Append(name memory.Name, keep int64, data []byte) error {
	if err := s.write(); err != nil {
		return err
	}
	old := s.files[name]
	if int64(len(old)) < keep {
		return fmt.Errorf("%s has %d bytes, not %d", name, len(old), keep)
	}
	s.files[name] = slices.Concat(old[:keep], data)
	return nil
}

func (s *shelf) Lease(context.Context, bool) (func() error, error) {
	return func() error { return nil }, nil
}

// A twin is what a store must be: all that was acknowledged was done to it.
type twin struct {
	shelf  *shelf
	engine *memory.Engine
}

func newTwin(s *shelf) *twin { return &twin{s, memory.Open(s, memory.Options{})} }

func (w *twin) fork() *twin { return newTwin(w.shelf.clone()) }

// do does what must not fail.
func (w *twin) do(t *testing.T, acts ...act) {
	t.Helper()
	for _, a := range acts {
		if err := a.do(w.engine); err != nil {
			t.Fatalf("the twin: %s: %v", a.name(), err)
		}
	}
}

// A content is all that a state says, to be compared.
type content struct {
	Facts         []memory.Fact
	Entries       []memory.Entry
	Cases         []memory.Case
	Adjudications []memory.Adjudication
}

func contentOf(s *memory.State) content {
	return content{slices.Collect(s.Facts()), s.Entries(), s.Cases(), s.Adjudications()}
}

func (w *twin) content() content { return contentOf(w.engine.State(context.Background())) }

func diff(want, got any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }
func same(a, b any) bool        { return cmp.Equal(a, b, cmpopts.EquateEmpty()) }

// judge holds a store that was recovered against the twin, which has done all that was
// acknowledged. inFlight may have been done, or not. It returns what of the rest of it
// the store does not show yet, and nil where the store is as the twin.
func (w *twin) judge(t *testing.T, got content, inFlight *act) {
	t.Helper()
	before := w.content()
	if inFlight == nil {
		if d := diff(before, got); d != "" {
			t.Fatalf("nothing was under way, and the store is not what was acknowledged (-want +got):\n%s", d)
		}
		return
	}
	done := w.fork()
	done.do(t, *inFlight)
	after := done.content()
	switch {
	case same(before, got), same(after, got):
	case inFlight.Append != nil && partlyAppended(before, got, inFlight.Append):
	case inFlight.Distill != nil && partlyDistilled(before, after, got):
	default:
		t.Fatalf("the store is neither what it was before the %s nor what it is to be after:\n-before +got:\n%s\n-after +got:\n%s",
			inFlight.name(), diff(before, got), diff(after, got))
	}
}

// partlyAppended allows the first of the drafts: all are of one day or the next, and
// written day by day.
func partlyAppended(before, got content, drafts []memory.Draft) bool {
	n := len(got.Facts) - len(before.Facts)
	if n < 0 || n > len(drafts) {
		return false
	}
	names := map[string]bool{}
	for _, draft := range drafts[:n] {
		names[draft.ID] = true
	}
	old := got
	old.Facts = slices.DeleteFunc(slices.Clone(got.Facts), func(f memory.Fact) bool { return names[f.ID] })
	return same(before, old)
}

// partlyDistilled allows the cases to be ahead of the entries: they are written first.
func partlyDistilled(before, after, got content) bool {
	return same(before.Facts, got.Facts) && same(before.Adjudications, got.Adjudications) &&
		same(after.Cases, got.Cases) && same(before.Entries, got.Entries)
}

// compareFiles compares the files that two engines must write alike, byte for byte.
func (w *twin) compareFiles(t *testing.T, store memory.Store) {
	t.Helper()
	for _, name := range []memory.Name{memory.CuratedDocument, memory.ConflictsDocument, memory.Projection, memory.AuditLog} {
		got, _, err := store.Read(name, 0)
		must(t, err)
		if want := w.shelf.files[name]; !bytes.Equal(want, got) {
			t.Fatalf("%s is not what it must be (-want +got):\n%s", name, cmp.Diff(string(want), string(got)))
		}
	}
}
