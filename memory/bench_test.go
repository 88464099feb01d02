package memory_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

// benchStore makes a store of so many domains, each with an entry in force and an open
// case against it.
func benchStore(b *testing.B, domains int) (dir string) {
	b.Helper()
	dir, ctx := b.TempDir(), context.Background()
	store, err := filestore.Open(dir, filestore.Options{Identity: identity})
	if err != nil {
		b.Fatal(err)
	}
	e := memory.Open(store, memory.Options{})
	run := memory.Run{Policy: memory.DocketPolicy(), AsOf: faultNow}
	for _, values := range [][]string{{"A"}, {"B", "C"}} {
		var drafts []memory.Draft
		for i := range domains {
			for _, value := range values {
				for n := range len(values) {
					d := draftOf(fmt.Sprint(i, value, n), fmt.Sprintf("domain.n%d", i), "Use "+value+".", 5, 80-n-10*len(values))
					drafts = append(drafts, d)
				}
			}
		}
		if _, err := e.Append(ctx, drafts...); err != nil {
			b.Fatal(err)
		}
		if _, err := e.Distill(ctx, run); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkResolve decides one case after the other in a store of 1,000 domains, with
// the engine open. "syncs" is a decision's time in bare appends with fsync.
func BenchmarkResolve(b *testing.B) {
	dir, ctx := benchStore(b, 1000), context.Background()
	store, err := filestore.Open(dir, filestore.Options{Identity: identity})
	if err != nil {
		b.Fatal(err)
	}
	e := memory.Open(store, memory.Options{})
	open := e.State(ctx).OpenCases()
	bare := bareAppend(b)
	b.ResetTimer()
	for i := range b.N {
		c := open[i%len(open)]
		_, err := e.Resolve(ctx, memory.Resolution{
			ConflictID: c.ID, Revision: c.Revision, CandidateID: c.Candidates[0].ID, EventID: fmt.Sprint("event:", i%len(open)),
			Actor: "lead", Rationale: "Because.", ResolvedAt: faultNow,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(bare), "syncs")
}

// BenchmarkOpen reads a store of 1,000 domains and 20 decisions.
func BenchmarkOpen(b *testing.B) {
	dir, ctx := benchStore(b, 1000), context.Background()
	store, err := filestore.Open(dir, filestore.Options{Identity: identity})
	if err != nil {
		b.Fatal(err)
	}
	e := memory.Open(store, memory.Options{})
	for i, c := range e.State(ctx).OpenCases()[:20] {
		_, err := e.Resolve(ctx, memory.Resolution{
			ConflictID: c.ID, Revision: c.Revision, CandidateID: c.Candidates[0].ID, EventID: fmt.Sprint("event:", i),
			Actor: "lead", Rationale: "Because.", ResolvedAt: faultNow,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for range b.N {
		if f := memory.Open(store, memory.Options{}).State(ctx).Faults(); len(f) > 0 {
			b.Fatal(f)
		}
	}
}

// bareAppend returns the nanoseconds of one append of a line with fsync.
func bareAppend(b *testing.B) int64 {
	b.Helper()
	f, err := os.OpenFile(filepath.Join(b.TempDir(), "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	const times = 50
	start := time.Now()
	for range times {
		if _, err := f.Write(make([]byte, 300)); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start).Nanoseconds() / times
}
