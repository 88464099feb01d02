package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

// A wreck is a store that a test damages.
type wreck struct {
	t             *testing.T
	dir           string
	case1, case2, // storage.database: decided; cache.engine: open
	first, second, // the entries of storage.database
	chosen, other, // the candidates of case1 that were challengers
	incumbent string
}

// newWreck makes a store with every kind of record: an unkeyed entry, a chain whose
// second revision a human chose, and an open case with a fact that is no candidate's.
func newWreck(t *testing.T) *wreck {
	t.Helper()
	w, ctx := &wreck{t: t, dir: t.TempDir()}, context.Background()
	e := openFaulty(t, w.dir, nil)
	setupCase(t, e)
	if err := choose(false)(e); err != nil {
		t.Fatal(err)
	}
	must[[]memory.Fact](t)(e.Append(ctx,
		draftOf("u1", "", "Keep paths relative.", 5, 70), draftOf("u2", "", "keep paths  relative.", 3, 60),
		draftOf("k1", "cache.engine", "Use Redis.", 5, 70)))
	if err := distillFaulty(e); err != nil {
		t.Fatal(err)
	}
	outcome := draftOf("k6", "cache.engine", "Redis was slow.", 2, 50)
	outcome.Kind = memory.Outcome
	must[[]memory.Fact](t)(e.Append(ctx,
		draftOf("k2", "cache.engine", "Use Memcached.", 4, 50), draftOf("k3", "cache.engine", "Use Memcached.", 4, 49),
		draftOf("k4", "cache.engine", "Use the disk.", 4, 50), draftOf("k5", "cache.engine", "Use the disk.", 4, 49), outcome))
	if err := distillFaulty(e); err != nil {
		t.Fatal(err)
	}
	w.name(e.State(ctx))
	return w
}

// name takes down the ids that damage needs.
func (w *wreck) name(s *memory.State) {
	a := s.Adjudications()[0]
	w.case1, w.case2 = a.ConflictID, s.OpenCases()[0].ID
	w.first, w.second, w.chosen = a.PriorActiveEntryKey, a.ResultingActiveEntryKey, a.SelectedCandidateID
	c, _ := s.Case(w.case1)
	for _, candidate := range c.Candidates {
		switch {
		case candidate.Incumbent:
			w.incumbent = candidate.ID
		case candidate.ID != w.chosen:
			w.other = candidate.ID
		}
	}
}

func (w *wreck) path(name string) string {
	return filepath.Join(storeIn(w.dir), filepath.FromSlash(name))
}

func (w *wreck) read(name string) string {
	w.t.Helper()
	return string(must[[]byte](w.t)(os.ReadFile(w.path(name))))
}

func (w *wreck) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// swap replaces in a file every old, of which there must be one.
func (w *wreck) swap(name, old, with string) {
	w.t.Helper()
	text := w.read(name)
	if !strings.Contains(text, old) {
		w.t.Fatalf("%s holds no %q:\n%s", name, old, text)
	}
	w.write(name, strings.ReplaceAll(text, old, with))
}

// behind replaces the first old that stands behind a mark.
func (w *wreck) behind(name, mark, old, with string) {
	w.t.Helper()
	before, after, ok := strings.Cut(w.read(name), mark)
	if !ok || !strings.Contains(after, old) {
		w.t.Fatalf("%s holds no %q behind %q", name, old, mark)
	}
	w.write(name, before+mark+strings.Replace(after, old, with, 1))
}

func (w *wreck) remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// day is the log of a fact that is so many days old.
func day(ago int) string { return string(memory.DailyLog(faultNow.AddDate(0, 0, -ago))) }

const (
	curated   = string(memory.CuratedDocument)
	conflicts = string(memory.ConflictsDocument)
	auditLog  = string(memory.AuditLog)
	journal   = string(memory.JournalLog)
)

// found is a finding without what it means; mark is text that its line holds, "" for
// none and then line 0.
type found struct{ severity, file, mark, what string }

func fault(file, mark, what string) found { return found{"fault", file, mark, what} }
func note(file, mark, what string) found  { return found{"note", file, mark, what} }

// A damage is one way in which a store is damaged, and all that is to be found then.
type damage struct {
	name string
	do   func()
	want []found
}

// copied returns the same store in another folder.
func (w *wreck) copied(t *testing.T) *wreck {
	t.Helper()
	other := *w
	other.t, other.dir = t, t.TempDir()
	writeFolder(t, storeIn(other.dir), readFolder(t, storeIn(w.dir)))
	other.write(".lease", "")
	return &other
}

func TestVerifyNamesEveryDamage(t *testing.T) {
	base := newWreck(t)
	for i, test := range damages(base) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := base.copied(t)
			row := damages(w)[i]
			row.do()
			x := must[memory.Examination](t)(openFaulty(t, w.dir, nil).Examine(t.Context(), nil))
			var got []found
			for _, f := range x.Findings {
				got = append(got, found{string(f.Severity), f.File, fmt.Sprint(f.Line), f.What})
			}
			for i := range row.want {
				want := &row.want[i]
				want.mark = w.lineOf(want.file, want.mark)
				if i < len(got) && strings.Contains(got[i].what, want.what) {
					want.what = got[i].what
				}
			}
			if diff := cmp.Diff(row.want, got, cmp.AllowUnexported(found{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// lineOf returns the line in which the mark first stands, 0 for no mark; a mark that is
// a number stands for itself.
func (w *wreck) lineOf(name, mark string) string {
	w.t.Helper()
	if mark == "" {
		return "0"
	}
	if _, err := strconv.Atoi(mark); err == nil {
		return mark
	}
	before, _, ok := strings.Cut(w.read(name), mark)
	if !ok {
		w.t.Fatalf("%s holds no %q", name, mark)
	}
	return strconv.Itoa(1 + strings.Count(before, "\n"))
}

// TestVerifyOfAFolderThatIsNone is of a store that was opened before: the daily logs are
// one part of it, the memory folder is all.
func TestVerifyOfAFolderThatIsNone(t *testing.T) {
	const no = memory.Uncounted
	for name, want := range map[string]memory.Examination{
		"daily":                   {Facts: no, Entries: 5, Cases: 2, Adjudications: 1, Transactions: 1},
		".learn_workbuddy/memory": {Facts: no, Entries: no, Cases: no, Adjudications: no, Transactions: no},
	} {
		w := newWreck(t)
		engine := openFaulty(t, w.dir, nil)
		w.link(strings.TrimPrefix(name, ".learn_workbuddy/memory"))
		x := must[memory.Examination](t)(engine.Examine(t.Context(), nil))
		if len(x.Findings) != 1 || x.Findings[0].File != name || x.Faults() != 1 {
			t.Errorf("found %v", x.Findings)
		}
		if x.Findings = nil; !reflect.DeepEqual(x, want) {
			t.Errorf("%s: counted %+v, want %+v", name, x, want)
		}
		s := engine.State(t.Context())
		if faults := s.Faults(); len(faults) != 1 || faults[0].File != name || s.Readable(memory.PartFacts) == nil {
			t.Errorf("%s: the state has the faults %v", name, faults)
		}
		for what, write := range map[string]func(*memory.Engine) error{
			"distill": distillFaulty, "append": func(e *memory.Engine) error {
				_, err := e.Append(t.Context(), draftOf("", "", "One more.", 3, 1))
				return err
			},
		} {
			if fault := new(memory.Fault); !errors.As(write(engine), &fault) || fault.File != name {
				t.Errorf("%s: %s is not refused for it", name, what)
			}
		}
	}
}

func TestExamineCounts(t *testing.T) {
	w := newWreck(t)
	x := must[memory.Examination](t)(openFaulty(t, w.dir, nil).Examine(t.Context(), nil))
	want := memory.Examination{Findings: []memory.Finding{}, Facts: 14, Entries: 5, Cases: 2, Adjudications: 1, Transactions: 1}
	if diff := cmp.Diff(want, x); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w.swap(curated, `"schema_version": 2`, `"schema_version": 9`)
	w.write(journal, "x\n")
	x = must[memory.Examination](t)(openFaulty(t, w.dir, nil).Examine(t.Context(), nil))
	if x.Entries != memory.Uncounted || x.Transactions != memory.Uncounted || x.Facts != 14 || x.Faults() != 2 {
		t.Errorf("with two files that cannot be read: %+v", x)
	}
}

func TestExamineTellsHowFarItIs(t *testing.T) {
	w := newWreck(t)
	var steps []memory.Progress
	must[memory.Examination](t)(openFaulty(t, w.dir, nil).Examine(t.Context(), func(p memory.Progress) { steps = append(steps, p) }))
	files := map[string]bool{}
	for i, p := range steps {
		files[p.File] = true
		if p.Done > p.Total || i > 0 && (p.Done < steps[i-1].Done || p.Total != steps[i-1].Total) {
			t.Fatalf("step %d is %+v after %+v", i, p, steps[i-1])
		}
	}
	if last := steps[len(steps)-1]; last.Done != last.Total || last.File != "" {
		t.Errorf("it ends with %+v", last)
	}
	for _, name := range []string{day(50), curated, conflicts, auditLog, journal, "MEMORY.md", ""} {
		if !files[name] {
			t.Errorf("%q is not told", name)
		}
	}
}

// TestExamineEndsWhenItIsTold cancels at every step.
func TestExamineEndsWhenItIsTold(t *testing.T) {
	engine := openFaulty(t, newWreck(t).dir, nil)
	for n := 0; ; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		_, err := engine.Examine(ctx, func(memory.Progress) {
			if steps++; steps > n {
				cancel()
			}
		})
		cancel()
		switch {
		case steps <= n && err == nil && n > 10:
			return
		case !errors.Is(err, context.Canceled) || steps > n+1:
			t.Fatalf("told to end at step %d, it ended after %d with %v", n, steps, err)
		}
	}
}

// TestExamineBesideAWriter finds nothing wrong with a store that is at work.
func TestExamineBesideAWriter(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	writer, reader := openFaulty(t, dir, nil), openFaulty(t, dir, nil)
	setupTie(t, writer)
	done := make(chan error, 1)
	go func() {
		for i := range 10 {
			_, err := writer.Append(ctx, draftOf("", "", fmt.Sprint("Rule ", i), 5, 40+i%3))
			if err := errors.Join(err, distillFaulty(writer)); err != nil {
				done <- err
				return
			}
		}
		done <- choose(false)(writer)
	}()
	for {
		x := must[memory.Examination](t)(reader.Examine(ctx, nil))
		if x.Faults() > 0 {
			t.Fatal(x.Findings)
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
