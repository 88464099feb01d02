package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"docket/memory"
)

// Conflicts lists cases with what resolve needs.
type Conflicts struct {
	Status string `default:"open" enum:"open,resolved,superseded,all" help:"open, resolved, superseded or all (default open)." placeholder:"STATUS"`
}

// Run does it.
func (c *Conflicts) Run(ctx context.Context, t *Terminal) error {
	engine, state, err := t.read(ctx, memory.PartConflicts)
	if err != nil {
		return err
	}
	cases := c.choose(state)
	if t.JSON {
		return printList(t, slices.Values(cases))
	}
	if len(cases) == 0 {
		return c.none(t, engine.State(ctx))
	}
	for i, one := range cases {
		if i > 0 {
			if err := t.say(""); err != nil {
				return err
			}
		}
		if err := t.showCase(one); err != nil {
			return err
		}
	}
	if len(state.OpenCases()) == 0 {
		return nil
	}
	return t.empty("", "Decide one: docket resolve CONFLICT_ID REVISION CANDIDATE_ID EVENT_ID RATIONALE…")
}

// choose returns the cases of the status: open ones by how long they wait, others in
// the order of the document.
func (c *Conflicts) choose(state *memory.State) []memory.Case {
	switch c.Status {
	case "all":
		return state.Cases()
	case "open":
		return state.OpenCases()
	}
	var cases []memory.Case
	for _, one := range state.Cases() {
		if string(one.Status) == c.Status {
			cases = append(cases, one)
		}
	}
	return cases
}

func (c *Conflicts) none(t *Terminal, state *memory.State) error {
	switch {
	case nothing(state):
		return t.empty("No conflicts: nothing is recorded here yet.", hintRecord)
	case c.Status == "open" && len(state.Cases()) > 0:
		return t.empty("No open conflicts: everything is decided.", "docket conflicts --status all lists the closed ones.")
	case c.Status == "open" || c.Status == "all":
		return t.empty("No conflicts.", hintDistill)
	}
	return t.empty("No "+c.Status+" conflicts.", "docket conflicts --status all lists all of them.")
}

// showCase prints a case: one line about it, then its candidates.
func (t *Terminal) showCase(c memory.Case) error {
	if err := t.say("%s  %s  revision %d  %s", c.MemoryKey, c.ID, c.Revision, t.standing(c)); err != nil {
		return err
	}
	if c.Status == memory.StatusResolved {
		if err := t.say("  %s", c.ResolutionRationale); err != nil {
			return err
		}
	}
	rows := table{indent: "  "}
	for _, candidate := range c.Candidates {
		rows.add(role(c, candidate), candidate.ID, count(candidate.Occurrences, "fact"),
			"importance "+strconv.Itoa(candidate.MaximumImportance),
			span(candidate.FirstSeen, candidate.LastSeen), string(candidate.Kind), candidate.Content)
	}
	return rows.write(t.Stdout, 0)
}

// role says what a candidate is in its case.
func role(c memory.Case, candidate memory.Candidate) string {
	chosen := c.SelectedCandidateID == candidate.ID
	switch {
	case chosen && candidate.Incumbent:
		return "kept"
	case chosen:
		return "chosen"
	case candidate.Incumbent && c.Status == memory.StatusOpen:
		return "in force"
	case candidate.Incumbent:
		return "was in force"
	}
	return "challenger"
}

// standing says how a case stands.
func (t *Terminal) standing(c memory.Case) string {
	switch c.Status {
	case memory.StatusResolved:
		return fmt.Sprintf("decided by %s on %s", c.ResolutionActor, minute(c.ResolvedAt))
	case memory.StatusSuperseded:
		return "superseded on " + minute(c.SupersededAt)
	}
	return fmt.Sprintf("open since %s, %s", minute(c.DetectedAt), age(t.Now(), c.DetectedAt))
}
