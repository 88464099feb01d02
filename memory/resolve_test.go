package memory_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

// TestAnotherFingerprintIsStale resolves a case as one who saw other evidence than it
// rests on, under the same revision.
func TestAnotherFingerprintIsStale(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	e := openFaulty(t, dir, nil)
	setupCase(t, e)
	c := e.State(ctx).OpenCases()[0]
	r := memory.Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: "of other evidence", CandidateID: c.Candidates[0].ID,
		EventID: "event:1", Actor: "lead", Rationale: "Because.", ResolvedAt: faultNow,
	}
	before := readFolder(t, storeIn(dir))
	var stale *memory.StaleError
	if _, err := e.Resolve(ctx, r); !errors.As(err, &stale) || stale.ConflictID != c.ID {
		t.Errorf("another fingerprint: %v; want a StaleError", err)
	}
	if diff := cmp.Diff(before, readFolder(t, storeIn(dir))); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
	r.Fingerprint = c.Fingerprint
	if _, err := e.Resolve(ctx, r); err != nil {
		t.Errorf("its own fingerprint: %v", err)
	}
}
