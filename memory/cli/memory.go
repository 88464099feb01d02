package cli

import (
	"context"
	"io"
	"strings"

	"docket/memory"
)

// Memory prints MEMORY.md.
type Memory struct{}

// Run does it.
func (c *Memory) Run(ctx context.Context, t *Terminal) error {
	engine, state, err := t.read(ctx, memory.PartCurated)
	if err != nil {
		return err
	}
	text := state.Rendered()
	if t.JSON {
		return t.printJSON(prompt{Text: text, LeftOut: []leftOut{}})
	}
	if text != "" {
		return t.page(text)
	}
	if state = engine.State(ctx); nothing(state) {
		return t.empty("No workspace memory: nothing is recorded here yet.", hintRecord)
	}
	if state.Readable(memory.PartFacts) != nil {
		return t.empty("No workspace memory yet, and not all facts can be read.", "docket verify names what cannot be read.")
	}
	return t.empty("No workspace memory yet: "+count(state.Len(), "fact")+" recorded.", hintDistill)
}

// Context prints what agents get.
type Context struct {
	Recent *int `help:"How many recent facts (default 6, 0 for none)." placeholder:"N"`
	Budget *int `help:"How many characters in all (default 12000, 0 for no limit)." placeholder:"N"`
}

// Run does it.
func (c *Context) Run(ctx context.Context, t *Terminal) error {
	recent, budget := memory.DefaultRecent, memory.DefaultBudget
	override(&recent, c.Recent)
	override(&budget, c.Budget)
	switch {
	case recent < 0:
		return &memory.InvalidError{Field: "recent", Reason: "must be 0 or more"}
	case budget < 0:
		return &memory.InvalidError{Field: "budget", Reason: "must be 0 or more"}
	}
	engine, _, err := t.read(ctx)
	if err != nil {
		return err
	}
	context, err := engine.Context(ctx, recent, budget)
	if err != nil {
		return err
	}
	if !t.JSON {
		return t.page(context.Text)
	}
	answer := prompt{Text: context.Text, LeftOut: []leftOut{}}
	for _, line := range context.LeftOut {
		kind := "fact"
		if line.Memory {
			kind = "memory"
		}
		answer.LeftOut = append(answer.LeftOut, leftOut{Kind: kind, ID: line.ID, Text: line.Text})
	}
	return t.printJSON(answer)
}

// prompt is the answer of memory and context under --json.
type prompt struct {
	Text    string    `json:"text"`
	LeftOut []leftOut `json:"left_out"`
}

// leftOut is a line that fell to the budget.
type leftOut struct {
	Kind string `json:"kind"` // "memory" or "fact"
	ID   string `json:"id"`   // an entry key or a fact id
	Text string `json:"text"`
}

// page prints a text of many lines, which ends with a newline then.
func (t *Terminal) page(text string) error {
	_, err := io.WriteString(t.Stdout, escapeLines(strings.TrimSuffix(text, "\n"))+"\n")
	return err
}
