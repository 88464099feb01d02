package memory

import (
	"slices"
	"strings"
)

// whyDecided is what it means that the records of a decision differ.
const whyDecided = "The record of a decision and what came of it do not agree: one of the files was edited, or restored alone. Restore curated.json, conflicts.json, the audit and the journal together from one copy."

// decisions holds adjudications, cases and entries against each other.
func (v *verifier) decisions() error {
	if !v.readable(PartAudit, PartConflicts, PartCurated) {
		return nil
	}
	for _, a := range v.state.Adjudications() {
		v.decision(a)
	}
	for _, c := range v.state.Cases() {
		if c.Status != StatusResolved {
			continue
		}
		a, ok := v.state.Adjudication(c.ResolutionEventID)
		switch {
		case !ok:
			v.fault(ConflictsDocument, v.caseLine(c.ID), whyDecided,
				"case %q was decided by event %q, which is not in the audit", c.ID, c.ResolutionEventID)
		case a.ConflictID != c.ID:
			v.fault(ConflictsDocument, v.caseLine(c.ID), whyDecided,
				"case %q was decided by event %q, which decided %q", c.ID, a.EventID, a.ConflictID)
		}
	}
	return nil
}

// decision holds one adjudication against its case and what it put in force.
func (v *verifier) decision(a Adjudication) {
	wrong := func(format string, args ...any) { v.fault(AuditLog, a.Line, whyDecided, format, args...) }
	c, ok := v.state.Case(a.ConflictID)
	if !ok {
		wrong("event %q decided the case %q, which does not exist", a.EventID, a.ConflictID)
		return
	}
	if differ := a.differs(c); len(differ) > 0 {
		wrong("event %q and the case %q differ in %s", a.EventID, a.ConflictID, strings.Join(differ, ", "))
		return
	}
	chosen, _ := c.Candidate(a.SelectedCandidateID) // a resolved case has what it chose
	if !slices.Equal(chosen.EvidenceIDs, a.EvidenceIDs) {
		wrong("event %q rests on other facts than the candidate that it chose", a.EventID)
	}
	if prior := a.PriorActiveEntryKey; prior != "" {
		if e, ok := v.state.Entry(prior); !ok || e.MemoryKey != c.MemoryKey {
			wrong("event %q found the entry %q in force, which is not one of %s", a.EventID, prior, c.MemoryKey)
		}
	}
	result, ok := v.state.Entry(a.ResultingActiveEntryKey)
	if !ok || result.MemoryKey != c.MemoryKey {
		wrong("event %q put the entry %q in force, which is not one of %s", a.EventID, a.ResultingActiveEntryKey, c.MemoryKey)
		return
	}
	if what := a.misses(chosen, result); what != "" {
		wrong("event %q put the entry %q in force, which %s", a.EventID, result.Key, what)
	}
}

// differs names the fields in which a case and its adjudication do not agree.
func (a Adjudication) differs(c Case) []string {
	var fields []string
	for _, field := range []struct {
		name  string
		equal bool
	}{
		{"status", c.Status == StatusResolved},
		{"resolution_event_id", c.ResolutionEventID == a.EventID},
		{"revision", c.Revision == a.CaseRevision},
		{"selected_candidate_id", c.SelectedCandidateID == a.SelectedCandidateID},
		{"resolution_actor", c.ResolutionActor == a.Actor},
		{"resolution_rationale", c.ResolutionRationale == a.Rationale},
		{"resolved_at", c.ResolvedAt.Equal(a.ResolvedAt)},
		{"active_entry_key", c.ActiveEntryKey == a.PriorActiveEntryKey},
		{"resulting_active_entry_key", c.ResultingActiveEntryKey == a.ResultingActiveEntryKey},
	} {
		if !field.equal {
			fields = append(fields, field.name)
		}
	}
	return fields
}

// misses says why an entry is not what choosing the candidate makes, "" if it is. An
// entry's evidence may have grown since.
func (a Adjudication) misses(chosen Candidate, result Entry) string {
	switch {
	case chosen.Incumbent && result.Key != a.PriorActiveEntryKey:
		return "is not what was in force, though that was chosen"
	case !chosen.Incumbent && result.Supersedes != a.PriorActiveEntryKey:
		return "does not follow what was in force before"
	case result.Kind != chosen.Kind || result.Content != chosen.Content:
		return "does not say what was chosen"
	}
	for _, id := range chosen.EvidenceIDs {
		if _, in := slices.BinarySearch(result.EvidenceIDs, id); !in {
			return "has lost evidence of what was chosen"
		}
	}
	return ""
}
