package crashtest_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/crashfs"
)

var (
	seed   = flag.Uint64("seed", 1, "seed of what is random")
	images = flag.Int("images", 30, "images of the disk at each boundary")
	flips  = flag.Int("flips", 500, "bits to flip")
	update = flag.Bool("update", false, "write the golden files anew")
)

// long reports whether this is the long run.
func long() bool { return *images >= 1000 }

const folder = ".learn_workbuddy/memory"

// now is what the clock says, always: what is done again ends in the same bytes.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// newRandom returns a source that is the same for each run of the test with one seed.
func newRandom(t testing.TB) *rand.Rand {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("again with -seed %d", *seed)
		}
	})
	stream := uint64(14695981039346656037)
	for _, b := range []byte(t.Name()) {
		stream = (stream ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(*seed, stream))
}

// newRoot returns the path that stands for a project. Nothing is written there.
func newRoot(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// open returns an engine over the disk, as a new process has it.
func open(t testing.TB, root string, disk filestore.FS) *memory.Engine {
	t.Helper()
	store, err := filestore.Open(root, filestore.Options{Identity: "/srv/crash", FS: disk, LeaseWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return memory.Open(store, memory.Options{
		Now:   func() time.Time { return now },
		NewID: func() string { return "new" },
	})
}

// filesOf returns the files of the store by their names there, but the lease.
func filesOf(disk *crashfs.FS) map[string]string {
	files := map[string]string{}
	for name, text := range maps.All(disk.Files()) {
		if name = strings.TrimPrefix(name, folder+"/"); name != ".lease" {
			files[name] = text
		}
	}
	return files
}

// inFolder returns the path below the project of a file of the store.
func inFolder(name memory.Name) string { return path.Join(folder, string(name)) }

// draft makes a decision that was recorded so many days ago.
func draft(id, key, content string, importance, daysAgo int) memory.Draft {
	d := memory.NewDraft(content)
	d.ID, d.Kind, d.Importance = id, memory.Decision, importance
	d.RecordedAt = now.AddDate(0, 0, -daysAgo)
	if key != "" {
		d.MemoryKey = &key
	}
	return d
}

func record(e *memory.Engine, drafts ...memory.Draft) error {
	_, err := e.Append(context.Background(), drafts...)
	return err
}

func distill(e *memory.Engine) error {
	_, err := e.Distill(context.Background(), memory.Run{Policy: memory.DocketPolicy()})
	return err
}

func load(e *memory.Engine) error {
	_, err := e.Load(context.Background(), allParts()...)
	return err
}

func allParts() []memory.Part {
	return []memory.Part{memory.PartJournal, memory.PartAudit, memory.PartConflicts, memory.PartCurated, memory.PartFacts}
}

// decide resolves the latest case of the domain for what is in force, or for a challenger.
func decide(e *memory.Engine, key string, incumbent bool) error {
	ctx := context.Background()
	cases := e.State(ctx).CasesOf(key)
	if len(cases) == 0 {
		return fmt.Errorf("no case of %s", key)
	}
	c := cases[len(cases)-1]
	r := memory.Resolution{
		ConflictID: c.ID, Revision: c.Revision, EventID: "event:" + key,
		Actor: "lead", Rationale: "Because.", ResolvedAt: now,
	}
	for _, candidate := range c.Candidates {
		if candidate.Incumbent == incumbent {
			r.CandidateID = candidate.ID
		}
	}
	_, err := e.Resolve(ctx, r)
	return err
}
