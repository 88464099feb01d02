package memory

import (
	"fmt"
	"slices"
)

// conflictsSchema is the schema of conflicts.json, of a case in it, of an
// adjudication and of a journal line.
const conflictsSchema = 1

// encodeConflicts encodes cases, in document order, as conflicts.json.
func encodeConflicts(cases []Case, workspaceID string) ([]byte, error) {
	records := make([]caseRecord, 0, len(cases))
	for _, c := range sortedCases(cases) {
		records = append(records, c.record())
	}
	return document(conflictsRecord{Cases: &records, SchemaVersion: new(conflictsSchema), WorkspaceID: &workspaceID})
}

// decodeConflicts reads conflicts.json, or refuses it whole with a Fault.
func decodeConflicts(data []byte, workspaceID string) ([]Case, *Fault) {
	var r conflictsRecord
	if err := strict(data, &r); err != nil {
		return nil, documentFault(ConflictsDocument, data, "", err)
	}
	var f fields
	f.schema(r.SchemaVersion, conflictsSchema)
	f.scope(r.WorkspaceID, workspaceID)
	records := required(&f, "cases", r.Cases)
	f.check(checkNames(r, r.Others))
	if f.err != nil {
		return nil, documentFault(ConflictsDocument, data, "", f.err)
	}
	cases, bad, err := decodeCases(records, workspaceID)
	if err != nil {
		return nil, documentFault(ConflictsDocument, data, bad, err)
	}
	return cases, nil
}

// decodeCases reads a list of cases and returns it in document order. On an error,
// bad is text of the case that is refused.
func decodeCases(records []caseRecord, workspaceID string) (cases []Case, bad string, err error) {
	cases = make([]Case, 0, len(records))
	for i, r := range records {
		c, err := r.toCase(workspaceID)
		if err != nil {
			if r.ConflictID != nil {
				return nil, *r.ConflictID, fmt.Errorf("case %q %w", clip(*r.ConflictID), err)
			}
			return nil, "", fmt.Errorf("case number %d %w", i+1, err)
		}
		cases = append(cases, c)
	}
	cases = sortedCases(cases)
	bad, err = checkCases(cases)
	return cases, bad, err
}

func sortedCases(cases []Case) []Case {
	sorted := slices.Clone(cases)
	slices.SortFunc(sorted, func(a, b Case) int { return a.compare(&b) })
	return sorted
}

// checkCases holds the rules between cases, which are in document order: no id twice,
// and in a domain no case revision twice and no second open case.
func checkCases(cases []Case) (bad string, err error) {
	ids := make(map[string]bool, len(cases))
	open := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if ids[c.ID] {
			return c.ID, fmt.Errorf("case %q stands there twice", c.ID)
		}
		ids[c.ID] = true
		if i > 0 && cases[i-1].MemoryKey == c.MemoryKey && cases[i-1].Revision == c.Revision {
			return c.ID, fmt.Errorf("the domain %s has two cases of revision %d", c.MemoryKey, c.Revision)
		}
		if c.Status == StatusOpen {
			if open[c.MemoryKey] {
				return c.ID, fmt.Errorf("the domain %s has two open cases", c.MemoryKey)
			}
			open[c.MemoryKey] = true
		}
	}
	return "", nil
}

// check refuses a case that cannot be, whatever stands beside it.
func (c *Case) check() error {
	var f fields
	if c.MemoryKey == "" {
		f.fail("has no memory_key")
	}
	if c.Revision < 1 {
		f.fail("has case revision %d", c.Revision)
	}
	f.check(c.checkCandidates())
	f.check(c.checkClosure())
	fingerprint, err := c.fingerprint()
	f.check(err)
	if c.Fingerprint != fingerprint {
		f.fail("has a fingerprint that does not match its evidence")
	}
	if c.ID != conflictID(c.WorkspaceID, c.MemoryKey, c.Fingerprint) {
		f.fail("has a conflict_id that does not match its fingerprint")
	}
	return f.err
}

func (c *Case) checkCandidates() error {
	var f fields
	incumbents := 0
	for i, candidate := range c.Candidates {
		if i > 0 && c.Candidates[i-1].ID >= candidate.ID {
			f.fail("has candidates that are not in order")
		}
		if candidate.ID != candidateID(c.MemoryKey, candidate.Kind, candidate.Content) {
			f.fail("has the candidate %q, whose id does not match what it says", candidate.ID)
		}
		if candidate.Incumbent {
			incumbents++
		}
		f.check(candidate.check())
		for _, id := range candidate.EvidenceIDs {
			if _, observed := slices.BinarySearch(c.ObservedFactIDs, id); !observed {
				f.fail("has the evidence %q, which it did not observe", clip(id))
			}
		}
	}
	if len(c.Candidates) < 2 {
		f.fail("has fewer than two candidates")
	}
	if incumbents > 1 {
		f.fail("has more than one incumbent")
	}
	if (incumbents == 1) != (c.ActiveEntryKey != "") {
		f.fail("has an incumbent without active_entry_key, or the reverse")
	}
	return f.err
}

func (c *Candidate) check() error {
	var f fields
	switch {
	case c.Occurrences != len(c.EvidenceIDs) || c.Occurrences < 1:
		f.fail("has the candidate %q, which counts %d occurrences and has %d facts", c.ID, c.Occurrences, len(c.EvidenceIDs))
	case c.MaximumImportance < 1 || c.MaximumImportance > 5:
		f.fail("has the candidate %q of importance %d", c.ID, c.MaximumImportance)
	case c.LastSeen.Before(c.FirstSeen):
		f.fail("has the candidate %q, last seen before it was first seen", c.ID)
	}
	return f.err
}

// checkClosure holds the closing fields against the status.
func (c *Case) checkClosure() error {
	var f fields
	resolution := []bool{
		!c.ResolvedAt.IsZero(), c.SelectedCandidateID != "", c.ResolutionEventID != "",
		c.ResolutionActor != "", c.ResolutionRationale != "", c.ResultingActiveEntryKey != "",
	}
	given := !slices.Contains(resolution, false)
	some := slices.Contains(resolution, true)
	superseded := !c.SupersededAt.IsZero()
	switch c.Status {
	case StatusOpen:
		if some || superseded {
			f.fail("is open and has closing fields")
		}
	case StatusResolved:
		if !given || superseded {
			f.fail("is resolved and does not have all of its resolution, and that alone")
		} else if _, ok := c.Candidate(c.SelectedCandidateID); !ok {
			f.fail("is resolved for a candidate that it does not have")
		}
	case StatusSuperseded:
		if some || !superseded {
			f.fail("is superseded and does not have superseded_at alone")
		}
	default:
		f.fail("has the unknown status %q", clip(string(c.Status)))
	}
	return f.err
}
