package memory

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// testEntries is a good document: an unkeyed entry, a domain of three revisions, and
// one of one.
func testEntries() []Entry {
	entry := func(key string, revision int, content string) Entry {
		return Entry{
			Key: entryKey(key, revision, Decision, content), Kind: Decision, Content: content, FirstSeen: testDay(1), LastSeen: testDay(2),
			EvidenceIDs: []string{"f1", "f2"}, Occurrences: 2, MemoryKey: key, Revision: revision, Status: StatusActive,
		}
	}
	chain := []Entry{entry("a.b", 1, "One"), entry("a.b", 2, "Two"), entry("a.b", 3, "Three")}
	for i := range chain[:2] {
		chain[i].Status, chain[i].SupersededBy, chain[i+1].Supersedes = StatusSuperseded, chain[i+1].Key, chain[i].Key
	}
	return slices.Concat([]Entry{entry("", 1, "Alone")}, chain, []Entry{entry("c", 1, "Other")})
}

func entryRefusals() []refusal {
	e := testEntries()
	return slices.Concat(
		needs("entries.1.", "content", "evidence_ids", "first_seen", "key", "kind", "last_seen", "occurrences", "revision", "status"),
		needs("", "schema_version", "workspace_id", "entries"),
		spares("entries.0.", "memory_key", "supersedes", "superseded_by"),
		badIDs("entries.1.evidence_ids", false),
		[]refusal{
			{edits{}, ""}, {edits{"entries": []any{}}, ""}, {edits{"entries": []any{nil}}, "number 1 has no key"}, {edits{"entries": map[string]any{}}, "wrong type"},
			{edits{"schema_version": 3}, "schema_version 3"}, {edits{"schema_version": 0}, "schema_version"}, {edits{"workspace_id": "f"}, "belongs to"},
			{edits{"Entries": []any{}}, `"entries"`}, {edits{"entries.0.KEY": ""}, `"key"`}, {edits{"unknown": 1, "entries.0.unknown": 1}, ""},
			{edits{"entries.4.content": strings.Repeat("a", 2001)}, "2001"}, {edits{"entries.4.content": " "}, "empty"},
			{edits{"entries.4.key": e[0].Key}, "twice"}, {edits{"entries.4.key": ""}, "empty"}, {edits{"entries.4.key": strings.Repeat("k", 201)}, "201"},
			{edits{"entries.4.kind": "outcome"}, "never curated"}, {edits{"entries.4.kind": "rule"}, "unknown kind"},
			{edits{"entries.4.evidence_ids": []any{"f2", "f1"}}, ""}, {edits{"entries.4.occurrences": 1}, "counts 1"}, {edits{"entries.4.occurrences": 3}, "counts 3"},
			{edits{"entries.4.evidence_ids": []any{"f2", "f1", "f2"}, "entries.4.occurrences": 3}, "twice"},
			{edits{"entries.4.evidence_ids": []any{"f2", "f1", "f2"}}, "twice"},
			{edits{"entries.4.first_seen": "2026-02-01T00:00:00Z"}, "before"}, {edits{"entries.4.last_seen": ""}, "not a time"},
			{edits{"entries.0.revision": 2}, "lifecycle"}, {edits{"entries.0.status": "superseded"}, "lifecycle"},
			{edits{"entries.0.supersedes": e[1].Key}, "lifecycle"}, {edits{"entries.0.superseded_by": e[1].Key}, "lifecycle"},
			{edits{"entries.0.supersedes": "", "entries.0.superseded_by": "", "entries.0.memory_key": ""}, ""},
			{edits{"entries.4.status": "open"}, "unknown status"}, {edits{"entries.4.status": ""}, "unknown status"},
			{edits{"entries.4.status": "superseded", "entries.4.superseded_by": e[3].Key}, "no active"},
			{edits{"entries.3.status": "superseded", "entries.3.superseded_by": e[4].Key}, "no active"},
			{edits{"entries.1.status": "active", "entries.1.superseded_by": nil}, "more than one active"},
			{edits{"entries.2.status": "active", "entries.2.superseded_by": nil}, "more than one active"},
			{edits{"entries.2.status": "active", "entries.2.superseded_by": nil, "entries.3.status": "superseded", "entries.3.superseded_by": e[2].Key}, "no active"},
			{edits{"entries.3.superseded_by": e[1].Key}, "active and has superseded_by"},
			{edits{"entries.2.superseded_by": nil}, "no superseded_by"}, {edits{"entries.1.supersedes": e[2].Key}, "revision 1 and has supersedes"},
			{edits{"entries.2.supersedes": nil}, "no supersedes"},
			{edits{"entries.2.superseded_by": e[1].Key}, "not by the revision after"}, {edits{"entries.2.supersedes": e[3].Key}, "not the revision before"},
			{edits{"entries.3.supersedes": e[1].Key}, "not the revision before"}, {edits{"entries.1.superseded_by": e[3].Key}, "not by the revision after"},
			{edits{"entries.2.supersedes": e[4].Key}, "not the revision before"}, {edits{"entries.1.superseded_by": e[4].Key}, "not by the revision after"},
			{edits{"entries.2.supersedes": e[0].Key}, "not the revision before"}, {edits{"entries.1.superseded_by": "gone"}, "not by the revision after"},
			{edits{"entries.3.revision": 4}, "revision 4"}, {edits{"entries.3.revision": 2}, "revision"}, {edits{"entries.4.revision": 0}, "revision 0"},
			{edits{"entries.4.revision": 2, "entries.4.supersedes": e[3].Key}, "revision 2"}, {edits{"entries.4.revision": -1}, "revision -1"},
			{edits{"entries.4.memory_key": "a.b"}, "where 2 was expected"}, {edits{"entries.1.memory_key": "c"}, ""},
			{edits{"entries.4.memory_key": "No Key"}, "memory_key"},
			{edits{"schema_version": 1, "entries.1.key": "x", "entries.2.revision": "1"}, "wrong type"}, {edits{"schema_version": 1}, ""},
		})
}

func TestEntryRefusals(t *testing.T) {
	good, err := encodeCurated(testEntries(), testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range entryRefusals() {
		if r.edits["entries.1.memory_key"] != nil {
			r.want = "revision" // moved into another domain it breaks both
		}
		_, fault := decodeCurated(textOf(t, edit(t, good, r.edits)), testWorkspace)
		checkFault(t, r, CuratedDocument, fault)
	}
}

func checkFault(t *testing.T, r refusal, name Name, fault *Fault) {
	t.Helper()
	if fault == nil {
		checkRefusal(t, r, nil)
		return
	}
	checkRefusal(t, r, fault)
	checkInert(t, string(name), fault)
	_, scope := r.edits["workspace_id"].(string)
	_, caseScope := r.edits["cases.0.workspace_id"].(string)
	if want := map[bool]Code{false: CodeCorrupt, true: CodeScope}[scope || caseScope]; fault.Code != want || fault.File != string(name) || fault.Line < 1 {
		t.Errorf("%v: the fault is %+v", r.edits, fault)
	}
}

func TestSchemaOneEntries(t *testing.T) {
	good, err := encodeCurated(testEntries(), testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	entries, fault := decodeCurated(textOf(t, edit(t, good, edits{"schema_version": 1})), testWorkspace)
	if fault != nil || len(entries) != 5 {
		t.Fatalf("%d entries, %v", len(entries), fault)
	}
	for _, e := range entries {
		if e.MemoryKey != "" || e.Revision != 1 || e.Status != StatusActive || e.Supersedes != "" || e.SupersededBy != "" {
			t.Errorf("got %+v", e)
		}
	}
	again, err := encodeCurated(entries, testWorkspace)
	if err != nil || !strings.Contains(string(again), "\"schema_version\": 2,") {
		t.Errorf("written as %s, %v", again, err)
	}
}

// testCase is a good case; the incumbent is one of its two candidates where active is set.
func testCase(key string, revision int, status Status, active string) Case {
	c := Case{
		WorkspaceID: testWorkspace, MemoryKey: key, Revision: revision, Status: status, ActiveEntryKey: active,
		ObservedFactIDs: []string{"f1", "f2", "f3", "f4", "f5"}, DetectedAt: testDay(9),
	}
	for i, content := range []string{"This", "That"} {
		c.Candidates = append(c.Candidates, Candidate{
			ID: candidateID(key, Decision, content), Kind: Decision, Content: content, EvidenceIDs: []string{"f1", "f2"}, Occurrences: 2,
			MaximumImportance: 4, FirstSeen: testDay(1), LastSeen: testDay(2), Incumbent: active != "" && i == 0,
		})
	}
	slices.SortFunc(c.Candidates, func(a, b Candidate) int { return compareText(a.ID, b.ID) })
	switch status {
	case StatusResolved:
		c.ResolvedAt, c.SelectedCandidateID, c.ResolutionEventID = testDay(10), c.Candidates[0].ID, "review:1"
		c.ResolutionActor, c.ResolutionRationale, c.ResultingActiveEntryKey = "reviewer", "because", "r"
	case StatusSuperseded:
		c.SupersededAt = testDay(10)
	}
	c.Fingerprint, _ = c.fingerprint()
	c.ID = conflictID(testWorkspace, key, c.Fingerprint)
	return c
}

func testCases() []Case {
	return []Case{
		testCase("a", 1, StatusResolved, "e1"), testCase("a", 2, StatusSuperseded, "e2"), testCase("a", 3, StatusOpen, "e3"),
		testCase("b", 1, StatusOpen, ""),
	}
}

// reseal derives the ids of the cases anew, by hand, so that an edit is refused for
// what it is and not for its fingerprint.
func reseal(t *testing.T, tree any) any {
	t.Helper()
	cases, _ := tree.(map[string]any)["cases"].([]any)
	for _, item := range cases {
		c, ok := item.(map[string]any)
		if !ok || c["candidates"] == nil || c["memory_key"] == nil {
			continue
		}
		seal := map[string]any{}
		for _, name := range []string{"active_entry_key", "candidates", "memory_key", "observed_fact_ids"} {
			seal[name] = c[name]
		}
		key, _ := c["memory_key"].(string)
		fingerprint := hash64(naive(seal))
		c["fingerprint"], c["conflict_id"] = fingerprint, "conflict-"+hash64(testWorkspace + "\x00" + key + "\x00" + fingerprint)[:16]
	}
	return tree
}

func caseRefusals(t *testing.T) []refusal {
	c := testCases()
	two := toTree(t, textOf(t, candidateRecords(c[0].Candidates))).([]any)
	first, second := two[0], two[1]
	id := c[0].Candidates[0].ID
	incumbent := slices.IndexFunc(c[0].Candidates, func(c Candidate) bool { return c.Incumbent })
	both := edits{"cases.0.candidates.0.incumbent": true, "cases.0.candidates.1.incumbent": true}
	none := edits{"cases.0.candidates.0.incumbent": false, "cases.0.candidates.1.incumbent": false}
	other := maps.Clone(none)
	other["cases.0.active_entry_key"] = nil
	closing := map[string]any{
		"resolved_at": "2026-01-10T00:00:00Z", "selected_candidate_id": id, "resolution_event_id": "e", "resolution_actor": "a",
		"resolution_rationale": "r", "resulting_active_entry_key": "k", "superseded_at": "2026-01-10T00:00:00Z",
	}
	var rows []refusal
	for name, value := range closing {
		if name != "superseded_at" {
			rows = append(rows, refusal{edits{"cases.0." + name: nil}, "does not have all"}, refusal{edits{"cases.0." + name: absent{}}, "does not have all"},
				refusal{edits{"cases.1." + name: value}, "superseded_at alone"})
		}
		rows = append(rows, refusal{edits{"cases.2." + name: value}, "open and has closing"})
	}
	rows = append(rows, needs("cases.0.", "conflict_id", "workspace_id", "revision", "fingerprint", "status", "candidates", "observed_fact_ids",
		"detected_at", "memory_key")...)
	rows = append(rows, needs("cases.0.candidates.0.", "candidate_id", "kind", "content", "evidence_ids", "occurrences", "maximum_importance",
		"first_seen", "last_seen", "incumbent")...)
	rows = append(rows, needs("", "schema_version", "workspace_id", "cases")...)
	rows = append(rows, spares("cases.3.", "active_entry_key", "resolved_at", "selected_candidate_id", "superseded_at", "resolution_actor")...)
	rows = append(rows, badIDs("cases.0.candidates.0.evidence_ids", true)...)
	rows = append(rows, badIDs("cases.3.observed_fact_ids", true)...)
	return append(rows, []refusal{
		{edits{}, ""}, {both, "more than one incumbent"}, {none, "incumbent without active_entry_key"}, {other, ""},
		{edits{"cases.0.active_entry_key": nil}, "incumbent without active_entry_key"}, {edits{"cases.3.active_entry_key": "e"}, "or the reverse"},
		{edits{"schema_version": 2}, "schema_version 2"}, {edits{"workspace_id": "f"}, "belongs to"}, {edits{"cases.0.workspace_id": "f"}, "belongs to"},
		{edits{"cases": []any{}}, ""}, {edits{"cases": []any{nil}}, "number 1"}, {edits{"cases": "a"}, "wrong type"},
		{edits{"cases.0.Status": "open"}, `"status"`}, {edits{"cases.0.candidates.0.CONTENT": ""}, `"content"`}, {edits{"CASES": 1}, `"cases"`},
		{edits{"cases.0.unknown": 1, "cases.0.candidates.0.unknown": 1, "unknown": 1}, ""},
		{edits{"cases.0.candidates": []any{}}, "fewer than two"}, {edits{"cases.0.candidates": []any{first}}, "fewer than two"},
		{edits{"cases.0.candidates": []any{second, first}}, "not in order"}, {edits{"cases.0.candidates": []any{first, first}}, "not in order"},
		{edits{"cases.0.candidates": []any{first, nil}}, "candidate that has no"},
		{edits{"cases.0.candidates.0.candidate_id": "candidate-0000000000000000"}, "id does not match"}, {edits{"cases.0.candidates.0.content": "Else"}, "id does not match"},
		{edits{"cases.0.candidates.0.kind": "pitfall"}, "id does not match"}, {edits{"cases.0.candidates.0.candidate_id": "no id"}, "candidate_id"},
		{edits{"cases.0.candidates.0.evidence_ids": []any{"f1", "g"}}, "did not observe"}, {edits{"cases.3.observed_fact_ids": []any{"f1"}}, "did not observe"},
		{edits{"cases.3.observed_fact_ids": []any{}}, "did not observe"},
		{edits{"cases.0.candidates.0.occurrences": 3}, "counts 3"}, {edits{"cases.0.candidates.0.occurrences": 0, "cases.0.candidates.0.evidence_ids": []any{}}, "counts 0"},
		{edits{"cases.0.candidates.0.maximum_importance": 0}, "importance 0"}, {edits{"cases.0.candidates.0.maximum_importance": 6}, "importance 6"},
		{edits{"cases.0.candidates.0.first_seen": "2026-02-01T00:00:00Z"}, "before"}, {edits{"cases.0.candidates.0.incumbent": "true"}, "wrong type"},
		{edits{"cases.3.status": "closed"}, "unknown status"}, {edits{"cases.3.status": "active"}, "unknown status"}, {edits{"cases.3.status": ""}, "unknown status"},
		{edits{"cases.3.status": "resolved"}, "does not have all"}, {edits{"cases.3.status": "superseded"}, "superseded_at"},
		{edits{"cases.1.superseded_at": nil}, "superseded_at"}, {edits{"cases.0.superseded_at": "2026-01-10T00:00:00Z"}, "that alone"},
		{edits{"cases.0.selected_candidate_id": "candidate-0000000000000000"}, "does not have"}, {edits{"cases.0.resolution_event_id": "no spaces"}, "event_id"},
		{edits{"cases.0.resolution_actor": " \u2028"}, "empty"}, {edits{"cases.0.resolution_rationale": strings.Repeat("a", 1001)}, "1001"},
		{edits{"cases.0.resolved_at": "soon"}, "not a time"}, {edits{"cases.0.detected_at": ""}, "not a time"},
		{edits{"cases.3.revision": 0}, "revision 0"}, {edits{"cases.3.revision": 7}, ""}, {edits{"cases.3.memory_key": "No"}, "id does not match"},
		{edits{"cases.1.revision": 1}, "two cases of revision 1"}, {edits{"cases.1.status": "open", "cases.1.superseded_at": nil}, "two open cases"},
		{edits{"cases.1.active_entry_key": "e1"}, "twice"}, // the same evidence, so the same id
		{edits{"cases.0.fingerprint": strings.Repeat("0", 64)}, "fingerprint that does not match"},
		{edits{"cases.0.fingerprint": strings.ToUpper(c[0].Fingerprint)}, "fingerprint that does not match"},
		{edits{"cases.0.conflict_id": "conflict-0000000000000000"}, "conflict_id that does not match"}, {edits{"cases.0.conflict_id": c[1].ID}, "conflict_id"},
		{edits{"cases.0.candidates.0.content": c[0].Candidates[0].Content + "!"}, "does not match"},
		{edits{"cases.0.candidates.0.content": strings.ToUpper(c[0].Candidates[0].Content)}, ""}, {edits{"cases.0.candidates." + string(rune('0'+incumbent)) + ".incumbent": false}, "reverse"},
	}...)
}

func TestCaseRefusals(t *testing.T) {
	good, err := encodeConflicts(testCases(), testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range caseRefusals(t) {
		tree := edit(t, good, r.edits)
		_, unknown := r.edits["unknown"]
		_, fingerprint := r.edits["cases.0.fingerprint"]
		_, conflict := r.edits["cases.0.conflict_id"]
		if !unknown && !fingerprint && !conflict {
			tree = reseal(t, tree)
		}
		_, fault := decodeConflicts(textOf(t, tree), testWorkspace)
		checkFault(t, r, ConflictsDocument, fault)
	}
}

func TestDocumentFaultsNameTheLine(t *testing.T) {
	good, err := encodeCurated(testEntries(), testWorkspace)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(good), "\n")
	at := slices.Index(lines, "      \"revision\": 2,\n")
	for _, c := range []struct {
		name, line string
		shift      int // from the line that is replaced to the one that is named
	}{
		{"wrong type", "\"revision\": \"2\",\n", 0},
		{"fraction", "\"revision\": 2.0,\n", 0},
		{"duplicate key", "\"revision\": 2, \"revision\": 2,\n", 0},
		{"broken", "\"revision\" 2,\n", 0},
		{"merge marker", "<<<<<<< ours\n", 0},
		{"a refusal", "\"revision\": 0,\n", -5}, // where the key of the entry stands
	} {
		broken := slices.Clone(lines)
		broken[at] = c.line
		_, fault := decodeCurated([]byte(strings.Join(broken, "")), testWorkspace)
		if fault == nil || fault.Line != at+1+c.shift || fault.Code != CodeCorrupt {
			t.Errorf("%s in line %d: got %+v", c.name, at+1, fault)
		}
	}
}
