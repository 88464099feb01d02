package memory_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
)

// countingStore counts the bytes that are read.
type countingStore struct {
	memory.Store
	read atomic.Int64
}

func (s *countingStore) Read(name memory.Name, offset int64) ([]byte, memory.Stamp, error) {
	data, stamp, err := s.Store.Read(name, offset)
	s.read.Add(int64(len(data)))
	return data, stamp, err
}

func openStore(t *testing.T, dir string) memory.Store {
	t.Helper()
	return must[*filestore.Store](t)(filestore.Open(dir, filestore.Options{Identity: identity}))
}

func TestLogsAreFollowedNotReread(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	writer := openFaulty(t, dir, nil)
	setupCase(t, writer)
	for range 200 {
		must[[]memory.Fact](t)(writer.Append(ctx, draftOf("", "", strings.Repeat("Word ", 100), 3, 5)))
	}
	counting := &countingStore{Store: openStore(t, dir)}
	reader := memory.Open(counting, memory.Options{})
	all := reader.State(ctx).Len()
	if first := counting.read.Swap(0); first < 100_000 {
		t.Fatalf("the first read took %d bytes", first)
	}
	reader.State(ctx)
	if n := counting.read.Swap(0); n != 0 {
		t.Errorf("a page with nothing new read %d bytes", n)
	}
	must[[]memory.Fact](t)(writer.Append(ctx, draftOf("", "", "One more.", 3, 5)))
	if got := reader.State(ctx).Len(); got != all+1 {
		t.Errorf("the reader sees %d facts, want %d", got, all+1)
	}
	if n := counting.read.Swap(0); n == 0 || n > 400 {
		t.Errorf("a page with one new fact read %d bytes", n)
	}
	if err := choose(false)(reader); err != nil {
		t.Fatal(err)
	}
	if n := counting.read.Swap(0); n > 50_000 {
		t.Errorf("a decision read %d bytes", n)
	}
}

func TestReadersSeeADecisionWholeOrNotAtAll(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	writer, reader := openFaulty(t, dir, nil), openFaulty(t, dir, nil)
	setupCase(t, writer)
	before := len(reader.State(ctx).Entries())
	done := make(chan error, 1)
	go func() { done <- choose(false)(writer) }()
	for {
		s := reader.State(ctx)
		if f := s.Faults(); len(f) > 0 {
			t.Fatal(f)
		}
		decided := []bool{
			len(s.Entries()) == before+1, len(s.OpenCases()) == 0, len(s.Adjudications()) == 1,
			strings.Contains(s.Rendered(), "MySQL") || strings.Contains(s.Rendered(), "Postgres"),
		}
		if slices.Contains(decided, true) && slices.Contains(decided, false) {
			t.Fatalf("half of an adjudication is seen: entries, case, audit, memory = %v", decided)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

func appendFile(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func TestEditsByHandAreSeen(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openFaulty(t, dir, nil)
	setupCase(t, e)
	facts := e.State(ctx).Len()
	path := filepath.Join(storeIn(dir), string(memory.DailyLog(faultNow.AddDate(0, 0, -faultDays[1]))))
	original := must[[]byte](t)(os.ReadFile(path))

	appendFile(t, path, "not JSON\n")
	s := e.State(ctx)
	if f := s.Readable(memory.PartFacts); f == nil || f.Line != 3 || f.Code != memory.CodeCorrupt || s.Len() != facts {
		t.Fatalf("fault %v, %d facts of %d", f, s.Len(), facts)
	}
	var fault *memory.Fault
	if err := distillFaulty(e); !errors.As(err, &fault) {
		t.Errorf("distill over a broken log: %v", err)
	}
	if err := choose(false)(e); !errors.As(err, &fault) {
		t.Errorf("resolve over a broken log: %v", err)
	}
	if _, err := e.Append(ctx, draftOf("", "", "To a sound day.", 3, 1)); err != nil {
		t.Errorf("append beside a broken log: %v", err)
	}
	if _, err := e.Append(ctx, draftOf("", "", "To the broken day.", 3, faultDays[1])); !errors.As(err, &fault) {
		t.Errorf("append to a broken log: %v", err)
	}
	if _, err := e.Append(ctx, draftOf("given", "", "With an id.", 3, 1)); !errors.As(err, &fault) {
		t.Errorf("append of a given id beside a broken log: %v", err)
	}

	if err := os.WriteFile(path, original, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := e.State(ctx); s.Readable(memory.PartFacts) != nil || s.Len() != facts+1 {
		t.Errorf("after mending: %v, %d facts", s.Faults(), s.Len())
	}
}

func TestAppendRetries(t *testing.T) {
	ctx := context.Background()
	e := openFaulty(t, t.TempDir(), nil)
	draft := draftOf("f1", "k", "Use  A.", 4, 3)
	first := must[[]memory.Fact](t)(e.Append(ctx, draft))
	if diff := cmp.Diff(first, must[[]memory.Fact](t)(e.Append(ctx, draft))); diff != "" {
		t.Errorf("a retry:\n%s", diff)
	}
	untimed := draft
	untimed.RecordedAt = time.Time{}
	if diff := cmp.Diff(first, must[[]memory.Fact](t)(e.Append(ctx, untimed))); diff != "" {
		t.Errorf("a retry without a time:\n%s", diff)
	}
	other := draft
	other.Content = "Use B."
	var invalid *memory.InvalidError
	if _, err := e.Append(ctx, draftOf("f2", "", "Fine.", 3, 1), other); !errors.As(err, &invalid) || invalid.Field != "fact_id" {
		t.Errorf("a fact id used differently: %v", err)
	}
	if n := e.State(ctx).Len(); n != 1 {
		t.Errorf("%d facts were written by a refused batch", n-1)
	}
}

func TestAppendMendsTheTail(t *testing.T) {
	for _, test := range []struct {
		name, tail string
		facts      int
	}{
		{"torn", `{"fact_id": "half`, 2},
		{"whole", `{"content": "By hand.", "fact_id": "hand", "kind": "decision", "recorded_at": "2026-05-31T12:00:00Z", "workspace_id": "WS"}`, 3},
		{"blank", "  \t", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, ctx := t.TempDir(), context.Background()
			e := openFaulty(t, dir, nil)
			must[[]memory.Fact](t)(e.Append(ctx, draftOf("f1", "", "First.", 3, 1)))
			path := filepath.Join(storeIn(dir), string(memory.DailyLog(faultNow.AddDate(0, 0, -1))))
			appendFile(t, path, strings.ReplaceAll(test.tail, "WS", e.WorkspaceID()))
			must[[]memory.Fact](t)(e.Append(ctx, draftOf("f2", "", "Second.", 3, 1)))
			for name, engine := range map[string]*memory.Engine{"open": e, "reopened": openFaulty(t, dir, nil)} {
				if s := engine.State(ctx); s.Len() != test.facts || len(s.Faults()) > 0 {
					t.Errorf("%s: %d facts, want %d; faults %v", name, s.Len(), test.facts, s.Faults())
				}
			}
		})
	}
}

func TestNoStoreIsEmptyAndStaysSo(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openFaulty(t, dir, nil)
	if err := e.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	if err := distillFaulty(e); err != nil {
		t.Fatal(err)
	}
	var notFound *memory.NotFoundError
	_, err := e.Resolve(ctx, memory.Resolution{ConflictID: "conflict-1", Revision: 1, CandidateID: "c", EventID: "e", Actor: "a", Rationale: "r"})
	if !errors.As(err, &notFound) {
		t.Errorf("resolve: %v", err)
	}
	c := must[memory.Context](t)(e.Context(ctx, memory.DefaultRecent, memory.DefaultBudget))
	if c.Text != "(no workspace memory yet)" {
		t.Errorf("context: %q", c.Text)
	}
	if findings := must[[]memory.Finding](t)(e.Verify(ctx)); len(findings) > 0 {
		t.Errorf("verify: %v", findings)
	}
	if files := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(files) > 0 {
		t.Errorf("something was created: %v", files)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openFaulty(t, dir, nil)
	setupTie(t, e)
	before := readFolder(t, storeIn(dir))
	dry := must[memory.Result](t)(e.Distill(ctx, memory.Run{Policy: memory.DocketPolicy(), DryRun: true}))
	if diff := cmp.Diff(before, readFolder(t, storeIn(dir))); diff != "" || len(dry.Cases) != 1 {
		t.Fatalf("%d cases; written:\n%s", len(dry.Cases), diff)
	}
	wet := must[memory.Result](t)(e.Distill(ctx, memory.Run{Policy: memory.DocketPolicy()}))
	if diff := cmp.Diff(dry, wet); diff != "" {
		t.Errorf("the run did something else than it said:\n%s", diff)
	}
}

func TestAppendIntoAMovedStoreIsRefused(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	must[[]memory.Fact](t)(openFaulty(t, dir, nil).Append(ctx, draftOf("", "", "Here.", 3, 9)))
	before := readFolder(t, storeIn(dir))
	moved := must[*filestore.Store](t)(filestore.Open(dir, filestore.Options{Identity: "/elsewhere"}))
	_, err := memory.Open(moved, memory.Options{}).Append(ctx, draftOf("", "", "There.", 3, 1))
	if memory.CodeOf(err) != memory.CodeScope {
		t.Errorf("appended under another identity: %v", err)
	}
	if diff := cmp.Diff(before, readFolder(t, storeIn(dir))); diff != "" {
		t.Errorf("written all the same:\n%s", diff)
	}
}

// TestACaseThatMovesKeepsItsPlace wants a question to have waited since it was first asked.
func TestACaseThatMovesKeepsItsPlace(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openFaulty(t, dir, nil)
	setupCase(t, e)
	first := e.State(ctx).OpenCases()[0]
	must[[]memory.Fact](t)(e.Append(ctx, draftOf("young", "storage.database", "Use Postgres.", 3, 1)))
	later := faultNow.AddDate(0, 0, 3)
	must[memory.Result](t)(e.Distill(ctx, memory.Run{Policy: memory.DocketPolicy(), AsOf: later}))
	s := e.State(ctx)
	moved := s.OpenCases()[0]
	if moved.Revision != 2 || !moved.DetectedAt.Equal(later) || !s.Since(moved).Equal(first.DetectedAt) {
		t.Errorf("revision %d, detected %v, waits since %v, want %v", moved.Revision, moved.DetectedAt, s.Since(moved), first.DetectedAt)
	}
}

// TestTornTailsAreCut wants the audit and the journal sound behind any writer.
func TestTornTailsAreCut(t *testing.T) {
	dir := t.TempDir()
	e := openFaulty(t, dir, nil)
	setupCase(t, e)
	if err := choose(false)(e); err != nil {
		t.Fatal(err)
	}
	before := readFolder(t, storeIn(dir))
	for _, log := range []memory.Name{memory.AuditLog, memory.JournalLog} {
		appendFile(t, filepath.Join(storeIn(dir), string(log)), `{"half a rec`)
	}
	if err := openFaulty(t, dir, nil).Recover(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, readFolder(t, storeIn(dir))); diff != "" {
		t.Errorf("the torn tails stay:\n%s", diff)
	}
}
