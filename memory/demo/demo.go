package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/memory"
)

// Days is how many days the example covers, the day of now included.
const Days = 120

// ErrNotEmpty refuses a store that holds something already.
var ErrNotEmpty = errors.New("the demo needs an empty store")

// Write fills the empty store of e with the example as it stands at now. For one
// now the facts, the runs and the decisions are always the same. It refuses a store
// that holds anything with ErrNotEmpty, so that after any other error the store must
// be removed before it is tried again.
func Write(ctx context.Context, e *memory.Engine, now time.Time) error {
	if err := empty(e.State(ctx)); err != nil {
		return err
	}
	facts := Facts(now)
	for _, s := range script(newCalendar(now)) {
		n := slices.IndexFunc(facts, func(d memory.Draft) bool { return d.RecordedAt.After(s.at) })
		if n < 0 {
			n = len(facts)
		}
		if err := record(ctx, e, facts[:n]); err != nil {
			return err
		}
		facts = facts[n:]
		if err := s.take(ctx, e); err != nil {
			return err
		}
	}
	return record(ctx, e, facts)
}

// empty refuses a store in which anything was recorded or cannot be read.
func empty(s *memory.State) error {
	if faults := s.Faults(); len(faults) > 0 {
		return faults[0]
	}
	if _, onDisk := s.Memory(); onDisk || s.Len() > 0 || s.HasCurated() || len(s.Cases()) > 0 {
		return ErrNotEmpty
	}
	return nil
}

func record(ctx context.Context, e *memory.Engine, facts []memory.Draft) error {
	if len(facts) == 0 {
		return nil
	}
	if _, err := e.Append(ctx, facts...); err != nil {
		return fmt.Errorf("demo facts: %w", err)
	}
	return nil
}

// Facts returns every fact of the example, oldest first. None is later than now.
func Facts(now time.Time) []memory.Draft {
	days := newCalendar(now)
	var drafts []memory.Draft
	for _, d := range slices.Concat(openDomains(), movedDomains(), decidedDomains(), settledDomains(), waitingDomains()) {
		drafts = append(drafts, d.drafts(days)...)
	}
	unkeyed := slices.Concat(
		notesOf(memory.Decision, false, decisionNotes()),
		notesOf(memory.Convention, false, conventionNotes()),
		notesOf(memory.Pitfall, false, pitfallNotes()),
		notesOf(memory.Outcome, false, outcomeNotes()),
		notesOf(memory.Outcome, true, nightlyNotes()),
	)
	for i, n := range unkeyed {
		drafts = append(drafts, n.draft(days, i))
	}
	slices.SortFunc(drafts, func(a, b memory.Draft) int {
		return cmp.Or(a.RecordedAt.Compare(b.RecordedAt), strings.Compare(a.ID, b.ID))
	})
	return drafts
}
