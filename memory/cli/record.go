package cli

import (
	"context"
	"strings"
	"time"

	"docket/memory"
)

// Record appends one fact.
type Record struct {
	Content    string   `arg:"" help:"What is so, in one sentence."`
	Kind       string   `default:"outcome" help:"decision, convention, pitfall or outcome (default outcome)." placeholder:"KIND"`
	Importance int      `default:"3" help:"1 to 5 (default 3)." placeholder:"N"`
	Key        *string  `help:"The question that the fact answers, as in storage.database." placeholder:"KEY"`
	Source     string   `default:"user" help:"Who says so (default user)." placeholder:"NAME"`
	Evidence   []string `sep:"none" help:"What it rests on; may be repeated." placeholder:"K=V"`
	RecordedAt *Time    `help:"When it was so (default now)." placeholder:"T"`
	ID         *string  `name:"id" help:"The fact's id, so that a retry is one fact (default a new one)." placeholder:"ID"`
}

// Run does it.
func (c *Record) Run(ctx context.Context, t *Terminal) error {
	draft, err := c.draft()
	if err != nil {
		return err
	}
	engine, err := t.appender(ctx)
	if err != nil {
		return err
	}
	facts, err := engine.Append(ctx, draft)
	if err != nil {
		return err
	}
	if t.JSON {
		return t.printJSON(facts[0])
	}
	return t.say("Recorded %s: %s %s", facts[0].ID, facts[0].Kind, quote(facts[0].Content))
}

func (c *Record) draft() (memory.Draft, error) {
	draft := memory.NewDraft(c.Content)
	draft.Kind = memory.Kind(c.Kind)
	draft.Importance = c.Importance
	draft.Source = c.Source
	draft.MemoryKey = c.Key
	if c.RecordedAt != nil {
		draft.RecordedAt = c.RecordedAt.Time
	}
	if c.ID != nil {
		// An empty id asks the engine for a new one; who gives one wants that one.
		if draft.ID = *c.ID; draft.ID == "" {
			return draft, &memory.InvalidError{Field: "fact_id", Reason: "must not be empty"}
		}
	}
	if len(c.Evidence) > 0 {
		draft.Evidence = make(map[string]string, len(c.Evidence))
	}
	for _, pair := range c.Evidence {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return draft, &memory.InvalidError{Field: "evidence", Reason: "must have the form NAME=VALUE"}
		}
		if _, twice := draft.Evidence[name]; twice {
			return draft, &memory.InvalidError{Field: "evidence", Reason: "names " + name + " twice"}
		}
		draft.Evidence[name] = value
	}
	return draft, nil
}

// Time is an argument that holds a time in one of the forms that the format accepts.
type Time struct{ time.Time }

// UnmarshalText reads the argument.
func (t *Time) UnmarshalText(text []byte) (err error) {
	t.Time, err = memory.ParseTime(string(text))
	return err
}
