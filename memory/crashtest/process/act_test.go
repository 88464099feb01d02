//go:build unix

package process_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"docket/memory"
)

// An act is one call of the engine with all of its arguments given, so that doing it
// twice is doing it once, and two engines make the same of it.
type act struct {
	Append  []memory.Draft     `json:",omitempty"`
	Distill *memory.Run        `json:",omitempty"`
	Resolve *memory.Resolution `json:",omitempty"`
}

func (a act) name() string {
	switch {
	case a.Resolve != nil:
		return "resolve"
	case a.Distill != nil:
		return "distill"
	}
	return "append"
}

func (a act) do(engine *memory.Engine) (err error) {
	ctx := context.Background()
	switch {
	case a.Resolve != nil:
		_, err = engine.Resolve(ctx, *a.Resolve)
	case a.Distill != nil:
		_, err = engine.Distill(ctx, *a.Distill)
	default:
		_, err = engine.Append(ctx, a.Append...)
	}
	return err
}

// A script makes up acts that go on for ever: facts of a few domains tie, the ties are
// queued, and somebody decides them.
type script struct {
	random *rand.Rand
	serial int // of the child
	n      int // of the act
}

func newScript(seed uint64, serial int) *script {
	return &script{random: rand.New(rand.NewPCG(seed, uint64(serial))), serial: serial}
}

// now returns the time of the act: later than all before it, and on a new day with
// every third child.
func (s *script) now() time.Time {
	first := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	return first.Add(time.Duration(s.serial)*8*time.Hour + time.Duration(s.n)*time.Minute)
}

// name returns what no other act of the store has as its name.
func (s *script) name() string { return fmt.Sprintf("%d-%d", s.serial, s.n) }

// next returns an act that the state allows.
func (s *script) next(state *memory.State) act {
	s.n++
	var decidable []memory.Case
	for _, c := range state.OpenCases() {
		if state.Current(c) == nil {
			decidable = append(decidable, c)
		}
	}
	switch p := s.random.IntN(10); {
	case p < 4 && len(decidable) > 0:
		return s.resolve(decidable[s.random.IntN(len(decidable))])
	case p < 6:
		return s.distill()
	case p < 8:
		return act{Append: s.tie()}
	}
	return act{Append: s.remark()}
}

// distill runs as of a time at which every fact is old enough.
func (s *script) distill() act {
	return act{Distill: &memory.Run{AsOf: s.now().AddDate(0, 0, 60), Policy: memory.DocketPolicy()}}
}

func (s *script) resolve(c memory.Case) act {
	chosen := c.Candidates[s.random.IntN(len(c.Candidates))]
	return act{Resolve: &memory.Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint, CandidateID: chosen.ID,
		EventID: "event-" + s.name(), Actor: "lead", Rationale: "Because of " + s.name() + ".", ResolvedAt: s.now(),
	}}
}

// tie returns facts, over two days, that say two new things about one domain.
func (s *script) tie() []memory.Draft {
	key := fmt.Sprintf("way.%d", s.random.IntN(3))
	var facts []memory.Draft
	for i, value := range []string{"left", "right", "left", "right"} {
		fact := memory.NewDraft(fmt.Sprintf("Go %s at %s.", value, s.name()))
		fact.ID = fmt.Sprintf("%s-%d", s.name(), i)
		fact.Kind, fact.Importance, fact.MemoryKey = memory.Decision, 4, &key
		fact.RecordedAt = s.now().Add(time.Duration(i/2) * 24 * time.Hour)
		facts = append(facts, fact)
	}
	return facts
}

// remark returns one fact of any size: the larger, the likelier a kill tears it.
func (s *script) remark() []memory.Draft {
	fact := memory.NewDraft("Something was tried at " + s.name() + ".")
	fact.ID, fact.RecordedAt = s.name(), s.now()
	if s.random.IntN(3) == 0 {
		fact.Kind, fact.Importance = memory.Pitfall, 5
	}
	fact.Evidence = map[string]string{"output": strings.Repeat("x", 1<<s.random.IntN(17))}
	return []memory.Draft{fact}
}
