package memory

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The records are what stands on disk, apart from the values that the program works
// with: their fields are in the order of their keys, a pointer is nil where a key is
// absent or null, and Others holds the members that we do not know.

type factRecord struct {
	Content       *string            `json:"content"`
	Evidence      map[string]*string `json:"evidence"`
	FactID        *string            `json:"fact_id"`
	Importance    *int               `json:"importance"`
	Kind          *string            `json:"kind"`
	MemoryKey     *string            `json:"memory_key"`
	RecordedAt    *string            `json:"recorded_at"`
	SchemaVersion *int               `json:"schema_version"`
	Source        *string            `json:"source"`
	WorkspaceID   *string            `json:"workspace_id"`
	Others        jsontext.Value     `json:",embed"`
}

type entryRecord struct {
	Content      *string        `json:"content"`
	EvidenceIDs  *[]string      `json:"evidence_ids"`
	FirstSeen    *string        `json:"first_seen"`
	Key          *string        `json:"key"`
	Kind         *string        `json:"kind"`
	LastSeen     *string        `json:"last_seen"`
	MemoryKey    *string        `json:"memory_key"`
	Occurrences  *int           `json:"occurrences"`
	Revision     *int           `json:"revision"`
	Status       *string        `json:"status"`
	SupersededBy *string        `json:"superseded_by"`
	Supersedes   *string        `json:"supersedes"`
	Others       jsontext.Value `json:",embed"`
}

type curatedRecord struct {
	Entries       *[]entryRecord `json:"entries"`
	SchemaVersion *int           `json:"schema_version"`
	WorkspaceID   *string        `json:"workspace_id"`
	Others        jsontext.Value `json:",embed"`
}

type candidateRecord struct {
	CandidateID       *string        `json:"candidate_id"`
	Content           *string        `json:"content"`
	EvidenceIDs       *[]string      `json:"evidence_ids"`
	FirstSeen         *string        `json:"first_seen"`
	Incumbent         *bool          `json:"incumbent"`
	Kind              *string        `json:"kind"`
	LastSeen          *string        `json:"last_seen"`
	MaximumImportance *int           `json:"maximum_importance"`
	Occurrences       *int           `json:"occurrences"`
	Others            jsontext.Value `json:",embed"`
}

type caseRecord struct {
	ActiveEntryKey          *string            `json:"active_entry_key"`
	Candidates              *[]candidateRecord `json:"candidates"`
	ConflictID              *string            `json:"conflict_id"`
	DetectedAt              *string            `json:"detected_at"`
	Fingerprint             *string            `json:"fingerprint"`
	MemoryKey               *string            `json:"memory_key"`
	ObservedFactIDs         *[]string          `json:"observed_fact_ids"`
	ResolutionActor         *string            `json:"resolution_actor"`
	ResolutionEventID       *string            `json:"resolution_event_id"`
	ResolutionRationale     *string            `json:"resolution_rationale"`
	ResolvedAt              *string            `json:"resolved_at"`
	ResultingActiveEntryKey *string            `json:"resulting_active_entry_key"`
	Revision                *int               `json:"revision"`
	SelectedCandidateID     *string            `json:"selected_candidate_id"`
	Status                  *string            `json:"status"`
	SupersededAt            *string            `json:"superseded_at"`
	WorkspaceID             *string            `json:"workspace_id"`
	Others                  jsontext.Value     `json:",embed"`
}

type conflictsRecord struct {
	Cases         *[]caseRecord  `json:"cases"`
	SchemaVersion *int           `json:"schema_version"`
	WorkspaceID   *string        `json:"workspace_id"`
	Others        jsontext.Value `json:",embed"`
}

type adjudicationRecord struct {
	Actor                   *string        `json:"actor"`
	CaseRevision            *int           `json:"case_revision"`
	ConflictID              *string        `json:"conflict_id"`
	EventID                 *string        `json:"event_id"`
	EvidenceIDs             *[]string      `json:"evidence_ids"`
	PriorActiveEntryKey     *string        `json:"prior_active_entry_key"`
	Rationale               *string        `json:"rationale"`
	ResolvedAt              *string        `json:"resolved_at"`
	ResultingActiveEntryKey *string        `json:"resulting_active_entry_key"`
	SchemaVersion           *int           `json:"schema_version"`
	SelectedCandidateID     *string        `json:"selected_candidate_id"`
	WorkspaceID             *string        `json:"workspace_id"`
	Others                  jsontext.Value `json:",embed"`
}

// A scopeError says that a record carries another workspace's id.
type scopeError struct{ workspaceID string }

func (e *scopeError) Error() string {
	return fmt.Sprintf("belongs to workspace %q", clip(e.workspaceID))
}

// fields reads the fields of one record and keeps the first thing that is wrong.
type fields struct{ err error }

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = &shapeError{reason: fmt.Sprintf(format, args...)}
	}
}

func (f *fields) check(err error) {
	if f.err == nil && err != nil {
		f.err = err
	}
}

// required returns the field's value; an absent one is a fault.
func required[T any](f *fields, name string, v *T) (value T) {
	if v == nil {
		f.fail("has no %s", name)
		return value
	}
	return *v
}

// text reads a required string of limited length without U+0000.
func (f *fields) text(name string, v *string, limit int) string {
	s := required(f, name, v)
	if f.err == nil {
		f.check(checkText(name, s))
		_, err := measure(name, s, limit)
		f.check(err)
	}
	return s
}

// optional reads a string that may be absent, null or, as absent, empty.
func (f *fields) optional(name string, v *string, limit int) string {
	if v == nil || *v == "" {
		return ""
	}
	return f.text(name, v, limit)
}

// words reads a required text that is collapsed before it is measured.
func (f *fields) words(name string, v *string, limit int) string {
	s := required(f, name, v)
	if f.err != nil {
		return ""
	}
	s, err := cleanText(name, s, limit)
	f.check(err)
	return s
}

func (f *fields) id(name string, v *string) string {
	s := required(f, name, v)
	if f.err != nil {
		return ""
	}
	s, err := cleanID(name, s)
	f.check(err)
	return s
}

func (f *fields) factID(v *string) string {
	s := required(f, "fact_id", v)
	if f.err != nil {
		return ""
	}
	s, err := cleanFactID(s)
	f.check(err)
	return s
}

// said reads an actor or a rationale.
func (f *fields) said(name string, v *string) string { return f.words(name, v, maxWords) }

// maybe reads with read a field that may be absent, null or, as absent, empty.
func maybe(read func(string, *string) string, name string, v *string) string {
	if v == nil || *v == "" {
		return ""
	}
	return read(name, v)
}

func (f *fields) key(name string, v *string) string {
	if v == nil || *v == "" {
		return ""
	}
	s, err := CleanKey(*v)
	f.check(err)
	return s
}

func (f *fields) time(name string, v *string) time.Time {
	s := required(f, name, v)
	if f.err != nil {
		return time.Time{}
	}
	t, err := ParseTime(s)
	if err != nil {
		f.fail("%s is not a time: %v", name, err)
	}
	return t
}

func (f *fields) optionalTime(name string, v *string) time.Time {
	if v == nil {
		return time.Time{}
	}
	return f.time(name, v)
}

func (f *fields) kind(v *string) Kind {
	k := Kind(required(f, "kind", v))
	if f.err == nil && !k.Valid() {
		f.fail("has the unknown kind %q", clip(string(k)))
	}
	return k
}

// ids reads a required list of fact ids and refuses one that is not in order or
// names an id twice.
func (f *fields) ids(name string, v *[]string) []string {
	ids := required(f, name, v)
	for i, id := range ids {
		f.text(name, &id, maxID)
		if i > 0 && ids[i-1] == id {
			f.fail("%s names %q twice", name, clip(id))
		}
	}
	if !slices.IsSorted(ids) {
		f.fail("%s is not sorted", name)
	}
	return ids
}

func (f *fields) schema(v *int, allowed ...int) int {
	n := required(f, "schema_version", v)
	if f.err == nil && !slices.Contains(allowed, n) {
		f.fail("has the unknown schema_version %d", n)
	}
	return n
}

func (f *fields) scope(v *string, workspaceID string) string {
	s := required(f, "workspace_id", v)
	if f.err == nil && s != workspaceID {
		f.err = &scopeError{s}
	}
	return s
}

// null returns nil for "", else a pointer to s.
func null(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func nullTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(FormatTime(t))
}

func list(s []string) *[]string {
	if s == nil {
		s = []string{}
	}
	return &s
}
