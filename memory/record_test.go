package memory

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testWorkspace = "0123456789abcdef"

// testDay returns noon of the n-th day of 2026.
func testDay(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) }

func testFact(id string, day int) Fact {
	return Fact{
		ID: id, WorkspaceID: testWorkspace, RecordedAt: testDay(day), Kind: Decision, Content: "Use " + id + ".", Source: "user",
		Importance: 4, Evidence: map[string]string{"file": "a.go"}, SchemaVersion: 2, MemoryKey: "runtime.python",
	}
}

func testAdjudication() Adjudication {
	return Adjudication{
		EventID: "review:1", WorkspaceID: testWorkspace, ConflictID: "conflict-1", CaseRevision: 1, SelectedCandidateID: "candidate-1",
		Actor: "reviewer", Rationale: "because", ResolvedAt: testDay(3), PriorActiveEntryKey: "p", ResultingActiveEntryKey: "r",
		EvidenceIDs: []string{"f1", "f2"},
	}
}

// edits change a record by the paths of its fields, as in "candidates.0.kind".
type edits map[string]any

// absent as a new value takes the field away.
type absent struct{}

// A refusal is what edits of a good record must lead to: an error with these words, or
// none where want is "".
type refusal struct {
	edits edits
	want  string
}

// textOf encodes a record, toTree decodes it into maps and lists, textOf is the way back.
func textOf(t *testing.T, record any) []byte {
	t.Helper()
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func toTree(t *testing.T, text []byte) (tree any) {
	t.Helper()
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// edit returns the record of that text as edited.
func edit(t *testing.T, text []byte, changes edits) any {
	t.Helper()
	tree := toTree(t, text)
	for path, value := range changes {
		tree = editAt(t, tree, strings.Split(path, "."), value)
	}
	return tree
}

func editAt(t *testing.T, tree any, path []string, value any) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	switch node := tree.(type) {
	case map[string]any:
		if _, ok := value.(absent); ok && len(path) == 1 {
			delete(node, path[0])
		} else {
			node[path[0]] = editAt(t, node[path[0]], path[1:], value)
		}
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil {
			t.Fatal(err)
		}
		node[i] = editAt(t, node[i], path[1:], value)
	default:
		t.Fatalf("%q leads nowhere", path)
	}
	return tree
}

// checkRefusal holds an error against what is wanted.
func checkRefusal(t *testing.T, r refusal, err error) {
	t.Helper()
	switch {
	case r.want == "" && err != nil:
		t.Errorf("%v is refused: %v", r.edits, err)
	case r.want != "" && err == nil:
		t.Errorf("%v is accepted, want an error with %q", r.edits, r.want)
	case r.want != "" && !strings.Contains(err.Error(), r.want):
		t.Errorf("%v: got %v, want an error with %q", r.edits, err, r.want)
	}
}

// needs makes the rows of fields that may be neither absent nor null, at a prefix.
func needs(prefix string, names ...string) (rows []refusal) {
	for _, name := range names {
		rows = append(rows, refusal{edits{prefix + name: absent{}}, "has no " + name}, refusal{edits{prefix + name: nil}, "has no " + name})
	}
	return rows
}

// spares makes the rows of fields that may be absent or null.
func spares(prefix string, names ...string) (rows []refusal) {
	for _, name := range names {
		rows = append(rows, refusal{edits{prefix + name: absent{}}, ""}, refusal{edits{prefix + name: nil}, ""})
	}
	return rows
}

// badIDs makes the rows of a list of fact ids that must be sorted.
func badIDs(path string, sorted bool) []refusal {
	rows := []refusal{
		{edits{path: []any{"f1", "f1"}}, "twice"}, {edits{path: []any{"", "f1"}}, "empty"}, {edits{path: []any{nil, "f1"}}, "empty"},
		{edits{path: "f1"}, "wrong type"}, {edits{path: []any{1, "f1"}}, "wrong type"}, {edits{path: map[string]any{}}, "wrong type"},
		{edits{path: []any{"f1", "g\x00"}}, "U+0000"}, {edits{path: []any{"f1", strings.Repeat("g", 201)}}, "201 characters"},
	}
	if sorted {
		rows = append(rows, refusal{edits{path: []any{"f2", "f1"}}, "not sorted"})
	}
	return rows
}

func factRefusals() []refusal {
	rows := slices.Concat(needs("", "content", "fact_id", "kind", "recorded_at", "workspace_id"),
		spares("", "source", "importance", "evidence", "memory_key", "schema_version"))
	return append(rows, []refusal{
		{edits{}, ""}, {edits{"schema_version": 1}, ""}, {edits{"schema_version": 3}, "unknown schema_version 3"},
		{edits{"schema_version": 0}, "schema_version"}, {edits{"schema_version": "2"}, "wrong type"},
		{edits{"schema_version": 3, "workspace_id": "ffffffffffffffff", "content": nil}, "schema_version"}, // its schema is judged first
		{edits{"workspace_id": "0123456789ABCDEF"}, "belongs to workspace"}, {edits{"workspace_id": ""}, "belongs to workspace"},
		{edits{"kind": "Decision"}, "unknown kind"}, {edits{"kind": ""}, "unknown kind"}, {edits{"kind": "outcome"}, ""},
		{edits{"importance": 0}, "importance 0"}, {edits{"importance": 6}, "importance 6"}, {edits{"importance": 1}, ""}, {edits{"importance": 5}, ""},
		{edits{"content": ""}, "empty"}, {edits{"content": " \x1c\u2028"}, "empty"}, {edits{"content": "a\x00b"}, "U+0000"},
		{edits{"content": strings.Repeat("é", 2000)}, ""}, {edits{"content": strings.Repeat("é", 2001)}, "2001"},
		{edits{"content": strings.Repeat(" ", 2001) + "a"}, ""},
		{edits{"fact_id": ""}, "empty"}, {edits{"fact_id": strings.Repeat("é", 200)}, ""}, {edits{"fact_id": strings.Repeat("é", 201)}, "201"},
		{edits{"fact_id": "a\x00"}, "U+0000"}, {edits{"fact_id": " \u2028"}, "empty"}, {edits{"fact_id": strings.Repeat("a", 200) + " "}, ""},
		{edits{"source": ""}, ""}, {edits{"source": "a\x00"}, "U+0000"}, {edits{"source": 1}, "wrong type"},
		{edits{"evidence": map[string]any{}}, ""}, {edits{"evidence": map[string]any{"a": nil}}, "no string"},
		{edits{"evidence": map[string]any{"a": 1}}, "wrong type"}, {edits{"evidence": map[string]any{"": "", "A": "", "a": ""}}, ""},
		{edits{"evidence": map[string]any{"a": "\x00"}}, "U+0000"}, {edits{"evidence": map[string]any{"a\x00": ""}}, "U+0000"},
		{edits{"evidence": []any{}}, "wrong type"}, {edits{"evidence": "a"}, "wrong type"},
		{edits{"memory_key": ""}, ""}, {edits{"memory_key": " "}, "empty"}, {edits{"memory_key": "a b"}, "memory_key"},
		{edits{"memory_key": " Runtime.Python\u2003"}, ""}, {edits{"memory_key": strings.Repeat("k", 121)}, "121"}, {edits{"memory_key": "k\x00"}, "U+0000"},
		{edits{"recorded_at": ""}, "not a time"}, {edits{"recorded_at": "2026-08-07"}, "not a time"}, {edits{"recorded_at": 1}, "wrong type"},
		{edits{"recorded_at": "2026-08-07T12:00:00+02:00"}, ""},
		{edits{"Kind": "decision"}, `"kind"`}, {edits{"kind": absent{}, "KIND": "decision"}, ""}, {edits{"FACT_ID": "b"}, `"fact_id"`},
		{edits{"unknown": map[string]any{"Kind": 1}, "évidence": 1, "kinds": 1, "kind ": 1}, ""},
	}...)
}

func TestFactRefusals(t *testing.T) {
	good := textOf(t, testFact("f1", 1))
	for _, r := range factRefusals() {
		if _, ok := r.edits["KIND"]; ok {
			r.want = "kind" // missing, or misspelled: either is named
		}
		_, err := decodeFact(textOf(t, edit(t, good, r.edits)), testWorkspace)
		checkRefusal(t, r, err)
	}
}

func TestFactDefaultsAndCleaning(t *testing.T) {
	tree := edit(t, textOf(t, testFact("f1", 1)), edits{
		"source": absent{}, "importance": absent{}, "evidence": absent{}, "schema_version": absent{}, "memory_key": "\u00a0Runtime.PYTHON",
		"content": " Use\u2028\tf1. ", "recorded_at": "2026-01-02T01:30:00.1234567+02:00", "unknown": 1, "fact_id": "\u2003f1 ",
	})
	got, err := decodeFact(textOf(t, tree), testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	want := testFact("f1", 1)
	want.Source, want.Importance, want.Evidence, want.SchemaVersion = "agent", 3, map[string]string{}, 1
	want.RecordedAt = time.Date(2026, 1, 1, 23, 30, 0, 123456000, time.UTC)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScopeIsNamed(t *testing.T) {
	_, err := decodeFact(textOf(t, edit(t, textOf(t, testFact("f1", 1)), edits{"workspace_id": "ffffffffffffffff"})), testWorkspace)
	if f := newFault("daily/2026-01-01.jsonl", 7, err); f.Code != CodeScope || f.Line != 7 || f.File != "daily/2026-01-01.jsonl" {
		t.Errorf("got %+v", f)
	}
	_, err = decodeFact([]byte(`null`), testWorkspace)
	if f := newFault("daily/2026-01-01.jsonl", 7, err); f.Code != CodeCorrupt {
		t.Errorf("null: got %+v", f)
	}
}

func TestFactsDay(t *testing.T) {
	late := edit(t, textOf(t, testFact("f1", 1)), edits{"recorded_at": "2026-01-02T00:30:00+01:00"})
	for name, want := range map[Name]string{"daily/2026-01-01.jsonl": "", "daily/2026-01-02.jsonl": "another day"} {
		_, err := decodeDaily(textOf(t, late), testWorkspace, name, 1)
		checkRefusal(t, refusal{edits{"day": name}, want}, err)
	}
}

func TestDraftRefusals(t *testing.T) {
	key := func(s string) *string { return &s }
	for _, c := range []struct {
		name   string
		change func(d *Draft)
		bad    bool
	}{
		{"as it is", func(*Draft) {}, false},
		{"kind", func(d *Draft) { d.Kind = "" }, true},
		{"importance too low", func(d *Draft) { d.Importance = 0 }, true},
		{"importance too high", func(d *Draft) { d.Importance = 6 }, true},
		{"empty key", func(d *Draft) { d.MemoryKey = key("") }, true},
		{"blank key", func(d *Draft) { d.MemoryKey = key(" \x1c") }, true},
		{"key to be folded", func(d *Draft) { d.MemoryKey = key(" A.B ") }, false},
		{"blank content", func(d *Draft) { d.Content = "\u2029" }, true},
		{"blank id", func(d *Draft) { d.ID = " " }, true},
		{"long id", func(d *Draft) { d.ID = strings.Repeat("i", 201) }, true},
		{"source with NUL", func(d *Draft) { d.Source = "\x00" }, true},
		{"source of invalid UTF-8", func(d *Draft) { d.Source = "\xff" }, true},
		{"evidence with NUL", func(d *Draft) { d.Evidence = map[string]string{"a": "\x00"} }, true},
		{"evidence of invalid UTF-8", func(d *Draft) { d.Evidence = map[string]string{"\xff": ""} }, true},
		{"evidence of halves of a character", func(d *Draft) { d.Evidence = map[string]string{"a\xc3": "\xa9"} }, true},
		{"evidence of 1 MiB", func(d *Draft) { d.Evidence = map[string]string{"a": strings.Repeat("a", MaxRecord)} }, true},
		{"evidence of less", func(d *Draft) { d.Evidence = map[string]string{"a": strings.Repeat("a", MaxRecord-1000)} }, false},
		{"year 10000", func(d *Draft) { d.RecordedAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, true},
		{"year 0", func(d *Draft) { d.RecordedAt = time.Date(1, 1, 1, 0, 0, 0, -1, time.UTC) }, true},
	} {
		d := NewDraft("content")
		c.change(&d)
		err := CheckDraft(d)
		var invalid *InvalidError
		if c.bad != errors.As(err, &invalid) || !c.bad && err != nil {
			t.Errorf("%s: got the error %v", c.name, err)
		}
	}
}

func TestAdjudicationRefusals(t *testing.T) {
	good := textOf(t, testAdjudication())
	rows := slices.Concat(
		needs("", "actor", "case_revision", "conflict_id", "event_id", "evidence_ids", "rationale", "resolved_at", "schema_version",
			"selected_candidate_id", "workspace_id"),
		spares("", "prior_active_entry_key", "resulting_active_entry_key"),
		badIDs("evidence_ids", true),
		[]refusal{
			{edits{}, ""}, {edits{"schema_version": 2}, "schema_version 2"}, {edits{"workspace_id": "ffffffffffffffff"}, "belongs to"},
			{edits{"case_revision": 0}, "case_revision 0"}, {edits{"case_revision": -1}, "case_revision"}, {edits{"case_revision": "1"}, "wrong type"},
			{edits{"actor": " "}, "empty"}, {edits{"actor": strings.Repeat("a", 1001)}, "1001"}, {edits{"actor": "a\x00"}, "U+0000"},
			{edits{"rationale": "\u2029"}, "empty"}, {edits{"rationale": strings.Repeat("a", 1001)}, "1001"},
			{edits{"rationale": strings.Repeat("a ", 600)}, "1199"}, {edits{"actor": strings.Repeat("\U0001F600", 1000)}, ""},
			{edits{"event_id": "no spaces"}, "event_id"}, {edits{"event_id": strings.Repeat("e", 201)}, "201"}, {edits{"event_id": ""}, "empty"},
			{edits{"conflict_id": "-c"}, "conflict_id"}, {edits{"selected_candidate_id": "c\x00"}, "U+0000"},
			{edits{"resolved_at": "2026-01-01"}, "not a time"}, {edits{"Actor": "another"}, `"actor"`}, {edits{"unknown": 1}, ""},
			{edits{"prior_active_entry_key": strings.Repeat("k", 201)}, "201"}, {edits{"resulting_active_entry_key": "\x00"}, "U+0000"},
		})
	for _, r := range rows {
		_, err := decodeAdjudication(textOf(t, edit(t, good, r.edits)), testWorkspace)
		checkRefusal(t, r, err)
	}
}
