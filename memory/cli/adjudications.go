package cli

import (
	"context"
	"fmt"
	"slices"

	"docket/memory"
)

// Adjudications lists what humans decided, in the order of the audit.
type Adjudications struct{}

// Run does it.
func (c *Adjudications) Run(ctx context.Context, t *Terminal) error {
	engine, state, err := t.read(ctx, memory.PartAudit, memory.PartConflicts)
	if err != nil {
		return err
	}
	if t.JSON {
		return printList(t, slices.Values(state.Adjudications()))
	}
	if len(state.Adjudications()) == 0 {
		next := "docket conflicts lists what waits for a decision."
		if nothing(engine.State(ctx)) {
			next = hintRecord
		}
		return t.empty("Nobody has decided anything here yet.", next)
	}
	rows := table{}
	for _, a := range state.Adjudications() {
		about, _ := state.Case(a.ConflictID)
		rows.add(minute(a.ResolvedAt), a.Actor, orDash(about.MemoryKey), fmt.Sprintf("revision %d", a.CaseRevision),
			count(len(a.EvidenceIDs), "fact"), choice(a, about), a.EventID, a.Rationale)
	}
	return rows.write(t.Stdout, t.Width)
}

// choice says what a decision did.
func choice(a memory.Adjudication, about memory.Case) string {
	chosen, _ := about.Candidate(a.SelectedCandidateID)
	verb := "changed to "
	switch {
	case a.PriorActiveEntryKey == a.ResultingActiveEntryKey:
		verb = "kept "
	case a.PriorActiveEntryKey == "":
		verb = "chose "
	}
	return verb + quote(shorten(chosen.Content, 40))
}
