package memory

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestExplanationsTellWhatARunDoes holds every explanation against a run of the rules.
func TestExplanationsTellWhatARunDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true) // a run that does not settle has several last words
		w := newWorld()
		w.live(t, policy)
		x := NewExplainer(w.State, policy, w.now)
		plan := w.distill(t, policy)
		after := newWorld()
		after.State = w.State
		after.apply(plan)
		for f := range w.Facts() {
			e := x.Explain(f)
			uses := after.Uses(f.ID)
			inCase := slices.ContainsFunc(uses.Cases, func(c Case) bool { return c.Status == StatusOpen })
			in := len(uses.Entries) > 0
			missed, left := e.Missed()
			switch e.Fate {
			case FateEvidence, FateMerged, FatePromoted:
				if !in {
					t.Fatalf("%s is said to be %s and is in no entry: %+v", f.ID, e.Fate, e)
				}
			case FateAsked:
				if in || !inCase {
					t.Fatalf("%s is said to be asked and is in no open case: %+v", f.ID, e)
				}
			case FateLeftOut:
				if in || !left {
					t.Fatalf("%s is said to be left out by %+v, in an entry: %v", f.ID, missed, in)
				}
			default:
				t.Fatalf("%s has the fate %q", f.ID, e.Fate)
			}
		}
	})
}

// TestWaitingIsEnough holds the date of an explanation against a run on that date.
func TestWaitingIsEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true)
		w := newWorld()
		w.live(t, policy)
		x := NewExplainer(w.State, policy, w.now)
		for f := range w.Facts() {
			e := x.Explain(f)
			missed, left := e.Missed()
			if !left || e.From.IsZero() {
				continue
			}
			then := NewExplainer(w.State, policy, e.From).Explain(f)
			if again, still := then.Missed(); still && again.Rule == missed.Rule {
				t.Fatalf("%s misses %+v, was told to wait until %v, and misses it then: %+v", f.ID, missed, e.From, again)
			}
			if _, still := NewExplainer(w.State, policy, e.From.Add(-time.Microsecond)).Explain(f).Missed(); !still {
				t.Fatalf("%s could pass before it was told to: %+v", f.ID, e)
			}
		}
	})
}

// TestForecastIsWhatRunsDo runs the rules each day and wants what was foreseen, no more
// and no less.
func TestForecastIsWhatRunsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true)
		policy.MinimumAgeDays = rapid.IntRange(0, 6).Draw(t, "wait")
		w := newWorld()
		w.live(t, policy)
		const days = 7
		foreseen, err := Forecast(w.State, policy, w.now, days)
		if err != nil {
			t.Fatal(err)
		}
		var done []Foreseen
		for day := range days + 1 {
			plan := w.distill(t, policy)
			for _, f := range w.foreseen(plan, day) {
				if !slices.ContainsFunc(done, func(g Foreseen) bool { return g.key() == f.key() }) {
					done = append(done, f)
				}
			}
			w.apply(plan)
			w.now = w.now.AddDate(0, 0, 1)
		}
		if diff := cmp.Diff(done, foreseen); diff != "" && len(done)+len(foreseen) > 0 {
			t.Fatalf("done each day (-) and foreseen (+):\n%s", diff)
		}
	})
}

// TestWaitingMakesAValueNewer holds that a value whose young facts will outdate what is in
// force is told the date, and which rule made what is in force.
func TestWaitingMakesAValueNewer(t *testing.T) {
	w := newWorld()
	day := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 12, 0, 0, 0, time.UTC) }
	say := func(id, content string, importance int, at time.Time) {
		w.record(Fact{
			ID: id, WorkspaceID: w.workspaceID, SchemaVersion: factSchema, Evidence: map[string]string{}, Kind: Decision,
			Content: content, Source: "agent", Importance: importance, MemoryKey: "x.y", RecordedAt: at,
		})
	}
	say("a", "Use A.", 5, day(10, 20))
	say("b1", "Use B.", 3, day(10, 1))
	say("b2", "Use B.", 3, day(10, 2))
	say("b3", "Use B.", 3, day(11, 10))
	say("a2", "Use A.", 5, day(11, 20))
	w.now = day(12, 1)
	policy := DocketPolicy()
	plan, _, err := Distill(w.State, policy, w.now, "")
	if err != nil {
		t.Fatal(err)
	}
	w.apply(plan)
	explain := func(id string) Explanation {
		f, _ := w.Fact(id)
		return NewExplainer(w.State, policy, w.now).Explain(f)
	}
	b := explain("b1")
	if missed, _ := b.Missed(); missed.Rule != RuleNewer || !b.From.Equal(day(12, 10).Add(time.Microsecond)) {
		t.Errorf("misses %+v, could pass %v", missed, b.From)
	}
	a := explain("a")
	if last := a.Checks[len(a.Checks)-1]; a.Fate != FateEvidence || a.Revision != 1 || a.EntryKey == "" || last.Rule != RuleGate || !last.Passed {
		t.Errorf("what is in force is explained as %+v", a)
	}
	for _, p := range NewExplainer(w.State, policy, w.now).Proposals("x.y") {
		if p.Confirms != (p.Content == "Use A.") {
			t.Errorf("%q is said to confirm: %v", p.Content, p.Confirms)
		}
	}
}
