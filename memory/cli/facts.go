package cli

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"docket/memory"
)

// Facts lists the newest facts, oldest of them first, as they stand in the logs.
type Facts struct {
	Limit int `default:"50" help:"How many (default 50, 0 for all)." placeholder:"N"`
}

// Run does it.
func (c *Facts) Run(ctx context.Context, t *Terminal) error {
	if c.Limit < 0 {
		return &memory.InvalidError{Field: "limit", Reason: "must be 0 or more"}
	}
	_, state, err := t.read(ctx, memory.PartFacts)
	if err != nil {
		return err
	}
	if t.JSON {
		return printList(t, newest(state, c.Limit))
	}
	if state.Len() == 0 {
		return t.empty("No facts are recorded here yet.", hintRecord)
	}
	rows := table{}
	for fact := range newest(state, c.Limit) {
		rows.add(minute(fact.RecordedAt), string(fact.Kind), strconv.Itoa(fact.Importance),
			fact.Source, orDash(fact.MemoryKey), fact.Content)
	}
	if err := rows.write(t.Stdout, t.Width); err != nil {
		return err
	}
	if shown := len(rows.rows); shown < state.Len() {
		return t.say("The newest %d of %d; --limit 0 lists all.", shown, state.Len())
	}
	return nil
}

// newest yields the newest limit facts of the state, all for 0, oldest first.
func newest(state *memory.State, limit int) iter.Seq[memory.Fact] {
	if limit == 0 || limit >= state.Len() {
		return state.Facts()
	}
	facts := make([]memory.Fact, 0, limit)
	for fact := range state.Newest() {
		if facts = append(facts, fact); len(facts) == limit {
			break
		}
	}
	slices.Reverse(facts)
	return slices.Values(facts)
}
