package memory

import (
	"fmt"
	"slices"
	"time"
)

// A Resolution is what a reader submits. It becomes an Adjudication or is refused.
type Resolution struct {
	ConflictID  string
	Revision    int    // the case revision that the reader saw
	Fingerprint string // the fingerprint that the reader saw; "" is not compared
	CandidateID string
	EventID     string // one for each act; a retry repeats it
	Actor       string
	Rationale   string
	ResolvedAt  time.Time // zero for now
}

// clean brings the arguments to their stored form or refuses them: step 1.
func (r Resolution) clean() (Resolution, error) {
	var err error
	for _, id := range []struct {
		field string
		value *string
	}{{"conflict_id", &r.ConflictID}, {"candidate_id", &r.CandidateID}, {"event_id", &r.EventID}} {
		if *id.value, err = cleanID(id.field, *id.value); err != nil {
			return r, err
		}
	}
	if r.Revision < 1 {
		return r, &InvalidError{"revision", "must be 1 or more"}
	}
	if r.Actor, err = cleanText("actor", r.Actor, maxWords); err != nil {
		return r, err
	}
	if r.Rationale, err = cleanText("rationale", r.Rationale, maxWords); err != nil {
		return r, err
	}
	if y := r.ResolvedAt.UTC().Year(); y < 1 || y > 9999 {
		return r, &InvalidError{"resolved_at", "must be in the years 1 to 9999"}
	}
	return r, nil
}

// known is step 2: an event on record answers a retry with its adjudication; other
// arguments under the same event id are refused.
func (r Resolution) known(s *State) (a Adjudication, ok bool, err error) {
	a, ok = s.Adjudication(r.EventID)
	if !ok {
		return a, false, nil
	}
	if !r.is(a) {
		return Adjudication{}, false, &ReusedError{EventID: r.EventID}
	}
	return a, true, nil
}

// is reports whether the adjudication is of this decision. r is clean.
func (r Resolution) is(a Adjudication) bool {
	return a.EventID == r.EventID && a.ConflictID == r.ConflictID && a.SelectedCandidateID == r.CandidateID &&
		a.CaseRevision == r.Revision && a.Actor == r.Actor && a.Rationale == r.Rationale
}

// Resolve says what the decision would make of the state. It is pure: previews call
// it too. Where the event is on record already, the plan holds the documents as they
// are and the adjudication on record. The order of the checks is the format's.
func Resolve(s *State, r Resolution) (Plan, error) {
	r, err := r.clean()
	if err != nil {
		return Plan{}, err
	}
	if a, ok, err := r.known(s); ok || err != nil {
		return Plan{Entries: s.entries, Cases: s.cases, Adjudication: a}, err
	}
	c, candidate, err := r.find(s)
	if err != nil {
		return Plan{}, err
	}
	if err := current(s, c); err != nil {
		return Plan{}, err
	}
	return r.plan(s, c, candidate), nil
}

// find is step 3.
func (r Resolution) find(s *State) (Case, Candidate, error) {
	c, ok := s.Case(r.ConflictID)
	if !ok {
		return c, Candidate{}, &NotFoundError{"conflict case", r.ConflictID}
	}
	stale := func(format string, args ...any) (Case, Candidate, error) {
		return c, Candidate{}, &StaleError{c.ID, fmt.Sprintf(format, args...)}
	}
	switch {
	case c.Revision != r.Revision:
		return stale("it has case revision %d, not %d", c.Revision, r.Revision)
	case c.Status == StatusSuperseded:
		return stale("newer evidence closed it")
	case c.Status == StatusResolved:
		return c, Candidate{}, &NotOpenError{Case: c}
	case r.Fingerprint != "" && r.Fingerprint != c.Fingerprint:
		return stale("its evidence has another fingerprint")
	}
	candidate, ok := c.Candidate(r.CandidateID)
	if !ok {
		return c, Candidate{}, &InvalidError{"candidate_id", "is not one of the candidates of this case"}
	}
	return c, candidate, nil
}

// current is step 4: what the case is about is still what the files say.
func current(s *State, c Case) error {
	active, _ := s.Active(c.MemoryKey)
	if active.Key != c.ActiveEntryKey {
		return &StaleError{c.ID, "another entry is in force than when it was made"}
	}
	if !slices.Equal(c.ObservedFactIDs, observed(s, c.MemoryKey, active.EvidenceIDs)) {
		return &StaleError{c.ID, "facts came after it was made"}
	}
	return nil
}

// Current reports whether the open case could be decided as it stands: nil, or the
// StaleError with which Resolve would refuse it.
func (s *State) Current(c Case) error { return current(s, c) }

func (r Resolution) plan(s *State, c Case, candidate Candidate) Plan {
	entries := slices.Clone(s.entries)
	resulting := c.ActiveEntryKey
	if !candidate.Incumbent {
		activeAt := -1
		if c.ActiveEntryKey != "" {
			activeAt = s.index().entries[c.ActiveEntryKey]
		}
		entries = appendRevision(entries, activeAt, Entry{
			Kind: candidate.Kind, Content: candidate.Content, MemoryKey: c.MemoryKey, Status: StatusActive,
			EvidenceIDs: candidate.EvidenceIDs, Occurrences: candidate.Occurrences,
			FirstSeen: candidate.FirstSeen, LastSeen: candidate.LastSeen,
		})
		resulting = entries[len(entries)-1].Key
	}
	closed := c
	closed.Status = StatusResolved
	closed.ResolvedAt = cleanTime(r.ResolvedAt)
	closed.SelectedCandidateID = r.CandidateID
	closed.ResolutionEventID = r.EventID
	closed.ResolutionActor = r.Actor
	closed.ResolutionRationale = r.Rationale
	closed.ResultingActiveEntryKey = resulting
	cases := slices.Clone(s.cases)
	cases[s.index().cases[c.ID]] = closed
	return Plan{Entries: entries, Cases: cases, Adjudication: Adjudication{
		EventID: r.EventID, WorkspaceID: s.workspaceID, ConflictID: c.ID, CaseRevision: c.Revision,
		SelectedCandidateID: r.CandidateID, Actor: r.Actor, Rationale: r.Rationale, ResolvedAt: closed.ResolvedAt,
		PriorActiveEntryKey: c.ActiveEntryKey, ResultingActiveEntryKey: resulting, EvidenceIDs: candidate.EvidenceIDs,
	}}
}
