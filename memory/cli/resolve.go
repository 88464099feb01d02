package cli

import (
	"context"
	"strings"

	"docket/memory"
)

// Resolve records a human's decision of a case.
type Resolve struct {
	ConflictID  string   `arg:"" help:"The case, as conflicts lists it."`
	Revision    int      `arg:"" help:"The case revision that you saw."`
	CandidateID string   `arg:"" help:"What you choose."`
	EventID     string   `arg:"" help:"A name for this decision; a retry repeats it."`
	Rationale   []string `arg:"" help:"Why."`
	Fingerprint string   `help:"The fingerprint that you saw (default not compared)." placeholder:"F"`
	Actor       *string  `help:"Who decides (default the system's user)." placeholder:"NAME"`
	ResolvedAt  *Time    `hidden:"" placeholder:"T"`
}

// Run does it.
func (c *Resolve) Run(ctx context.Context, t *Terminal) error {
	resolution := memory.Resolution{
		ConflictID: c.ConflictID, Revision: c.Revision, Fingerprint: c.Fingerprint, CandidateID: c.CandidateID,
		EventID: c.EventID, Actor: t.Actor, Rationale: strings.Join(c.Rationale, " "),
	}
	override(&resolution.Actor, c.Actor)
	if c.ResolvedAt != nil {
		resolution.ResolvedAt = c.ResolvedAt.Time
	}
	engine, _, err := t.read(ctx)
	if err != nil {
		return err
	}
	adjudication, err := engine.Resolve(ctx, resolution)
	if err != nil {
		return err
	}
	if t.JSON {
		return t.printJSON(adjudication)
	}
	decided, _ := engine.State(ctx).Case(adjudication.ConflictID)
	return t.say("Recorded %s: %s %s, by %s on %s.", adjudication.EventID, decided.MemoryKey,
		choice(adjudication, decided), adjudication.Actor, minute(adjudication.ResolvedAt))
}
