package memory

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Candidate is one of the values a case asks about, with the evidence for it.
type Candidate struct {
	ID                string // derived from key, kind and normal form
	Kind              Kind
	Content           string
	EvidenceIDs       []string // sorted, without doubles
	Occurrences       int      // len(EvidenceIDs)
	MaximumImportance int      // 1..5, the raw number
	FirstSeen         time.Time
	LastSeen          time.Time
	Incumbent         bool // it is what is in force
}

// A Case is a question that the rules could not settle: a snapshot of equal
// candidates, its fingerprint, and, once closed, how it ended.
type Case struct {
	ID              string
	WorkspaceID     string
	MemoryKey       string
	Revision        int         // the case revision within the domain, from 1
	Fingerprint     string      // 64 hex digits over the evidence snapshot
	Status          Status      // Open, Resolved or Superseded
	Candidates      []Candidate // sorted by ID, two or more
	ObservedFactIDs []string    // sorted
	ActiveEntryKey  string      // what was in force, "" for nothing
	DetectedAt      time.Time

	// Set on a resolved case, zero otherwise.
	ResolvedAt              time.Time
	SelectedCandidateID     string
	ResolutionEventID       string
	ResolutionActor         string
	ResolutionRationale     string
	ResultingActiveEntryKey string

	SupersededAt time.Time // set on a superseded case, zero otherwise
}

func (c Candidate) equal(d Candidate) bool {
	return c.ID == d.ID && c.Kind == d.Kind && c.Content == d.Content && c.Occurrences == d.Occurrences &&
		c.MaximumImportance == d.MaximumImportance && c.FirstSeen.Equal(d.FirstSeen) && c.LastSeen.Equal(d.LastSeen) &&
		c.Incumbent == d.Incumbent && slices.Equal(c.EvidenceIDs, d.EvidenceIDs)
}

// equal reports whether both are the same record.
func (c Case) equal(d Case) bool {
	return c.ID == d.ID && c.WorkspaceID == d.WorkspaceID && c.MemoryKey == d.MemoryKey && c.Revision == d.Revision &&
		c.Fingerprint == d.Fingerprint && c.Status == d.Status && c.ActiveEntryKey == d.ActiveEntryKey &&
		slices.EqualFunc(c.Candidates, d.Candidates, Candidate.equal) && slices.Equal(c.ObservedFactIDs, d.ObservedFactIDs) &&
		c.DetectedAt.Equal(d.DetectedAt) && c.ResolvedAt.Equal(d.ResolvedAt) && c.SupersededAt.Equal(d.SupersededAt) &&
		c.SelectedCandidateID == d.SelectedCandidateID && c.ResolutionEventID == d.ResolutionEventID &&
		c.ResolutionActor == d.ResolutionActor && c.ResolutionRationale == d.ResolutionRationale &&
		c.ResultingActiveEntryKey == d.ResultingActiveEntryKey
}

// compare gives the order of cases in conflicts.json.
func (c *Case) compare(d *Case) int {
	return cmp.Or(compareText(c.MemoryKey, d.MemoryKey), cmp.Compare(c.Revision, d.Revision))
}

// Candidate returns the candidate of that id.
func (c *Case) Candidate(id string) (Candidate, bool) {
	for _, candidate := range c.Candidates {
		if candidate.ID == id {
			return candidate, true
		}
	}
	return Candidate{}, false
}

// Incumbent returns the candidate that was in force when the case was made.
func (c *Case) Incumbent() (Candidate, bool) {
	for _, candidate := range c.Candidates {
		if candidate.Incumbent {
			return candidate, true
		}
	}
	return Candidate{}, false
}

// candidateID derives the id of what a candidate says within a domain.
func candidateID(memoryKey string, kind Kind, content string) string {
	return "candidate-" + hash16(memoryKey+"\x00"+string(kind)+"\x00"+NormalForm(content))
}

// conflictID derives the id of the question that a fingerprint stands for.
func conflictID(workspaceID, memoryKey, fingerprint string) string {
	return "conflict-" + hash16(workspaceID+"\x00"+memoryKey+"\x00"+fingerprint)
}

// snapshot is what a fingerprint is taken over.
type snapshot struct {
	ActiveEntryKey  *string           `json:"active_entry_key"`
	Candidates      []candidateRecord `json:"candidates"`
	MemoryKey       string            `json:"memory_key"`
	ObservedFactIDs []string          `json:"observed_fact_ids"`
}

// fingerprint returns 64 hex digits over all that the case is about.
func (c *Case) fingerprint() (string, error) {
	b, err := canonical(snapshot{null(c.ActiveEntryKey), candidateRecords(c.Candidates), c.MemoryKey, c.ObservedFactIDs})
	if err != nil {
		return "", err
	}
	return hash64(string(b)), nil
}

func (c Candidate) record() candidateRecord {
	return candidateRecord{
		CandidateID: &c.ID, Content: &c.Content, EvidenceIDs: list(c.EvidenceIDs), FirstSeen: new(FormatTime(c.FirstSeen)),
		Incumbent: &c.Incumbent, Kind: (*string)(&c.Kind), LastSeen: new(FormatTime(c.LastSeen)),
		MaximumImportance: &c.MaximumImportance, Occurrences: &c.Occurrences,
	}
}

func candidateRecords(candidates []Candidate) []candidateRecord {
	records := make([]candidateRecord, 0, len(candidates))
	for _, c := range candidates {
		records = append(records, c.record())
	}
	return records
}

func (r candidateRecord) candidate() (Candidate, error) {
	var f fields
	c := Candidate{
		ID:                f.id("candidate_id", r.CandidateID),
		Kind:              f.kind(r.Kind),
		Content:           f.words("content", r.Content, maxContent),
		EvidenceIDs:       f.ids("evidence_ids", r.EvidenceIDs),
		Occurrences:       required(&f, "occurrences", r.Occurrences),
		MaximumImportance: required(&f, "maximum_importance", r.MaximumImportance),
		FirstSeen:         f.time("first_seen", r.FirstSeen),
		LastSeen:          f.time("last_seen", r.LastSeen),
		Incumbent:         required(&f, "incumbent", r.Incumbent),
	}
	f.check(checkNames(r, r.Others))
	return c, f.err
}

func (c Case) record() caseRecord {
	return caseRecord{
		ActiveEntryKey: null(c.ActiveEntryKey), Candidates: new(candidateRecords(c.Candidates)), ConflictID: &c.ID,
		DetectedAt: new(FormatTime(c.DetectedAt)), Fingerprint: &c.Fingerprint, MemoryKey: &c.MemoryKey,
		ObservedFactIDs: list(c.ObservedFactIDs), ResolutionActor: null(c.ResolutionActor),
		ResolutionEventID: null(c.ResolutionEventID), ResolutionRationale: null(c.ResolutionRationale),
		ResolvedAt: nullTime(c.ResolvedAt), ResultingActiveEntryKey: null(c.ResultingActiveEntryKey), Revision: &c.Revision,
		SelectedCandidateID: null(c.SelectedCandidateID), Status: (*string)(&c.Status),
		SupersededAt: nullTime(c.SupersededAt), WorkspaceID: &c.WorkspaceID,
	}
}

// MarshalJSON encodes the case as its record.
func (c Case) MarshalJSON() ([]byte, error) { return canonical(c.record()) }

func (r caseRecord) toCase(workspaceID string) (Case, error) {
	var f fields
	f.scope(r.WorkspaceID, workspaceID)
	c := Case{
		ID:                      f.id("conflict_id", r.ConflictID),
		WorkspaceID:             workspaceID,
		MemoryKey:               f.key("memory_key", r.MemoryKey),
		Revision:                required(&f, "revision", r.Revision),
		Fingerprint:             f.text("fingerprint", r.Fingerprint, maxID),
		Status:                  Status(required(&f, "status", r.Status)),
		ObservedFactIDs:         f.ids("observed_fact_ids", r.ObservedFactIDs),
		ActiveEntryKey:          f.optional("active_entry_key", r.ActiveEntryKey, maxID),
		DetectedAt:              f.time("detected_at", r.DetectedAt),
		ResolvedAt:              f.optionalTime("resolved_at", r.ResolvedAt),
		SelectedCandidateID:     f.optional("selected_candidate_id", r.SelectedCandidateID, maxID),
		ResolutionEventID:       maybe(f.id, "resolution_event_id", r.ResolutionEventID),
		ResolutionActor:         maybe(f.said, "resolution_actor", r.ResolutionActor),
		ResolutionRationale:     maybe(f.said, "resolution_rationale", r.ResolutionRationale),
		ResultingActiveEntryKey: f.optional("resulting_active_entry_key", r.ResultingActiveEntryKey, maxID),
		SupersededAt:            f.optionalTime("superseded_at", r.SupersededAt),
	}
	for _, record := range required(&f, "candidates", r.Candidates) {
		candidate, err := record.candidate()
		if err != nil && f.err == nil {
			f.err = fmt.Errorf("has a candidate that %w", err)
		}
		c.Candidates = append(c.Candidates, candidate)
	}
	f.check(checkNames(r, r.Others))
	if f.err == nil {
		f.check(c.check())
	}
	return c, f.err
}
