package memory

import (
	"bytes"
	"time"
)

// An Adjudication is the record of one human decision.
type Adjudication struct {
	EventID                 string
	WorkspaceID             string
	ConflictID              string
	CaseRevision            int
	SelectedCandidateID     string
	Actor                   string
	Rationale               string
	ResolvedAt              time.Time
	PriorActiveEntryKey     string // "" where nothing was in force
	ResultingActiveEntryKey string
	EvidenceIDs             []string // the chosen candidate's, sorted

	File string // where it was read; "" if not read from the audit
	Line int
}

// record returns what stands in the audit.
func (a Adjudication) record() adjudicationRecord {
	return adjudicationRecord{
		Actor: &a.Actor, CaseRevision: &a.CaseRevision, ConflictID: &a.ConflictID, EventID: &a.EventID,
		EvidenceIDs: list(a.EvidenceIDs), PriorActiveEntryKey: null(a.PriorActiveEntryKey), Rationale: &a.Rationale,
		ResolvedAt: new(FormatTime(a.ResolvedAt)), ResultingActiveEntryKey: null(a.ResultingActiveEntryKey),
		SchemaVersion: new(conflictsSchema), SelectedCandidateID: &a.SelectedCandidateID, WorkspaceID: &a.WorkspaceID,
	}
}

// MarshalJSON encodes the adjudication as its record.
func (a Adjudication) MarshalJSON() ([]byte, error) { return canonical(a.record()) }

func (r adjudicationRecord) adjudication(workspaceID string) (Adjudication, error) {
	var f fields
	f.schema(r.SchemaVersion, conflictsSchema)
	f.scope(r.WorkspaceID, workspaceID)
	a := Adjudication{
		EventID:                 f.id("event_id", r.EventID),
		WorkspaceID:             workspaceID,
		ConflictID:              f.id("conflict_id", r.ConflictID),
		CaseRevision:            required(&f, "case_revision", r.CaseRevision),
		SelectedCandidateID:     f.id("selected_candidate_id", r.SelectedCandidateID),
		Actor:                   f.said("actor", r.Actor),
		Rationale:               f.said("rationale", r.Rationale),
		ResolvedAt:              f.time("resolved_at", r.ResolvedAt),
		PriorActiveEntryKey:     f.optional("prior_active_entry_key", r.PriorActiveEntryKey, maxID),
		ResultingActiveEntryKey: f.optional("resulting_active_entry_key", r.ResultingActiveEntryKey, maxID),
		EvidenceIDs:             f.ids("evidence_ids", r.EvidenceIDs),
	}
	if a.CaseRevision < 1 {
		f.fail("has case_revision %d", a.CaseRevision)
	}
	f.check(checkNames(r, r.Others))
	return a, f.err
}

// decodeAdjudication reads one line of the audit.
func decodeAdjudication(data []byte, workspaceID string) (Adjudication, error) {
	var r adjudicationRecord
	if err := strict(data, &r); err != nil {
		return Adjudication{}, err
	}
	return r.adjudication(workspaceID)
}

// equal reports whether both are the same record, wherever they were read.
func (a Adjudication) equal(b Adjudication) bool { return sameRecord(a.record(), b.record()) }

// sameRecord compares two records by what they would be written as.
func sameRecord(a, b any) bool {
	x, errX := canonical(a)
	y, errY := canonical(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
