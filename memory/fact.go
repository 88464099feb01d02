package memory

import (
	"maps"
	"time"
)

// Kind says what sort of thing a fact states.
type Kind string

// The four kinds. The first three are stable: they can be distilled. An outcome
// stays in the logs.
const (
	Decision   Kind = "decision"
	Convention Kind = "convention"
	Pitfall    Kind = "pitfall"
	Outcome    Kind = "outcome"
)

// Kinds lists the kinds in the order in which pages and MEMORY.md show them.
func Kinds() []Kind { return []Kind{Decision, Convention, Pitfall, Outcome} }

// Stable reports whether facts of this kind may enter curated memory.
func (k Kind) Stable() bool { return k == Decision || k == Convention || k == Pitfall }

// Valid reports whether k is one of the four kinds.
func (k Kind) Valid() bool { return k.Stable() || k == Outcome }

// A Fact is one record of a daily log: evidence, never changed and never deleted.
type Fact struct {
	ID            string // 32 hex digits unless the caller gave one
	WorkspaceID   string
	RecordedAt    time.Time // UTC, whole microseconds
	Kind          Kind
	Content       string // white space collapsed
	Source        string // who said it
	Importance    int    // 1..5 as stored, before any source confidence
	Evidence      map[string]string
	SchemaVersion int    // 2, or 1 as read from old logs
	MemoryKey     string // the conflict domain; "" where the fact has none

	File string // where it was read: "daily/2026-08-07.jsonl"; "" if not read from a log
	Line int    // from 1
}

// compare orders facts by (time, id), the order of all facts.
func (f *Fact) compare(g *Fact) int {
	if c := f.RecordedAt.Compare(g.RecordedAt); c != 0 {
		return c
	}
	return compareText(f.ID, g.ID)
}

// A Draft is a fact that has not been recorded. NewDraft gives the defaults; the
// zero Draft is invalid.
type Draft struct {
	ID         string    // "" for a new id
	RecordedAt time.Time // zero for now
	Kind       Kind
	Content    string
	Source     string
	Importance int
	Evidence   map[string]string
	MemoryKey  *string // nil for none; an empty string is refused
}

// NewDraft returns a draft of content with the format's defaults: an outcome of
// importance 3 said by "agent".
func NewDraft(content string) Draft {
	return Draft{Kind: Outcome, Content: content, Source: "agent", Importance: 3}
}

// factSchema is the schema that Docket writes; 1, without a memory key, is read too.
const factSchema = 2

func (f Fact) record() factRecord {
	evidence := make(map[string]*string, len(f.Evidence))
	for name, value := range f.Evidence {
		evidence[name] = &value
	}
	return factRecord{
		Content: &f.Content, Evidence: evidence, FactID: &f.ID, Importance: &f.Importance,
		Kind: (*string)(&f.Kind), MemoryKey: null(f.MemoryKey), RecordedAt: new(FormatTime(f.RecordedAt)),
		SchemaVersion: &f.SchemaVersion, Source: &f.Source, WorkspaceID: &f.WorkspaceID,
	}
}

// MarshalJSON encodes the fact as its record.
func (f Fact) MarshalJSON() ([]byte, error) { return canonical(f.record()) }

// fact reads a stored record. Its schema is judged first: the rest of a record of an
// unknown schema means nothing.
func (r factRecord) fact(workspaceID string) (Fact, error) {
	var f fields
	schema := 1
	if r.SchemaVersion != nil {
		schema = f.schema(r.SchemaVersion, 1, factSchema)
	}
	f.scope(r.WorkspaceID, workspaceID)
	fact := Fact{
		ID:            f.factID(r.FactID),
		WorkspaceID:   workspaceID,
		RecordedAt:    f.time("recorded_at", r.RecordedAt),
		Kind:          f.kind(r.Kind),
		Content:       f.words("content", r.Content, maxContent),
		Source:        "agent",
		Importance:    3,
		SchemaVersion: schema,
		MemoryKey:     f.key("memory_key", r.MemoryKey),
		Evidence:      r.evidence(&f),
	}
	if r.Source != nil {
		fact.Source = *r.Source
		f.check(checkText("source", fact.Source))
	}
	if r.Importance != nil {
		fact.Importance = *r.Importance
	}
	if fact.Importance < 1 || fact.Importance > 5 {
		f.fail("has the importance %d, not 1 to 5", fact.Importance)
	}
	f.check(checkNames(r, r.Others))
	return fact, f.err
}

func (r factRecord) evidence(f *fields) map[string]string {
	evidence := make(map[string]string, len(r.Evidence))
	for name, value := range r.Evidence {
		if value == nil {
			f.fail("has evidence %q that is no string", clip(name))
			continue
		}
		f.check(checkEvidence(name, *value))
		evidence[name] = *value
	}
	return evidence
}

// checkEvidence refuses what neither a name nor a value of evidence may hold.
func checkEvidence(name, value string) error {
	if err := checkText("evidence", name); err != nil {
		return err
	}
	return checkText("evidence", value)
}

// decodeFact reads one line of a daily log.
func decodeFact(data []byte, workspaceID string) (Fact, error) {
	var r factRecord
	if err := strict(data, &r); err != nil {
		return Fact{}, err
	}
	return r.fact(workspaceID)
}

// fact validates the draft and makes it a fact of the workspace. ID and RecordedAt
// stay as they are where the caller gave none.
func (d Draft) fact(workspaceID string) (Fact, error) {
	f := Fact{
		WorkspaceID: workspaceID, RecordedAt: cleanTime(d.RecordedAt), Kind: d.Kind, Source: d.Source,
		Importance: d.Importance, Evidence: maps.Clone(d.Evidence), SchemaVersion: factSchema,
	}
	if f.Evidence == nil {
		f.Evidence = map[string]string{}
	}
	if !d.Kind.Valid() {
		return Fact{}, &InvalidError{"kind", "must be decision, convention, pitfall or outcome"}
	}
	if d.Importance < 1 || d.Importance > 5 {
		return Fact{}, &InvalidError{"importance", "must be between 1 and 5"}
	}
	if y := f.RecordedAt.Year(); y < 1 || y > 9999 {
		return Fact{}, &InvalidError{"recorded_at", "must be in the years 1 to 9999"}
	}
	if err := checkText("source", d.Source); err != nil {
		return Fact{}, err
	}
	for name, value := range d.Evidence {
		if err := checkEvidence(name, value); err != nil {
			return Fact{}, err
		}
	}
	var err error
	if f.Content, err = cleanText("content", d.Content, maxContent); err != nil {
		return Fact{}, err
	}
	if d.MemoryKey != nil {
		if f.MemoryKey, err = CleanKey(*d.MemoryKey); err != nil {
			return Fact{}, err
		}
	}
	if d.ID != "" {
		if f.ID, err = cleanFactID(d.ID); err != nil {
			return Fact{}, err
		}
	}
	return f, checkSize(f)
}

// checkSize refuses a fact whose line would be longer than a log may hold.
func checkSize(f Fact) error {
	b, err := line(f.record())
	if err != nil {
		return err
	}
	if len(b) > MaxRecord {
		return &InvalidError{"evidence", "makes the record longer than 1 MiB"}
	}
	return nil
}

// CheckDraft refuses with an InvalidError a draft that Append would refuse.
func CheckDraft(d Draft) error {
	_, err := d.fact("")
	return err
}

// DecodeDraft reads one JSON object as a draft, for import: the fields of a stored
// fact, of which only content is needed. workspaceID is "" where the object names none.
// Errors are InvalidErrors.
func DecodeDraft(data []byte) (d Draft, workspaceID string, err error) {
	var r factRecord
	if err := strict(data, &r); err != nil {
		return Draft{}, "", &InvalidError{"line", err.Error()}
	}
	if err := checkNames(r, r.Others); err != nil {
		return Draft{}, "", &InvalidError{"line", err.Error()}
	}
	if r.Content == nil {
		return Draft{}, "", &InvalidError{"line", "has no content"}
	}
	d = NewDraft(*r.Content)
	d.MemoryKey = r.MemoryKey
	if r.FactID != nil {
		if d.ID, err = cleanFactID(*r.FactID); err != nil {
			return Draft{}, "", err
		}
	}
	if r.Kind != nil {
		d.Kind = Kind(*r.Kind)
	}
	if r.Source != nil {
		d.Source = *r.Source
	}
	if r.Importance != nil {
		d.Importance = *r.Importance
	}
	if r.RecordedAt != nil {
		if d.RecordedAt, err = ParseTime(*r.RecordedAt); err != nil {
			return Draft{}, "", err
		}
	}
	var f fields
	d.Evidence = r.evidence(&f)
	if f.err != nil {
		return Draft{}, "", &InvalidError{"line", f.err.Error()}
	}
	if r.WorkspaceID != nil {
		workspaceID = *r.WorkspaceID
	}
	return d, workspaceID, nil
}

// same reports whether f is the record g, the time aside if it was not given.
func (f *Fact) same(g *Fact, anyTime bool) bool {
	return f.Kind == g.Kind && f.Content == g.Content && f.Source == g.Source && f.Importance == g.Importance &&
		f.MemoryKey == g.MemoryKey && maps.Equal(f.Evidence, g.Evidence) &&
		(anyTime || f.RecordedAt.Equal(g.RecordedAt))
}
