package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A snapshot of a ledger is a State over it and what that State must go on to say.
type ledgerSnapshot struct {
	state *State
	facts []Fact // by (time, id)
}

func ids(facts []Fact) []string {
	list := []string{}
	for _, f := range facts {
		list = append(list, f.ID)
	}
	return list
}

// check holds all that the State says of its facts against the facts themselves.
func (s ledgerSnapshot) check(t *rapid.T) {
	want := ids(s.facts)
	if diff := cmp.Diff(want, ids(slices.AppendSeq([]Fact{}, s.state.Facts()))); diff != "" {
		t.Fatalf("Facts (-want +got):\n%s", diff)
	}
	newest := ids(slices.AppendSeq([]Fact{}, s.state.Newest()))
	slices.Reverse(newest)
	if diff := cmp.Diff(want, newest); diff != "" || s.state.Len() != len(want) {
		t.Fatalf("Len %d, Newest (-want +got):\n%s", s.state.Len(), diff)
	}
	byKey := map[string][]Fact{}
	for _, f := range s.facts {
		if got, ok := s.state.Fact(f.ID); !ok || !cmp.Equal(f, got) {
			t.Fatalf("Fact(%q) = %+v, %v", f.ID, got, ok)
		}
		byKey[f.MemoryKey] = append(byKey[f.MemoryKey], f)
	}
	var keys []string
	for key, facts := range byKey {
		if key == "" {
			continue
		}
		keys = append(keys, key)
		if diff := cmp.Diff(ids(facts), ids(s.state.FactsOf(key))); diff != "" {
			t.Fatalf("FactsOf(%q) (-want +got):\n%s", key, diff)
		}
	}
	slices.Sort(keys)
	if got := s.state.Keys(); !slices.Equal(keys, got) {
		t.Fatalf("Keys() = %q, want %q", got, keys)
	}
}

// TestStatesNeverChange: whatever arrives later, in whatever order, a State goes on to
// say what it said, and a new one says all facts in the order of (time, id).
func TestStatesNeverChange(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		l := newLedger()
		snapshots := []ledgerSnapshot{{state: newState(testWorkspace).with(func(s *State) { s.ledger = l })}}
		var all []Fact
		var order []int
		for range rapid.IntRange(1, 8).Draw(t, "batches") {
			from := len(all)
			for range rapid.IntRange(0, 5).Draw(t, "facts") {
				f := Fact{
					ID:         fmt.Sprintf("%s%02d", rapid.SampledFrom([]string{"a", "B", "é", "\uffee", "\U0001F600"}).Draw(t, "id"), len(all)),
					RecordedAt: start.Add(time.Duration(rapid.IntRange(0, 6).Draw(t, "time")) * time.Microsecond),
					MemoryKey:  rapid.SampledFrom([]string{"", "k", "l"}).Draw(t, "key"),
				}
				if at := l.add(f); at != len(all) {
					t.Fatalf("fact %d has the position %d", len(all), at)
				}
				all = append(all, f)
			}
			order = l.extend(order, from, len(all))
			facts := slices.Clone(all)
			slices.SortFunc(facts, func(f, g Fact) int {
				if c := f.RecordedAt.Compare(g.RecordedAt); c != 0 {
					return c
				}
				return slices.Compare([]rune(f.ID), []rune(g.ID))
			})
			given := order
			snapshots = append(snapshots, ledgerSnapshot{newState(testWorkspace).with(func(s *State) {
				s.ledger, s.seen, s.order = l, len(all), given
			}), facts})
		}
		for _, s := range snapshots {
			s.check(t)
			for _, f := range all[len(s.facts):] {
				if _, ok := s.state.Fact(f.ID); ok {
					t.Fatalf("a state of %d facts knows %q, which came later", len(s.facts), f.ID)
				}
			}
		}
	})
}

// TestFollowedStatesNeverChange does the same through files, of which a part is cut off,
// rewritten or removed now and then.
func TestFollowedStatesNeverChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShelf()
		f := newFollower(s)
		type said struct {
			state *State
			ids   string
		}
		var earlier []said
		say := func(s *State) string { return strings.Join(ids(slices.AppendSeq([]Fact{}, s.Facts())), " ") }
		for n := range rapid.IntRange(1, 10).Draw(t, "steps") {
			day := rapid.IntRange(1, 3).Draw(t, "day")
			name := DailyLog(testDay(day))
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				s.remove(name)
			case 1:
				text := string(s.files[name])
				s.put(name, text[:rapid.IntRange(0, len(text)).Draw(t, "cut")], rapid.Bool().Draw(t, "in place"))
			default:
				fact := testFact(fmt.Sprintf("%c%d", rapid.RuneFrom([]rune("abc")).Draw(t, "id"), n), day)
				b, err := line(fact.record())
				if err != nil {
					t.Fatal(err)
				}
				text := string(s.files[name])
				kept := text[:strings.LastIndex(text, "\n")+1]
				if tail := text[len(kept):]; isWhole([]byte(tail)) {
					kept = text + "\n" // the next append ends what is whole, and drops what is torn
				}
				s.put(name, kept+string(b), true)
			}
			if err := f.follow(true); err != nil {
				t.Fatal(err)
			}
			anew := newFollower(s)
			if err := anew.follow(true); err != nil {
				t.Fatal(err)
			}
			now := f.state()
			if got, want := say(now), say(anew.state()); got != want {
				t.Fatalf("read on: %s; read anew: %s", got, want)
			}
			earlier = append(earlier, said{now, say(now)})
		}
		for _, e := range earlier {
			if got := say(e.state); got != e.ids {
				t.Fatalf("a state that said %q says %q", e.ids, got)
			}
		}
	})
}
