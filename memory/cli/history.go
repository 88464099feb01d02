package cli

import (
	"context"
	"slices"
	"strconv"

	"docket/memory"
)

// History shows the revisions of one memory key, newest first, with what made each
// and the cases between them. As JSON it is the list of entries, oldest first.
type History struct {
	Key string `arg:"" help:"The memory key, as in storage.database."`
}

// Run does it.
func (c *History) Run(ctx context.Context, t *Terminal) error {
	key, err := memory.CleanKey(c.Key)
	if err != nil {
		return err
	}
	_, state, err := t.read(ctx, memory.PartFacts, memory.PartCurated, memory.PartConflicts, memory.PartAudit)
	if err != nil {
		return err
	}
	chain, cases, facts := state.Chain(key), state.CasesOf(key), state.FactsOf(key)
	if len(chain)+len(cases)+len(facts) == 0 && !nothing(state) {
		return &memory.NotFoundError{What: "memory key", ID: key}
	}
	if t.JSON {
		return printList(t, slices.Values(chain))
	}
	if nothing(state) {
		return t.empty("Nothing is recorded here yet.", hintRecord)
	}
	h := &history{Terminal: t, state: state, cases: cases}
	if len(chain) == 0 {
		h.begun = true
		if err := t.empty("Nothing is in force for "+key+" yet; "+count(len(facts), "fact")+" recorded.", hintDistill); err != nil {
			return err
		}
	}
	for _, entry := range slices.Backward(chain) {
		if err := h.challenges(entry.Key); err != nil {
			return err
		}
		if err := h.revision(entry); err != nil {
			return err
		}
	}
	return h.challenges("")
}

// history prints the past of one memory key.
type history struct {
	*Terminal
	state *memory.State
	cases []memory.Case // by case revision
	begun bool          // a block was printed
}

// begin sets a block off from the one before.
func (h *history) begin() error {
	if !h.begun {
		h.begun = true
		return nil
	}
	return h.say("")
}

// challenges prints the cases that came up while that entry was in force, newest first.
func (h *history) challenges(entryKey string) error {
	for _, c := range slices.Backward(h.cases) {
		if c.ActiveEntryKey != entryKey {
			continue
		}
		if err := h.begin(); err != nil {
			return err
		}
		if err := h.say("Case revision %d  %s  %s  %s", c.Revision, c.ID, count(len(c.Candidates), "candidate"), h.standing(c)); err != nil {
			return err
		}
		if c.Status == memory.StatusResolved {
			if err := h.decision(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// decision prints what was chosen in a case, and why.
func (h *history) decision(c memory.Case) error {
	verb := "  Chosen: "
	chosen, _ := c.Candidate(c.SelectedCandidateID)
	if chosen.Incumbent {
		verb = "  Kept: "
	}
	if err := h.say("%s%s", verb, quote(chosen.Content)); err != nil {
		return err
	}
	return h.say("  Because: %s", c.ResolutionRationale)
}

// revision prints one entry, what made it, and its evidence.
func (h *history) revision(e memory.Entry) error {
	if err := h.begin(); err != nil {
		return err
	}
	state := "in force"
	if e.Status == memory.StatusSuperseded {
		state = "superseded"
	}
	if err := h.say("Revision %d  %s  %s  %s  %s", e.Revision, state, e.Kind, span(e.FirstSeen, e.LastSeen), e.Key); err != nil {
		return err
	}
	if err := h.say("  %s", quote(e.Content)); err != nil {
		return err
	}
	if err := h.maker(e); err != nil {
		return err
	}
	facts, missing := h.evidence(e)
	rows := table{indent: "    "}
	for _, fact := range facts {
		rows.add(minute(fact.RecordedAt), fact.Source, strconv.Itoa(fact.Importance), place(fact), fact.ID, fact.Content)
	}
	for _, id := range missing {
		rows.add("in no log", id)
	}
	if err := h.say("  Evidence: %s", count(len(e.EvidenceIDs), "fact")); err != nil {
		return err
	}
	return rows.write(h.Stdout, h.Width)
}

// evidence returns the facts that an entry rests on, oldest first, and the ids of
// those that are in no log.
func (h *history) evidence(e memory.Entry) (facts []memory.Fact, missing []string) {
	for _, id := range e.EvidenceIDs {
		if fact, ok := h.state.Fact(id); ok {
			facts = append(facts, fact)
		} else {
			missing = append(missing, id)
		}
	}
	slices.SortStableFunc(facts, func(a, b memory.Fact) int { return a.RecordedAt.Compare(b.RecordedAt) })
	return facts, missing
}

// maker prints who made a revision: the rules, or a human and in which words.
func (h *history) maker(e memory.Entry) error {
	a, ok := h.state.AdjudicationOf(e.Key)
	if !ok {
		return h.say("  Made by the rules.")
	}
	return h.say("  Made by %s on %s (%s, event %s): %s", a.Actor, minute(a.ResolvedAt), a.ConflictID, a.EventID, a.Rationale)
}
