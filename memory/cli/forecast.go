package cli

import (
	"context"
	"fmt"

	"docket/memory"
)

// Forecast says what runs on the coming days would do if nothing more is recorded.
type Forecast struct {
	Days int `default:"30" help:"How many days to look ahead (default 30)." placeholder:"N"`
	PolicyFlags
}

// maxForecast bounds the days, each of which costs a run.
const maxForecast = 3660

// Run does it.
func (c *Forecast) Run(ctx context.Context, t *Terminal) error {
	if c.Days < 0 || c.Days > maxForecast {
		return &memory.InvalidError{Field: "days", Reason: fmt.Sprintf("must be between 0 and %d", maxForecast)}
	}
	policy, err := c.policy()
	if err != nil {
		return err
	}
	_, state, err := t.read(ctx, memory.PartFacts, memory.PartCurated, memory.PartConflicts)
	if err != nil {
		return err
	}
	foreseen, err := memory.Forecast(state, policy, t.Now(), c.Days)
	if err != nil {
		return err
	}
	if t.JSON {
		return t.printJSON(foreseen)
	}
	if nothing(state) {
		return t.empty("Nothing is recorded here yet.", hintRecord)
	}
	if len(foreseen) == 0 {
		return t.say("With what is recorded, no run within %s changes anything.", count(c.Days, "day"))
	}
	rows := table{}
	for _, f := range foreseen {
		rows.add(dayWords(f.Days), string(f.Change), foreseenKey(f), foreseenWords(f))
	}
	return rows.write(t.Stdout, t.Width)
}

func dayWords(days int) string {
	switch days {
	case 0:
		return "now"
	case 1:
		return "tomorrow"
	}
	return "in " + count(days, "day")
}

func foreseenKey(f memory.Foreseen) string {
	if f.Entry != nil {
		return orDash(f.Entry.MemoryKey)
	}
	return f.Case.MemoryKey
}

func foreseenWords(f memory.Foreseen) string {
	if f.Entry != nil {
		return quote(f.Entry.Content)
	}
	words := ""
	for i, candidate := range f.Case.Candidates {
		if i > 0 {
			words += " · "
		}
		words += quote(candidate.Content)
	}
	return words
}
