//go:build unix

package process_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// whole reports what a reader must never see: something unreadable, half of an
// adjudication, or what rests on facts that are not there.
func whole(s *memory.State) error {
	if faults := s.Faults(); len(faults) > 0 {
		return fmt.Errorf("%d faults, the first is %w", len(faults), faults[0])
	}
	for _, a := range s.Adjudications() {
		if err := happened(s, a); err != nil {
			return fmt.Errorf("event %s: %w", a.EventID, err)
		}
	}
	for _, c := range s.Cases() {
		if _, ok := s.Adjudication(c.ResolutionEventID); c.Status == memory.StatusResolved && !ok {
			return fmt.Errorf("%s was resolved by %s, which is not in the audit", c.ID, c.ResolutionEventID)
		}
		if err := recorded(s, c.ObservedFactIDs); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	for _, entry := range s.Entries() {
		if err := recorded(s, entry.EvidenceIDs); err != nil {
			return fmt.Errorf("entry %s: %w", entry.Key, err)
		}
	}
	return nil
}

// recorded reports a fact that something rests on and that is in no log.
func recorded(s *memory.State, ids []string) error {
	for _, id := range ids {
		if _, ok := s.Fact(id); !ok {
			return fmt.Errorf("it rests on the fact %s, which is in no log", id)
		}
	}
	return nil
}

// happened reports what of an adjudication in the audit the state does not show.
func happened(s *memory.State, a memory.Adjudication) error {
	c, ok := s.Case(a.ConflictID)
	if !ok || c.Status != memory.StatusResolved || c.ResolutionEventID != a.EventID || c.SelectedCandidateID != a.SelectedCandidateID {
		return fmt.Errorf("its case is %s by %q", c.Status, c.ResolutionEventID)
	}
	if _, ok := s.Entry(a.ResultingActiveEntryKey); !ok {
		return fmt.Errorf("its entry %s is not there", a.ResultingActiveEntryKey)
	}
	if a.PriorActiveEntryKey == "" || a.PriorActiveEntryKey == a.ResultingActiveEntryKey {
		return nil
	}
	if prior, ok := s.Entry(a.PriorActiveEntryKey); !ok || prior.SupersededBy != a.ResultingActiveEntryKey {
		return fmt.Errorf("the entry %s before it is %s, by %q", prior.Key, prior.Status, prior.SupersededBy)
	}
	return nil
}

// sound fails unless a store that was recovered is in order.
func sound(t *testing.T, store *filestore.Store, engine *memory.Engine) {
	t.Helper()
	state := engine.State(t.Context())
	if err := whole(state); err != nil {
		t.Fatal(err)
	}
	if event, ok := state.Pending(); ok {
		t.Fatalf("event %s is pending after recovery", event)
	}
	if text, _ := state.Memory(); text != state.Rendered() {
		t.Fatalf("MEMORY.md is not what curated.json says: %s", diff(state.Rendered(), text))
	}
	findings, err := engine.Verify(t.Context())
	must(t, err)
	for _, f := range findings {
		// The next append to that day drops the tail.
		if torn := strings.HasPrefix(f.File, "daily/") && f.Severity == memory.SeverityNote; !torn {
			t.Fatalf("verify: %s:%d: %s", f.File, f.Line, f.What)
		}
	}
	tidy(t, store.Folder())
}

// tidy fails where a file was left behind, or can be read by others.
func tidy(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if left, _ := filepath.Match(filestore.TempPattern, entry.Name()); left {
			t.Errorf("left behind: %s", path)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s has mode %o", path, mode)
		}
		return nil
	})
	must(t, err)
}

// open opens a store as a process does that has never seen it.
func open(t *testing.T, project string, opts filestore.Options) (*filestore.Store, *memory.Engine) {
	t.Helper()
	store, err := filestore.Open(project, opts)
	must(t, err)
	return store, memory.Open(store, memory.Options{})
}

// recovered reopens a store after a crash, and fails unless it is what the twin says.
// It returns what state the crash left, for the statistics.
func recovered(t *testing.T, w *twin, project, identity string, inFlight *act) (store *filestore.Store, engine *memory.Engine, left wreck) {
	t.Helper()
	store, engine = open(t, project, filestore.Options{Identity: identity})
	left = inspect(t, engine)
	if there, err := store.Exists(); err != nil || !there {
		must(t, err)
		w.judge(t, content{}, inFlight)
		return store, engine, left
	}
	must(t, engine.Recover(context.Background()))
	sound(t, store, engine)
	w.judge(t, contentOf(engine.State(t.Context())), inFlight)
	return store, engine, left
}

// A wreck is what a crash left to be mended.
type wreck struct{ pending, torn, projection bool }

// inspect looks at a store that nobody has recovered yet. Readers see it whole.
func inspect(t *testing.T, engine *memory.Engine) (left wreck) {
	t.Helper()
	state := engine.State(t.Context())
	if err := whole(state); err != nil {
		t.Fatalf("before recovery: %v", err)
	}
	_, left.pending = state.Pending()
	findings, err := engine.Verify(t.Context())
	must(t, err)
	for _, f := range findings {
		if f.Severity != memory.SeverityNote {
			t.Fatalf("before recovery: verify: %s:%d: %s", f.File, f.Line, f.What)
		}
		left.torn = left.torn || strings.Contains(f.What, "torn")
		left.projection = left.projection || f.File == string(memory.Projection)
	}
	return left
}

// settled brings the store and its twin to the same state: the act is repeated on both,
// as its caller would, or else the twin takes over what the store shows.
func settled(t *testing.T, w *twin, store *filestore.Store, engine *memory.Engine, inFlight *act, repeat bool) {
	t.Helper()
	switch {
	case inFlight == nil:
	case repeat || inFlight.Distill != nil:
		if err := inFlight.do(engine); err != nil {
			t.Fatalf("repeated %s: %v", inFlight.name(), err)
		}
		w.do(t, *inFlight)
	case inFlight.Resolve != nil:
		if _, ok := engine.State(t.Context()).Adjudication(inFlight.Resolve.EventID); ok {
			w.do(t, *inFlight)
		}
	default:
		state := engine.State(t.Context())
		for _, draft := range inFlight.Append {
			if _, ok := state.Fact(draft.ID); ok {
				w.do(t, act{Append: []memory.Draft{draft}})
			}
		}
	}
	must(t, w.engine.Recover(t.Context()))
	if d := diff(w.content(), contentOf(engine.State(t.Context()))); d != "" {
		t.Fatalf("the store went on differently (-want +got):\n%s", d)
	}
	w.compareFiles(t, store)
}
