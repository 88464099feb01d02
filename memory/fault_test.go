package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

const identity = "/srv/faults"

var (
	faultNow  = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	faultDays = []int{90, 80, 79} // days before faultNow: in force, then confirmed twice
)

func openFaulty(t *testing.T, dir string, disk filestore.FS) *memory.Engine {
	t.Helper()
	store, err := filestore.Open(dir, filestore.Options{Identity: identity, FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	return memory.Open(store, memory.Options{Now: func() time.Time { return faultNow }})
}

func draftOf(id, key, content string, importance, daysAgo int) memory.Draft {
	d := memory.NewDraft(content)
	d.ID, d.Kind, d.Importance = id, memory.Decision, importance
	d.RecordedAt = faultNow.AddDate(0, 0, -daysAgo)
	if key != "" {
		d.MemoryKey = &key
	}
	return d
}

// A scenario is one operation on a store that setup prepared.
type scenario struct {
	name  string
	setup func(t *testing.T, e *memory.Engine)
	run   func(e *memory.Engine) error
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func distillFaulty(e *memory.Engine) error {
	_, err := e.Distill(context.Background(), memory.Run{Policy: memory.DocketPolicy()})
	return err
}

// setupTie leaves SQLite in force and two equal challengers, and other domains behind.
func setupTie(t *testing.T, e *memory.Engine) {
	t.Helper()
	ctx := context.Background()
	must[[]memory.Fact](t)(e.Append(ctx,
		draftOf("z1", "z.other", "Another domain.", 5, faultDays[0]),
		draftOf("a1", "storage.database", "Use SQLite.", 5, faultDays[0])))
	if err := distillFaulty(e); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"Postgres", "MySQL"} {
		must[[]memory.Fact](t)(e.Append(ctx,
			draftOf(fmt.Sprint("c1-", i), "storage.database", "Use "+name+".", 4, faultDays[1]),
			draftOf(fmt.Sprint("c2-", i), "storage.database", "Use "+name+".", 4, faultDays[2])))
	}
}

func setupCase(t *testing.T, e *memory.Engine) {
	t.Helper()
	setupTie(t, e)
	if err := distillFaulty(e); err != nil {
		t.Fatal(err)
	}
}

// choose resolves the one case for a challenger or for what is in force.
func choose(incumbent bool) func(e *memory.Engine) error {
	return func(e *memory.Engine) error {
		ctx := context.Background()
		var r memory.Resolution
		for _, c := range e.State(ctx).Cases() {
			for _, candidate := range c.Candidates {
				if candidate.Incumbent == incumbent {
					r = memory.Resolution{ConflictID: c.ID, Revision: c.Revision, CandidateID: candidate.ID}
				}
			}
		}
		r.EventID, r.Actor, r.Rationale, r.ResolvedAt = "event:1", "lead", "Because.", faultNow
		_, err := e.Resolve(ctx, r)
		return err
	}
}

func scenarios() []scenario {
	none := func(*testing.T, *memory.Engine) {}
	return []scenario{
		{"first append", none, func(e *memory.Engine) error {
			_, err := e.Append(context.Background(), draftOf("f1", "", "Keep paths relative.", 5, 40), draftOf("f2", "", "Second.", 5, 40))
			return err
		}},
		{"append to three days", setupTie, func(e *memory.Engine) error {
			_, err := e.Append(context.Background(), draftOf("f1", "", "Old.", 5, faultDays[1]), draftOf("f2", "", "New.", 3, 1), draftOf("f3", "", "Newest.", 3, 0))
			return err
		}},
		{"distill into entries", func(t *testing.T, e *memory.Engine) {
			must[[]memory.Fact](t)(e.Append(context.Background(), draftOf("f1", "", "Keep paths relative.", 5, 40)))
		}, distillFaulty},
		{"distill into a case", setupTie, distillFaulty},
		{"choose a challenger", setupCase, choose(false)},
		{"keep the incumbent", setupCase, choose(true)},
		{"recover the commit alone", crashed(6), recoverFaulty},
		{"recover half an adjudication", crashed(15), recoverFaulty},
		{"recover a whole one", crashed(33), recoverFaulty},
	}
}

func recoverFaulty(e *memory.Engine) error { return e.Recover(context.Background()) }

// crashed leaves a decision of which the process died at change n.
func crashed(n int) func(t *testing.T, e *memory.Engine) {
	return func(t *testing.T, e *memory.Engine) {
		setupCase(t, e)
		dir := e.Store().(*filestore.Store).Project()
		disk := faultfs.New(filestore.OS(), dir)
		disk.FailAt(n, faultfs.DoneThenGone)
		err := choose(false)(openFaulty(t, dir, disk))
		disk.Kill()
		if _, pending := openFaulty(t, dir, nil).State(context.Background()).Pending(); !pending {
			t.Fatalf("a crash at change %d leaves nothing to recover: %v\n%s", n, err, strings.Join(disk.Lines(), "\n"))
		}
	}
}

// TestFaults lets the Nth change of each scenario go wrong, for every N and mode, and
// wants: the state is that of before or of after, never lost where it was acknowledged or
// told as recorded, and a retry ends in the bytes of a clean run.
func TestFaults(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			s.setup(t, openFaulty(t, base, nil))
			clean := copyOf(t, base)
			before := readFolder(t, storeIn(clean))
			if err := s.run(openFaulty(t, clean, nil)); err != nil {
				t.Fatal(err)
			}
			after := readFolder(t, storeIn(clean))
			if cmp.Equal(before, after) {
				t.Fatal("the scenario changes nothing")
			}
			want := viewOf(t, clean)
			for _, mode := range faultfs.Modes() {
				n := 0
				for ; tryFault(t, s, base, n, mode, viewOf(t, base), want, after); n++ {
				}
				t.Logf("%v: %d changes", mode, n)
				if n < 5 {
					t.Errorf("%v: only %d changes were tried", mode, n)
				}
			}
		})
	}
}

func storeIn(dir string) string { return filepath.Join(dir, ".learn_workbuddy", "memory") }

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A view is what a reader can tell apart.
type view struct {
	Facts, Entries, Cases, Adjudications int
	Memory                               string
}

func viewOf(t *testing.T, dir string) view {
	t.Helper()
	s := openFaulty(t, dir, nil).State(context.Background())
	if faults := s.Faults(); len(faults) > 0 {
		t.Fatalf("the store has faults: %v", faults)
	}
	return seen(s)
}

func seen(s *memory.State) view {
	resolved := 0
	for _, c := range s.Cases() {
		resolved++
		if c.Status == memory.StatusResolved {
			resolved += 100
		}
	}
	return view{s.Len(), len(s.Entries()), resolved, len(s.Adjudications()), s.Rendered()}
}

// tryFault reports whether the scenario was long enough for the fault to fire.
func tryFault(t *testing.T, s scenario, base string, n int, mode faultfs.Mode, before, after view, files map[string]string) bool {
	t.Helper()
	dir := copyOf(t, base)
	disk := faultfs.New(filestore.OS(), dir)
	engine := openFaulty(t, dir, disk)
	disk.FailAt(n, mode)
	err := s.run(engine)
	fired := disk.Fired()
	if err != nil && (mode == faultfs.NotDone || mode == faultfs.ShortWrite) {
		// The same engine may go on, unless a sync failed: then it only reads.
		if err = s.run(engine); err != nil && !errors.Is(err, memory.ErrSealed) {
			t.Fatalf("%v at change %d: the same engine again: %v", mode, n, err)
		}
	}
	disk.Kill()
	where := fmt.Sprintf("%v at change %d (%v)", mode, n, err)

	got := viewOf(t, dir)
	var pending *memory.PendingError
	if (err == nil || errors.As(err, &pending)) && !cmp.Equal(got, after) {
		t.Fatalf("%s: acknowledged and not there:\n%s", where, cmp.Diff(after, got))
	}
	if !between(got, before, after) {
		t.Fatalf("%s: a state of neither before nor after: %+v", where, got)
	}
	reopened := openFaulty(t, dir, nil)
	if err := reopened.Recover(context.Background()); err != nil {
		t.Fatalf("%s: recovery: %v", where, err)
	}
	if err := s.run(reopened); err != nil {
		t.Fatalf("%s: run again: %v", where, err)
	}
	if diff := cmp.Diff(files, readFolder(t, storeIn(dir))); diff != "" {
		t.Fatalf("%s: run again (-clean +got):\n%s", where, diff)
	}
	return fired
}

// between holds what a crash may leave. Facts of a batch may be there in part, since
// nobody was told of them, and a distillation may have written the first of its two
// documents; a decision is whole.
func between(got, before, after view) bool {
	if cmp.Equal(got, before) || cmp.Equal(got, after) {
		return true
	}
	decided := before.Adjudications != after.Adjudications
	return !decided && before.Facts <= got.Facts && got.Facts <= after.Facts &&
		(got.Cases == before.Cases || got.Cases == after.Cases) &&
		(got.Entries == before.Entries || got.Entries == after.Entries)
}

// A stuck store cannot replace one of its documents.
type stuck struct {
	memory.Store
	name memory.Name
}

func (s stuck) Replace(name memory.Name, data []byte) error {
	if name == s.name {
		return errors.New("operation not permitted")
	}
	return s.Store.Replace(name, data)
}

// TestRetryOfAPendingDecisionIsToldSo sends a decision again that is recorded and still
// cannot be finished; another decision under its event id is not told as recorded.
func TestRetryOfAPendingDecisionIsToldSo(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	setupCase(t, openFaulty(t, dir, nil))
	store := must[*filestore.Store](t)(filestore.Open(dir, filestore.Options{Identity: identity}))
	e := memory.Open(stuck{store, memory.ConflictsDocument}, memory.Options{Now: func() time.Time { return faultNow }})
	c := e.State(ctx).OpenCases()[0]
	send := func(candidate, rationale string) error {
		_, err := e.Resolve(ctx, memory.Resolution{
			ConflictID: c.ID, Revision: c.Revision, CandidateID: candidate,
			EventID: "event:1", Actor: "lead", Rationale: rationale, ResolvedAt: faultNow,
		})
		return err
	}
	for n := range 3 {
		err := send(c.Candidates[0].ID, " Because\nof it. ")
		if pending := new(memory.PendingError); !errors.As(err, &pending) || memory.CodeOf(err) != memory.CodePending {
			t.Errorf("sent %d times: %v, code %s", n+1, err, memory.CodeOf(err))
		}
	}
	for _, err := range []error{send(c.Candidates[1].ID, "Because of it."), send(c.Candidates[0].ID, "Another reason.")} {
		if pending := new(memory.PendingError); err == nil || errors.As(err, &pending) {
			t.Errorf("another decision under the event id: %v", err)
		}
	}
}
