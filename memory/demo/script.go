package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"docket/memory"
)

// A step is what happens once the facts up to its time are recorded: a distillation,
// or a decision where there is one.
type step struct {
	at       time.Time
	decision *decision
}

// A decision is what a person made of the open case of a domain.
type decision struct {
	key       string
	age       int
	clock     string
	choice    string // the chosen candidate's content
	actor     string
	event     string
	rationale string
}

// runs lists the ages of the distillations: weekly, and every third day since the
// queue began to matter. Each is as of half past five in the morning.
func runs() []int {
	return []int{85, 78, 71, 64, 57, 50, 43, 36, 29, 25, 22, 19, 16, 13, 10, 7, 4, 1}
}

// LastRun returns when the example as it stands at now was distilled last.
func LastRun(now time.Time) time.Time {
	ages, days := runs(), newCalendar(now)
	return days.at(days.day(ages[len(ages)-1]), "05:30", 0)
}

// script returns the steps in the order of time.
func script(days calendar) []step {
	var steps []step
	for _, age := range runs() {
		steps = append(steps, step{at: days.at(days.day(age), "05:30", 0)})
	}
	for _, d := range decisions() {
		steps = append(steps, step{at: days.at(days.workday(d.age, 0), d.clock, 0), decision: &d})
	}
	slices.SortFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	return steps
}

func (s step) take(ctx context.Context, e *memory.Engine) error {
	if s.decision != nil {
		return s.decision.carryOut(ctx, e, s.at)
	}
	if _, err := e.Distill(ctx, memory.Run{AsOf: s.at, Policy: memory.DocketPolicy()}); err != nil {
		return fmt.Errorf("demo run as of %s: %w", memory.FormatTime(s.at), err)
	}
	return nil
}

func (d *decision) carryOut(ctx context.Context, e *memory.Engine, at time.Time) error {
	c, candidate, err := d.find(e.State(ctx))
	if err != nil {
		return err
	}
	_, err = e.Resolve(ctx, memory.Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint, CandidateID: candidate.ID,
		EventID: d.event, Actor: d.actor, Rationale: d.rationale, ResolvedAt: at,
	})
	if err != nil {
		return fmt.Errorf("demo decision on %s: %w", d.key, err)
	}
	return nil
}

// find returns the open case of the domain and the candidate that is chosen.
func (d *decision) find(s *memory.State) (memory.Case, memory.Candidate, error) {
	for _, c := range s.CasesOf(d.key) {
		if c.Status != memory.StatusOpen {
			continue
		}
		for _, candidate := range c.Candidates {
			if candidate.Content == d.choice {
				return c, candidate, nil
			}
		}
	}
	return memory.Case{}, memory.Candidate{}, fmt.Errorf("demo decision: no open case of %s offers %q", d.key, d.choice)
}

func decisions() []decision {
	return []decision{
		{"storage.database", 61, "11:20", "Use SQLite.", "team lead", "review:storage-database:1",
			"Keep it simple until we have a second writer. SQLite in WAL mode carries ten times our write rate, everyone can look into it with the shell, and LMDB would be the only cgo in the build."},
		{"deploy.target", 54, "09:05", "Deploy on Fly.", "team lead", "review:deploy-target:1",
			"Nobody on call has run Render or a cluster in production, and neither makes our deploys shorter. We stay on Fly until the payments audit is through. Bring numbers after that and I will look again."},
		{"money.rounding", 46, "14:10", "Round each invoice line, half to even.", "payments lead", "review:money-rounding:1",
			"Finance reconciles line by line, so the lines must add up to what we charge. Half to even is what the tax office's worked examples do; rounding the total once left a cent on 312 invoices in the last full rerun."},
		{"payments.idempotency-window", 40, "10:45", "Keep idempotency keys for 72 hours.", "team lead", "review:payments-idempotency-window:1",
			"Two merchants replay the whole weekend's failed batch on Monday morning; with 24 hours we would charge them twice. The three days cost us a few megabytes."},
	}
}
