package demo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"

	"github.com/google/go-cmp/cmp"
)

// open opens an empty store whose ids do not hang on where the test's folder is.
func open(t *testing.T, now time.Time) (*memory.Engine, *filestore.Store) {
	t.Helper()
	store, err := filestore.Open(t.TempDir(), filestore.Options{Identity: "/srv/billing-service"})
	if err != nil {
		t.Fatal(err)
	}
	return memory.Open(store, memory.Options{Now: func() time.Time { return now }}), store
}

func write(t *testing.T, now time.Time) (*memory.Engine, *filestore.Store) {
	t.Helper()
	e, store := open(t, now)
	if err := Write(context.Background(), e, now); err != nil {
		t.Fatal(err)
	}
	return e, store
}

// moments are nows of several weekdays, a leap day among them, at all sorts of hours.
// Which weekday it is matters most: it decides what moves off a weekend.
func moments() []time.Time {
	return []time.Time{
		time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), // Monday
		time.Date(2028, 2, 29, 18, 0, 0, 0, time.UTC),
		time.Date(2027, 1, 7, 7, 30, 0, 0, time.FixedZone("", 8*3600)), // still Wednesday in UTC
		time.Date(2028, 2, 26, 5, 29, 59, 678, time.UTC),               // Saturday
		time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),                   // Sunday
	}
}

// waits is what a test expects of an open case.
type waits struct {
	Age        int // of the run that found it
	Revision   int
	InForce    string // "" for nothing
	Candidates int
	Standing   bool
}

// expectedCases gives the open cases at the end.
func expectedCases() map[string]waits {
	return map[string]waits{
		"auth.session-store": {22, 1, "Keep sessions in signed cookies.", 4, false},
		"release.cadence":    {22, 1, "每两周发布一次。", 3, false},
		"storage.database":   {19, 2, "Use SQLite.", 3, true},
		"runtime.go-version": {16, 1, "", 2, false},
		"api.pagination":     {13, 2, "Page lists with offset and limit.", 3, false},
		"queue.retry-limit":  {13, 1, "Three tries, then give up.", 4, false},
		"test.database":      {10, 1, "Tests run on SQLite in memory.", 3, false},
		"cache.engine":       {7, 2, "Cache prices in Redis.", 3, false},
		"logging.format":     {7, 1, "Logs are plain text, one line an event.", 3, false},
		"deploy.target":      {4, 2, "Deploy on Fly.", 2, true},
		"build.tool":         {4, 1, "Build with make.", 3, false},
		"docs.language":      {1, 1, "Docs are in English.", 3, false},
	}
}

func TestWrite(t *testing.T) {
	for _, now := range moments() {
		t.Run(now.Format(time.RFC3339), func(t *testing.T) {
			t.Parallel()
			e, _ := write(t, now)
			s := e.State(t.Context())
			checkWhole(t, e, s, now)
			checkCases(t, s, now)
			checkDecisions(t, s)
			checkMemory(t, s)
			checkWaiting(t, s)
			checkNextRun(t, e, s, now)
		})
	}
}

// checkWhole looks for what must hold in any store.
func checkWhole(t *testing.T, e *memory.Engine, s *memory.State, now time.Time) {
	t.Helper()
	findings, err := e.Verify(t.Context())
	if err != nil || len(findings) > 0 {
		t.Errorf("verify: %v, %v", findings, err)
	}
	if want := len(Facts(now)); s.Len() != want {
		t.Errorf("%d facts, want %d", s.Len(), want)
	}
	if text, onDisk := s.Memory(); !onDisk || text != s.Rendered() {
		t.Error("MEMORY.md is not what curated.json says")
	}
}

func checkCases(t *testing.T, s *memory.State, now time.Time) {
	t.Helper()
	days := newCalendar(now)
	got, want := map[string]waits{}, expectedCases()
	for _, c := range s.OpenCases() {
		w := waits{Revision: c.Revision, Candidates: len(c.Candidates), Age: -1}
		for _, age := range runs() {
			if c.DetectedAt.Equal(days.at(days.day(age), "05:30", 0)) {
				w.Age = age
			}
		}
		if incumbent, ok := c.Incumbent(); ok {
			w.InForce = incumbent.Content
		}
		_, w.Standing = s.Standing(c.MemoryKey)
		got[c.MemoryKey] = w
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("open cases (-want +got):\n%s", diff)
	}
	deploy := s.CasesOf("deploy.target")
	if last := deploy[len(deploy)-1]; !slices.ContainsFunc(last.Candidates, func(c memory.Candidate) bool { return c.Content == "部署到自建机房。" }) {
		t.Error("the held deploy.target is not asked about by the newer evidence")
	}
}

func checkDecisions(t *testing.T, s *memory.State) {
	t.Helper()
	got := s.Adjudications()
	if len(got) != 4 {
		t.Fatalf("%d adjudications, want 4", len(got))
	}
	kept := 0
	for i, a := range got {
		if a.PriorActiveEntryKey == a.ResultingActiveEntryKey {
			kept++
		}
		if d := a.ResolvedAt.Weekday(); d == time.Saturday || d == time.Sunday {
			t.Errorf("%s was decided on a %s", a.EventID, d)
		}
		if i > 0 && a.ResolvedAt.Before(got[i-1].ResolvedAt) {
			t.Errorf("%s is out of order", a.EventID)
		}
	}
	if kept != 1 {
		t.Errorf("%d adjudications kept what was in force, want 1", kept)
	}
}

func checkMemory(t *testing.T, s *memory.State) {
	t.Helper()
	for key, want := range map[string][]string{
		"storage.database": {"Use flat files.", "Use flat files, one a customer.", "Use SQLite."},
		"ci.runner": {"CI runs on hosted runners.", "CI runs on one machine of our own.",
			"CI runs on hosted runners; only the integration job is on our own machine."},
		"money.rounding":              {"Round each invoice line, half up.", "Round each invoice line, half to even."},
		"payments.idempotency-window": {"Keep idempotency keys for 72 hours."},
		"tax.rates-source":            {"VAT rates come from `tax/rates.csv`, reviewed each quarter."},
	} {
		var got []string
		for _, entry := range s.Chain(key) {
			got = append(got, entry.Content)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	active := map[memory.Kind]int{}
	hostile := map[string]bool{"# ": false, "<": false, "> ": false, "1. ": false, "*_": false, "[": false, "`": false}
	for _, entry := range s.Entries() {
		if entry.Status != memory.StatusActive {
			continue
		}
		active[entry.Kind]++
		for start := range hostile {
			hostile[start] = hostile[start] || strings.HasPrefix(entry.Content, start)
		}
	}
	n := active[memory.Decision] + active[memory.Convention] + active[memory.Pitfall]
	if n < 40 || n > 48 || active[memory.Convention] < 8 || active[memory.Pitfall] < 6 {
		t.Errorf("memories in force: %d, %v", n, active)
	}
	for start, found := range hostile {
		if !found {
			t.Errorf("no memory begins with %q", start)
		}
	}
}

// checkWaiting counts the single aged facts that challenge what is in force.
func checkWaiting(t *testing.T, s *memory.State) {
	t.Helper()
	var got []string
	for _, key := range []string{"storage.database", "deploy.target", "money.rounding", "payments.provider", "secrets.store", "pdf.renderer"} {
		for _, f := range s.FactsOf(key) {
			if uses := s.Uses(f.ID); len(uses.Entries)+len(uses.Cases) == 0 && f.Kind.Stable() && f.Importance >= 4 {
				got = append(got, f.Content)
			}
		}
	}
	want := []string{"Use DuckDB.", "Deploy on Render.", "Round once, on the invoice total.", "Adyen takes all card payments.",
		"Secrets come from SOPS files in the repository.", "发票 PDF 改用 Typst 渲染。"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("waiting for one more (-want +got):\n%s", diff)
	}
}

// checkNextRun distills once more, as of now: the queue stays as it is but for the
// one case that has not seen the newest fact of its key.
func checkNextRun(t *testing.T, e *memory.Engine, s *memory.State, now time.Time) {
	t.Helper()
	if _, err := e.Distill(t.Context(), memory.Run{AsOf: now, Policy: memory.DocketPolicy()}); err != nil {
		t.Fatal(err)
	}
	after := e.State(t.Context())
	if n := len(after.OpenCases()); n != 12 {
		t.Errorf("%d open cases after the next run, want 12", n)
	}
	var moved []string
	for _, c := range s.OpenCases() {
		if c, _ = after.Case(c.ID); c.Status != memory.StatusOpen {
			moved = append(moved, c.MemoryKey)
		}
	}
	if diff := cmp.Diff([]string{"build.tool"}, moved); diff != "" {
		t.Errorf("cases that the next run moves (-want +got):\n%s", diff)
	}
}

func TestWriteIsTheSameForOneNow(t *testing.T) {
	t.Parallel()
	now := moments()[1]
	_, first := write(t, now)
	_, second := write(t, now)
	if diff := cmp.Diff(contents(t, first.Folder()), contents(t, second.Folder())); diff != "" {
		t.Error(diff)
	}
}

// contents reads every file below folder but the lock.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == ".lease" {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWriteRefusesAStoreInUse(t *testing.T) {
	t.Parallel()
	now := moments()[1]
	e, store := open(t, now)
	draft := memory.NewDraft("Somebody was here before.")
	if _, err := e.Append(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	before := contents(t, store.Folder())
	if err := Write(t.Context(), e, now); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("got %v, want ErrNotEmpty", err)
	}
	if diff := cmp.Diff(before, contents(t, store.Folder())); diff != "" {
		t.Errorf("it wrote all the same:\n%s", diff)
	}
}
