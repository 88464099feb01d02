package memory

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestPreviewIsWhatADecisionDoes holds each preview against the decision itself.
func TestPreviewIsWhatADecisionDoes(t *testing.T) {
	previews := 0
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true)
		w := newWorld()
		w.live(t, policy)
		w.tie(t)
		w.apply(w.distill(t, policy))
		recent, budget := w.Recent(DefaultRecent), rapid.SampledFrom([]int{0, 150, 200, 300, DefaultBudget}).Draw(t, "budget")
		w.State = w.with(func(s *State) { s.memory, s.hasMemory, s.hasCurated = RenderMemory(s.entries), true, true })
		for _, c := range w.OpenCases() {
			for _, candidate := range c.Candidates {
				got, err := Preview(w.State, c, candidate.ID, recent, budget)
				stale := w.Current(c)
				if (err == nil) != (stale == nil) {
					t.Fatalf("preview: %v, the case: %v", err, stale)
				}
				if err != nil {
					continue
				}
				previews++
				plan, err := Resolve(w.State, Resolution{
					ConflictID: c.ID, Revision: c.Revision, CandidateID: candidate.ID,
					EventID: "event:decides", Actor: "lead", Rationale: "x", ResolvedAt: w.now,
				})
				if err != nil {
					t.Fatal(err)
				}
				after := w.after(plan)
				if want := BuildContext(after.Rendered(), true, after.entries, recent, budget); !cmp.Equal(want, got.After) {
					t.Fatalf("the context: %s", cmp.Diff(want, got.After))
				}
				if candidate.Incumbent != got.Keeps || got.Keeps && len(got.Sections) > 0 {
					t.Fatalf("keeps: %v, incumbent: %v", got.Keeps, candidate.Incumbent)
				}
				if want := memoryLines(after.Rendered()); !slices.Equal(want, patched(w.Rendered(), got)) {
					t.Fatalf("MEMORY.md: %s", cmp.Diff(want, patched(w.Rendered(), got)))
				}
			}
		}
	})
	if previews == 0 {
		t.Error("no case was previewed")
	}
}

// memoryLines are the lines that show something, sorted.
func memoryLines(text string) []string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return line == "" })
	slices.Sort(lines)
	return lines
}

// patched applies the told difference.
func patched(text string, c Consequence) []string {
	lines := memoryLines(text)
	for _, s := range c.Sections {
		removed, added := slices.Clone(s.Removed), slices.Clone(s.Added)
		if s.Goes {
			removed = append(removed, "## "+s.Heading)
		}
		if s.Appears {
			added = append(added, "## "+s.Heading)
		}
		for _, line := range removed {
			if at := slices.Index(lines, line); at >= 0 {
				lines = slices.Delete(lines, at, at+1)
			} else {
				lines = append(lines, "not there: "+line)
			}
		}
		lines = append(lines, added...)
	}
	slices.Sort(lines)
	return lines
}

func TestPreviewTellsWhatFallsOff(t *testing.T) {
	w, policy := newWorld(), DocketPolicy()
	say := func(id, content string, day int) Fact {
		return Fact{
			ID: id, WorkspaceID: w.workspaceID, SchemaVersion: factSchema, Kind: Decision, Content: content, Source: "agent",
			Importance: 4, MemoryKey: "k.one", RecordedAt: w.now.AddDate(0, 0, day-60),
		}
	}
	w.record(say("f1", "A.", 1))
	w.apply(mustDistill(t, w, policy))
	long := "B " + strings.Repeat("and so on ", 12)
	w.record(say("f2", Collapse(long), 3), say("f3", Collapse(long), 4), say("f4", "C.", 3), say("f5", "C.", 4))
	w.apply(mustDistill(t, w, policy))
	w.State = w.with(func(s *State) { s.memory, s.hasMemory = RenderMemory(s.entries), true })
	recent := []Fact{{ID: "f9", Kind: Outcome, Content: "It ran.", RecordedAt: w.now}}
	c := w.OpenCases()[0]
	var chosen Candidate
	for _, candidate := range c.Candidates {
		if candidate.Content == Collapse(long) {
			chosen = candidate
		}
	}
	now := BuildContext(w.memory, true, w.entries, recent, 0)
	roomy, err := Preview(w.State, c, chosen.ID, recent, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Preview(w.State, c, chosen.ID, recent, roomy.After.Characters-1)
	if err != nil {
		t.Fatal(err)
	}
	want := []SectionChange{{Heading: "Decisions", Removed: []string{"- A. (seen 1x; evidence: 1)"},
		Added: []string{"- " + Collapse(long) + " (seen 2x; evidence: 2)"}}}
	if diff := cmp.Diff(want, got.Sections); diff != "" {
		t.Error(diff)
	}
	if len(got.Falls) != 1 || got.Falls[0].ID != "f9" || len(got.Returns) != 0 {
		t.Errorf("falls %+v, returns %+v", got.Falls, got.Returns)
	}
	if got.Entry.Revision != 2 || got.Before.Characters != now.Characters {
		t.Errorf("revision %d, %d characters", got.Entry.Revision, got.Before.Characters)
	}
}

func mustDistill(t *testing.T, w *world, policy Policy) Plan {
	t.Helper()
	plan, _, err := Distill(w.State, policy, w.now, "")
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestWaysSettle records what each way asks for and runs the rules on its day.
func TestWaysSettle(t *testing.T) {
	ways, waits := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true)
		w := newWorld()
		w.live(t, policy)
		w.tie(t)
		w.apply(w.distill(t, policy))
		for _, c := range w.OpenCases() {
			found, err := Ways(w.State, policy, c, w.now)
			if err != nil {
				t.Fatal(err)
			}
			for _, way := range found {
				ways++
				if way.Facts == 0 {
					waits++
				}
				if content, open := w.outcome(t, policy, c, way, way.Facts, way.From); open || content != NormalForm(way.Content) {
					t.Fatalf("%+v leaves %q in force, open: %v", way, content, open)
				}
				if way.Facts > 1 {
					if content, open := w.outcome(t, policy, c, way, way.Facts-1, way.From); !open && content == NormalForm(way.Content) {
						t.Fatalf("%+v asks for more than it takes", way)
					}
				}
			}
		}
	})
	if ways == waits || waits == 0 {
		t.Errorf("%d ways, of which %d wait: the test saw too little", ways, waits)
	}
}

// tie records values that weigh the same and are old enough, and one that is young.
func (w *world) tie(t *rapid.T) {
	n, importance := rapid.IntRange(2, 3).Draw(t, "each"), rapid.IntRange(3, 5).Draw(t, "as important")
	w.now = w.now.AddDate(0, 0, 10)
	young := rapid.IntRange(0, 4).Draw(t, "young") == 0
	for i := range 3 * n {
		f := w.fact(t)
		f.Kind, f.MemoryKey, f.Source, f.Importance = Decision, "k.one", "agent", importance
		f.Content = []string{"Use B.", "Use C.", "Use D."}[i%3]
		f.RecordedAt = w.now.AddDate(0, 0, -4)
		if i%3 == 2 && !young {
			continue
		}
		if i%3 == 2 {
			f.RecordedAt = w.now.Add(-time.Hour)
		}
		w.record(f)
	}
}

// outcome is what a run would leave in force on the key of a case, with n facts more.
func (w *world) outcome(t *rapid.T, policy Policy, c Case, way Way, n int, at time.Time) (content string, open bool) {
	next := newWorld()
	next.State = w.State
	for i := range n {
		next.record(Fact{
			ID: "way:" + string(rune('a'+i)), WorkspaceID: w.workspaceID, SchemaVersion: factSchema, Kind: way.Kind,
			Content: way.Content, Source: "agent", Importance: way.Importance, MemoryKey: c.MemoryKey, RecordedAt: w.now,
		})
	}
	plan, _, err := Distill(next.State, policy, at, "")
	if err != nil {
		t.Fatal(err)
	}
	next.apply(plan)
	for _, other := range next.CasesOf(c.MemoryKey) {
		open = open || other.Status == StatusOpen
	}
	active, _ := next.Active(c.MemoryKey)
	return NormalForm(active.Content), open
}

func TestMade(t *testing.T) {
	w, policy := newWorld(), DocketPolicy()
	fact := func(id, content string, importance, day int) Fact {
		return Fact{
			ID: id, WorkspaceID: w.workspaceID, SchemaVersion: factSchema, Kind: Decision, Content: content, Source: "agent",
			Importance: importance, MemoryKey: "k.one", RecordedAt: worldStart.AddDate(0, 0, day-60),
		}
	}
	w.record(fact("f1", "A.", 5, 1))
	w.apply(mustDistill(t, w, policy))
	w.record(fact("f2", "B.", 3, 2), fact("f3", "B.", 3, 3))
	w.apply(mustDistill(t, w, policy))
	x := NewExplainer(w.State, policy, w.now)
	var got [][]Check
	for _, e := range w.Chain("k.one") {
		got = append(got, x.Made(e))
	}
	seen := func(day int) time.Time { return worldStart.AddDate(0, 0, day-60) }
	want := [][]Check{
		{{Rule: RuleGate, Passed: true, Facts: 1, NeedFacts: 2, Importance: 5, NeedImportance: 4}},
		{
			{Rule: RuleGate, Passed: true, Facts: 2, NeedFacts: 2, Importance: 3, NeedImportance: 4},
			{Rule: RuleConfirmed, Passed: true, Facts: 2, NeedFacts: 2},
			{Rule: RuleNewer, Passed: true, Time: seen(3), After: seen(1)},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
