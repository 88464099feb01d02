package cli

import (
	"context"
	"fmt"
	"strconv"

	"docket/memory"
)

// Distill promotes facts to memory by the rules.
type Distill struct {
	DryRun bool    `help:"Show what a run would do, and write nothing."`
	Key    *string `help:"Distill this memory key alone." placeholder:"KEY"`
	AsOf   *Time   `help:"Judge as of this time (default now)." placeholder:"T"`
	PolicyFlags
}

// Run does it.
func (c *Distill) Run(ctx context.Context, t *Terminal) error {
	run, err := c.run()
	if err != nil {
		return err
	}
	engine, _, err := t.read(ctx)
	if err != nil {
		return err
	}
	result, err := engine.Distill(ctx, run)
	if err != nil {
		return err
	}
	if t.JSON {
		return t.printJSON(result.Report)
	}
	if state := engine.State(ctx); nothing(state) {
		return t.empty("Nothing to distill: no facts are recorded here yet.", hintRecord)
	}
	return t.report(result, c.DryRun)
}

func (c *Distill) run() (memory.Run, error) {
	run := memory.Run{DryRun: c.DryRun}
	if c.AsOf != nil {
		run.AsOf = c.AsOf.Time
	}
	var err error
	if c.Key != nil {
		// An empty key would mean all of them to the engine.
		if run.Key, err = memory.CleanKey(*c.Key); err != nil {
			return run, err
		}
	}
	run.Policy, err = c.policy()
	return run, err
}

// report tells in words what a run did, or would do.
func (t *Terminal) report(result memory.Result, dryRun bool) error {
	r := result.Report
	if dryRun {
		if err := t.say("Dry run: nothing was written. A run would do this:"); err != nil {
			return err
		}
	}
	rows := table{indent: "  "}
	rows.add("old enough", count(r.Scanned, "fact"))
	rows.add("merged or promoted", count(r.Eligible, "fact"))
	rows.add("left out", count(r.Skipped, "fact")+staleWords(r.Stale))
	rows.add("created", count(r.Created, "entry"))
	rows.add("updated", count(r.Updated, "entry"))
	rows.add("superseded", count(r.Superseded, "entry"))
	rows.add("ties", count(r.Conflicts, "conflict")+newWords(r))
	if err := rows.write(t.Stdout, 0); err != nil {
		return err
	}
	if err := t.entries(result.Entries); err != nil {
		return err
	}
	return t.opened(result.Cases, dryRun)
}

func staleWords(stale int) string {
	if stale == 0 {
		return ""
	}
	return ", " + count(stale, "fact") + " of them older than what is in force"
}

func newWords(r memory.Report) string {
	if r.Conflicts == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them new", r.QueuedConflicts)
}

// entries lists the entries that a run made or changed.
func (t *Terminal) entries(entries []memory.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	if err := t.say("Memory:"); err != nil {
		return err
	}
	rows := table{indent: "  "}
	for _, e := range entries {
		rows.add(orDash(e.MemoryKey), string(e.Kind), string(e.Status), count(e.Occurrences, "fact"), e.Content)
	}
	return rows.write(t.Stdout, t.Width)
}

// opened lists the cases that a run opened, and how to go on.
func (t *Terminal) opened(cases []memory.Case, dryRun bool) error {
	rows := table{indent: "  "}
	for _, c := range cases {
		if c.Status == memory.StatusOpen {
			rows.add(c.MemoryKey, c.ID, "revision "+strconv.Itoa(c.Revision), count(len(c.Candidates), "candidate"))
		}
	}
	if len(rows.rows) == 0 {
		return nil
	}
	if err := t.say("Questions for a human:"); err != nil {
		return err
	}
	if err := rows.write(t.Stdout, t.Width); err != nil {
		return err
	}
	if dryRun {
		return nil
	}
	return t.say("docket conflicts shows what there is to decide.")
}
