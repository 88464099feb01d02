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
			if again, _ := NewExplainer(w.State, policy, e.From.Add(-time.Microsecond)).Explain(f).Missed(); again.Rule != missed.Rule {
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
