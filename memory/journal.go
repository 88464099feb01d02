package memory

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A phase says how far the adjudication of one transaction has come. Phases are
// history: what is left to do is decided by the contents of the files alone.
type phase string

const (
	prepared       phase = "prepared" // the commit point
	curatedApplied phase = "curated_applied"
	conflictClosed phase = "conflict_closed"
	auditAppended  phase = "audit_appended"
	committed      phase = "committed"
)

// phases lists the phases in the only order in which they may come.
func phases() []phase {
	return []phase{prepared, curatedApplied, conflictClosed, auditAppended, committed}
}

// An intent is all that one adjudication does to the files, decided before the first
// of them is touched.
type intent struct {
	transactionID   string
	preparedAt      time.Time
	curatedBefore   []Entry
	curatedAfter    []Entry
	conflictsBefore []Case
	conflictsAfter  []Case
	adjudication    Adjudication
}

// transactionID derives the id of the transaction of an event.
func transactionID(workspaceID, eventID string) string {
	return "resolution-" + hash64(workspaceID + "\x00" + eventID)[:24]
}

type intentRecord struct {
	Adjudication    *adjudicationRecord `json:"adjudication"`
	ConflictID      *string             `json:"conflict_id"`
	ConflictsAfter  *[]caseRecord       `json:"conflicts_after"`
	ConflictsBefore *[]caseRecord       `json:"conflicts_before"`
	CuratedAfter    *[]entryRecord      `json:"curated_after"`
	CuratedBefore   *[]entryRecord      `json:"curated_before"`
	EventID         *string             `json:"event_id"`
	PreparedAt      *string             `json:"prepared_at"`
	SchemaVersion   *int                `json:"schema_version"`
	TransactionID   *string             `json:"transaction_id"`
	WorkspaceID     *string             `json:"workspace_id"`
	Others          jsontext.Value      `json:",embed"`
}

type phaseRecord struct {
	Intent        jsontext.Value `json:"intent,omitzero"`
	IntentSHA256  *string        `json:"intent_sha256"`
	Phase         *string        `json:"phase"`
	RecordedAt    *string        `json:"recorded_at"`
	SchemaVersion *int           `json:"schema_version"`
	TransactionID *string        `json:"transaction_id"`
	WorkspaceID   *string        `json:"workspace_id"`
	Others        jsontext.Value `json:",embed"`
}

func records[V interface{ record() R }, R any](values []V) *[]R {
	list := make([]R, 0, len(values))
	for _, v := range values {
		list = append(list, v.record())
	}
	return &list
}

// encode returns the intent's canonical JSON, over which its hash is taken.
func (i *intent) encode() (jsontext.Value, error) {
	a := i.adjudication
	return canonical(intentRecord{
		Adjudication: new(a.record()), ConflictID: &a.ConflictID,
		ConflictsAfter: records(i.conflictsAfter), ConflictsBefore: records(i.conflictsBefore),
		CuratedAfter: records(i.curatedAfter), CuratedBefore: records(i.curatedBefore),
		EventID: &a.EventID, PreparedAt: new(FormatTime(i.preparedAt)), SchemaVersion: new(conflictsSchema),
		TransactionID: &i.transactionID, WorkspaceID: &a.WorkspaceID,
	})
}

func decodeIntent(raw jsontext.Value, workspaceID string) (*intent, error) {
	var r intentRecord
	if err := strict(raw, &r); err != nil {
		return nil, err
	}
	var f fields
	f.schema(r.SchemaVersion, conflictsSchema)
	f.scope(r.WorkspaceID, workspaceID)
	i := &intent{
		transactionID:   f.id("transaction_id", r.TransactionID),
		preparedAt:      f.time("prepared_at", r.PreparedAt),
		curatedBefore:   intentEntries(&f, "curated_before", r.CuratedBefore),
		curatedAfter:    intentEntries(&f, "curated_after", r.CuratedAfter),
		conflictsBefore: intentCases(&f, "conflicts_before", r.ConflictsBefore, workspaceID),
		conflictsAfter:  intentCases(&f, "conflicts_after", r.ConflictsAfter, workspaceID),
	}
	conflict, event := f.id("conflict_id", r.ConflictID), f.id("event_id", r.EventID)
	record := required(&f, "adjudication", r.Adjudication)
	f.check(checkNames(r, r.Others))
	if f.err != nil {
		return nil, f.err
	}
	var err error
	if i.adjudication, err = record.adjudication(workspaceID); err != nil {
		return nil, fmt.Errorf("the adjudication %w", err)
	}
	if i.adjudication.ConflictID != conflict || i.adjudication.EventID != event ||
		i.transactionID != transactionID(workspaceID, event) {
		return nil, &shapeError{reason: "the ids of the intent do not belong together"}
	}
	return i, nil
}

func intentEntries(f *fields, name string, r *[]entryRecord) []Entry {
	entries, _, err := decodeEntries(required(f, name, r), curatedSchema)
	if err != nil {
		f.check(fmt.Errorf("%s: %w", name, err))
	}
	return entries
}

func intentCases(f *fields, name string, r *[]caseRecord, workspaceID string) []Case {
	cases, _, err := decodeCases(required(f, name, r), workspaceID)
	if err != nil {
		f.check(fmt.Errorf("%s: %w", name, err))
	}
	return cases
}

// A transaction is an intent and how far it has come.
type transaction struct {
	id     string
	raw    jsontext.Value // the intent
	intent *intent        // raw, once decoded
	hash   string         // SHA-256 of raw's canonical JSON, on every line of the transaction
	phase  phase          // the last one on record
	line   int            // of the prepared line
}

// decode reads the intent, which only a transaction that is pending needs.
func (t *transaction) decode(workspaceID string) error {
	if t.intent != nil {
		return nil
	}
	i, err := decodeIntent(t.raw, workspaceID)
	if err != nil {
		return fmt.Errorf("the intent of transaction %s: %w", t.id, err)
	}
	if i.transactionID != t.id {
		return &shapeError{reason: fmt.Sprintf("the intent of transaction %s is that of another", t.id)}
	}
	t.intent = i
	return nil
}

func newTransaction(i *intent) (*transaction, error) {
	raw, err := i.encode()
	if err != nil {
		return nil, err
	}
	return &transaction{id: i.transactionID, intent: i, raw: raw, hash: hash64(string(raw))}, nil
}

// lineFor encodes the journal line that says the transaction reached p at now.
func (t *transaction) lineFor(p phase, now time.Time) ([]byte, error) {
	r := phaseRecord{
		IntentSHA256: &t.hash, Phase: (*string)(&p), RecordedAt: new(FormatTime(now)), SchemaVersion: new(conflictsSchema),
		TransactionID: &t.id, WorkspaceID: &t.intent.adjudication.WorkspaceID,
	}
	if p == prepared {
		r.Intent = t.raw
	}
	return line(r)
}

// A journal follows the journal's lines. It keeps the ids of the transactions that
// are over and, whole, the one that is not: there is at most one, and it is the last.
type journal struct {
	workspaceID string
	done        map[string]bool
	pending     *transaction
	broken      bool // a line was refused
	thorough    bool // decode every intent, not only the pending one
}

// next takes in one line, the n-th, and refuses one that cannot follow.
func (j *journal) next(data []byte, n int) error {
	var r phaseRecord
	if err := strict(data, &r); err != nil {
		return err
	}
	var f fields
	f.schema(r.SchemaVersion, conflictsSchema)
	f.scope(r.WorkspaceID, j.workspaceID)
	id := f.id("transaction_id", r.TransactionID)
	hash := f.text("intent_sha256", r.IntentSHA256, maxID)
	p := phase(required(&f, "phase", r.Phase))
	f.time("recorded_at", r.RecordedAt)
	f.check(checkNames(r, r.Others))
	if f.err == nil && !slices.Contains(phases(), p) {
		f.fail("has the unknown phase %q", clip(string(p)))
	}
	if f.err != nil {
		return f.err
	}
	if string(r.Intent) == "null" {
		r.Intent = nil
	}
	if p == prepared {
		return j.begin(r.Intent, id, hash, n)
	}
	return j.advance(id, hash, p, len(r.Intent) > 0)
}

func (j *journal) begin(raw jsontext.Value, id, hash string, n int) error {
	var f fields
	switch {
	case j.pending != nil && j.pending.id != id:
		f.fail("begins transaction %s while %s is pending", id, j.pending.id)
	case j.pending != nil || j.done[id]:
		f.fail("begins transaction %s a second time", id)
	case len(raw) == 0:
		f.fail("is prepared and has no intent")
	}
	if f.err != nil {
		return f.err
	}
	if err := checkHash(raw, hash); err != nil {
		return fmt.Errorf("the intent of transaction %s: %w", id, err)
	}
	j.pending = &transaction{id: id, raw: raw.Clone(), hash: hash, phase: prepared, line: n}
	if j.thorough {
		return j.pending.decode(j.workspaceID)
	}
	return nil
}

// checkHash holds an intent, as it stands in the journal, against its hash.
func checkHash(raw jsontext.Value, hash string) error {
	// An intent has no keys whose order differs between code points and UTF-16, unless a
	// newer program put some there: a match is proof, and only a mismatch needs our order.
	quick := raw.Clone()
	if err := quick.Format(jsontext.ReorderRawObjects(true)); err == nil && hash64(string(quick)) == hash {
		return nil
	}
	whole, err := canonicalize(raw)
	if err != nil {
		return err
	}
	if hash64(string(whole)) != hash {
		return &shapeError{reason: "it was modified: its hash does not match"}
	}
	return nil
}

func (j *journal) advance(id, hash string, p phase, hasIntent bool) error {
	var f fields
	t := j.pending
	switch {
	case t == nil || t.id != id:
		f.fail("is a phase of transaction %s, which is not pending", id)
	case hash != t.hash:
		f.fail("carries another hash than the intent of transaction %s", id)
	case hasIntent:
		f.fail("repeats the intent of transaction %s", id)
	case slices.Index(phases(), p) != slices.Index(phases(), t.phase)+1:
		f.fail("says %s of transaction %s after %s", p, id, t.phase)
	}
	if f.err != nil {
		return f.err
	}
	t.phase = p
	if p == committed {
		j.done[id], j.pending = true, nil
	}
	return nil
}

// remaining is what of a transaction the files do not show yet.
type remaining struct{ curated, conflicts, audit bool }

// judge compares the files with the intent: equal to after is done, equal to before
// is to do, and anything else is a Fault, upon which nothing may be written.
func (t *transaction) judge(entries []Entry, cases []Case, audit []Adjudication) (todo remaining, err error) {
	i := t.intent
	todo.curated, err = judge(t, CuratedDocument, sortedEntries(entries),
		sortedEntries(i.curatedBefore), sortedEntries(i.curatedAfter), Entry.equal)
	if err != nil {
		return todo, err
	}
	todo.conflicts, err = judge(t, ConflictsDocument, sortedCases(cases),
		sortedCases(i.conflictsBefore), sortedCases(i.conflictsAfter), Case.equal)
	if err != nil {
		return todo, err
	}
	todo.audit = true
	for _, a := range audit {
		if a.EventID != i.adjudication.EventID {
			continue
		}
		if !a.equal(i.adjudication) {
			return todo, &Fault{Code: CodeCorrupt, File: string(AuditLog), Line: a.Line, Reason: fmt.Sprintf(
				"holds event %s with other contents than transaction %s", a.EventID, t.id)}
		}
		todo.audit = false
	}
	return todo, nil
}

func judge[V any](t *transaction, name Name, now, before, after []V, equal func(a, b V) bool) (todo bool, err error) {
	switch {
	case slices.EqualFunc(now, after, equal):
		return false, nil
	case slices.EqualFunc(now, before, equal):
		return true, nil
	}
	return false, &Fault{Code: CodeCorrupt, File: string(name), Reason: fmt.Sprintf(
		"is neither what it was before transaction %s nor what it is to be after", t.id)}
}
