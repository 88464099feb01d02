package memory

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// world is a state that grows as a project's does, by the pure functions alone.
type world struct {
	*State
	now   time.Time
	facts int
}

var worldStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newWorld() *world { return &world{State: newState("0123456789abcdef"), now: worldStart} }

// record adds facts, in the order given.
func (w *world) record(facts ...Fact) {
	w.State = w.with(func(s *State) {
		s.ledger = newLedger()
		for _, f := range s.all(w.State) {
			s.ledger.add(f)
		}
		for _, f := range facts {
			s.ledger.add(f)
		}
		s.seen += len(facts)
		s.order = s.ledger.extend(nil, 0, s.seen)
	})
}

func (s *State) all(of *State) []Fact { return of.ledger.view(of.seen) }

// apply takes a plan in, as the engine does.
func (w *world) apply(p Plan) {
	w.State = w.after(p)
}

func (w *world) fact(t *rapid.T) Fact {
	w.facts++
	f := Fact{
		ID: fmt.Sprintf("f%04d", w.facts), WorkspaceID: w.workspaceID, SchemaVersion: factSchema, Evidence: map[string]string{},
		Kind:       rapid.SampledFrom(Kinds()).Draw(t, "kind"),
		Content:    rapid.SampledFrom([]string{"Use A.", "use  a.", "Use B.", "Use C.", "Use D."}).Draw(t, "content"),
		Source:     rapid.SampledFrom([]string{"agent", "user", "ci"}).Draw(t, "source"),
		Importance: rapid.IntRange(1, 5).Draw(t, "importance"),
		MemoryKey:  rapid.SampledFrom([]string{"", "k.one", "k.one", "k.two"}).Draw(t, "key"),
		// Few times, so that ties are common; some of them a little in the past.
		RecordedAt: w.now.Add(-time.Duration(rapid.IntRange(0, 3).Draw(t, "ago")) * 8 * time.Hour),
	}
	f.Content = Collapse(f.Content)
	if rapid.IntRange(0, 3).Draw(t, "stable") > 0 {
		f.Kind = Decision
	}
	return f
}

func drawPolicy(t *rapid.T, settle bool) Policy {
	p := DocketPolicy()
	p.MinimumAgeDays = rapid.IntRange(0, 3).Draw(t, "age")
	p.MinimumImportance = rapid.IntRange(1, 5).Draw(t, "gate")
	p.RepeatThreshold = rapid.IntRange(1, 3).Draw(t, "repeat")
	p.SupersessionRepeatThreshold = rapid.IntRange(2, 3).Draw(t, "supersede")
	p.Recency = rapid.SampledFrom([]Recency{Instant, Day}).Draw(t, "recency")
	p.AdjudicationsHold = rapid.Bool().Draw(t, "hold")
	p.Settle = settle
	return p
}

// live lets the world grow by a few random steps.
func (w *world) live(t *rapid.T, policy Policy) {
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		w.now = w.now.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "later")) * 12 * time.Hour)
		switch rapid.IntRange(0, 5).Draw(t, "step") {
		case 0, 1, 2:
			w.record(w.fact(t), w.fact(t))
		case 3, 4:
			w.apply(w.distill(t, policy))
		default:
			w.decide(t)
		}
	}
}

func (w *world) distill(t *rapid.T, policy Policy) Plan {
	plan, _, err := Distill(w.State, policy, w.now, "")
	if err != nil {
		t.Fatal(err)
	}
	readable(t, plan, w.workspaceID)
	return plan
}

// readable wants that what is written can be read again, whole.
func readable(t *rapid.T, plan Plan, workspaceID string) {
	d, err := encodePlan(plan, workspaceID)
	if err != nil {
		t.Fatal(err)
	}
	if _, fault := decodeConflicts(d.conflicts, workspaceID); fault != nil {
		t.Fatal(fault)
	}
	if _, fault := decodeCurated(d.curated, workspaceID); fault != nil {
		t.Fatal(fault)
	}
}

// decide resolves the first open case, if it can be decided as it stands.
func (w *world) decide(t *rapid.T) {
	open := w.OpenCases()
	if len(open) == 0 || w.Current(open[0]) != nil {
		return
	}
	c := open[0]
	r := Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint, Actor: "lead", Rationale: "Because.",
		CandidateID: rapid.SampledFrom(c.Candidates).Draw(t, "choice").ID,
		EventID:     fmt.Sprintf("event:%d", len(w.adjudications)), ResolvedAt: w.now,
	}
	plan, err := Resolve(w.State, r)
	if err != nil {
		t.Fatal(err)
	}
	readable(t, plan, w.workspaceID)
	before := w.State
	w.apply(plan)
	again, err := Resolve(w.State, r)
	if err != nil || !again.Adjudication.equal(plan.Adjudication) || len(again.Entries) != len(w.entries) {
		t.Fatalf("a repeated resolve: %v, %v", again.Adjudication, err)
	}
	if grown := len(w.entries) - len(before.entries); grown > 1 || grown == 1 != (plan.Adjudication.ResultingActiveEntryKey != c.ActiveEntryKey) {
		t.Fatalf("a decision made %d entries", grown)
	}
}

func (w *world) equal(t *rapid.T, what string, p, q Plan) {
	if diff := cmp.Diff(p.Entries, q.Entries); diff != "" {
		t.Fatalf("%s: entries:\n%s", what, diff)
	}
	if diff := cmp.Diff(p.Cases, q.Cases); diff != "" {
		t.Fatalf("%s: cases:\n%s", what, diff)
	}
}

func TestSettledRunFindsNothingToDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := newWorld(), drawPolicy(t, true)
		w.live(t, policy)
		first := w.distill(t, policy)
		w.apply(first)
		w.equal(t, "a second run", first, w.distill(t, policy))
	})
}

func TestInterruptedRunIsMadeWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := newWorld(), drawPolicy(t, true)
		w.live(t, policy)
		whole := w.distill(t, policy)
		before := w.entries
		w.apply(Plan{Entries: before, Cases: whole.Cases}) // died behind conflicts.json
		w.equal(t, "run again", whole, w.distill(t, policy))
	})
}

func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, rapid.Bool().Draw(t, "settle"))
		w := newWorld()
		w.live(t, policy)
		facts := w.all(w.State)
		shuffled := rapid.Permutation(facts).Draw(t, "order")
		other := newWorld()
		other.now = w.now
		other.record(shuffled...)
		other.apply(Plan{Entries: w.entries, Cases: w.cases})
		w.equal(t, "another order", w.distill(t, policy), other.distill(t, policy))
	})
}

func TestEvidenceNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := newWorld(), drawPolicy(t, rapid.Bool().Draw(t, "settle"))
		for range 4 {
			before := w.State
			w.live(t, policy)
			for _, old := range before.entries {
				now, ok := w.Entry(old.Key)
				if !ok {
					t.Fatalf("entry %s is gone", old.Key)
				}
				for _, id := range old.EvidenceIDs {
					if !slices.Contains(now.EvidenceIDs, id) {
						t.Fatalf("entry %s lost the evidence %s", old.Key, id)
					}
				}
			}
			for _, key := range w.Keys() {
				active := 0
				for _, e := range w.Chain(key) {
					if e.Status == StatusActive {
						active++
					}
				}
				if chain := w.Chain(key); len(chain) > 0 && active != 1 {
					t.Fatalf("%s has %d active entries", key, active)
				}
			}
		}
	})
}

func TestRunNeverReplacesWhatAHumanChose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := drawPolicy(t, true)
		policy.AdjudicationsHold = true
		w := newWorld()
		for range 3 {
			w.live(t, policy)
			held := map[string]string{}
			for _, key := range w.Keys() {
				if _, ok := w.Standing(key); ok {
					active, _ := w.Active(key)
					held[key] = active.Key
				}
			}
			w.now = w.now.AddDate(0, 0, 5)
			w.record(w.fact(t), w.fact(t), w.fact(t))
			for key := range held { // what would win, were it not for the human
				for range 3 {
					f := w.fact(t)
					f.Kind, f.Content, f.Importance, f.MemoryKey, f.RecordedAt = Decision, "Use Z.", 5, key, w.now
					w.record(f)
				}
			}
			w.now = w.now.AddDate(0, 0, 5)
			w.apply(w.distill(t, policy))
			for key, entry := range held {
				if active, _ := w.Active(key); active.Key != entry {
					t.Fatalf("%s: a run put %q in force over what a human chose", key, active.Content)
				}
			}
		}
	})
}

func TestOneDomainAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, policy := newWorld(), drawPolicy(t, rapid.Bool().Draw(t, "settle"))
		w.live(t, policy)
		plan, report, err := Distill(w.State, policy, w.now, "k.one")
		if err != nil {
			t.Fatal(err)
		}
		others := func(entries []Entry) []Entry {
			return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.MemoryKey == "k.one" })
		}
		if diff := cmp.Diff(others(w.entries), others(plan.Entries)); diff != "" && len(others(w.entries)) > 0 {
			t.Fatalf("another domain was touched:\n%s", diff)
		}
		for _, c := range plan.Cases {
			if old, ok := w.Case(c.ID); c.MemoryKey != "k.one" && (!ok || !sameRecord(old.record(), c.record())) {
				t.Fatalf("a case of another domain was touched: %s", c.ID)
			}
		}
		if report.Scanned > len(w.FactsOf("k.one")) {
			t.Fatalf("scanned %d facts of %d", report.Scanned, len(w.FactsOf("k.one")))
		}
	})
}
