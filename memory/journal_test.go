package memory

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// testTransaction is the decision of event for a challenger in the domain "d".
func testTransaction(t *testing.T, event string) *transaction {
	t.Helper()
	before := Entry{
		Key: entryKey("d", 1, Decision, "Old"), Kind: Decision, Content: "Old", FirstSeen: testDay(1), LastSeen: testDay(2),
		EvidenceIDs: []string{"f1"}, Occurrences: 1, MemoryKey: "d", Revision: 1, Status: StatusActive,
	}
	after, next := before, before
	next.Key, next.Content, next.Revision, next.Supersedes = entryKey("d", 2, Decision, "New"), "New", 2, before.Key
	after.Status, after.SupersededBy = StatusSuperseded, next.Key
	open, closed := testCase("d", 1, StatusOpen, before.Key), testCase("d", 1, StatusResolved, before.Key)
	closed.ResolutionEventID, closed.ResultingActiveEntryKey = event, next.Key
	a := testAdjudication()
	a.EventID, a.ConflictID, a.SelectedCandidateID, a.ResolvedAt = event, closed.ID, closed.SelectedCandidateID, closed.ResolvedAt
	a.PriorActiveEntryKey, a.ResultingActiveEntryKey, a.Actor = before.Key, next.Key, "<é\u2028>"
	tx, err := newTransaction(&intent{
		transactionID: transactionID(testWorkspace, event), preparedAt: a.ResolvedAt, adjudication: a,
		curatedBefore: []Entry{before}, curatedAfter: []Entry{after, next}, conflictsBefore: []Case{open}, conflictsAfter: []Case{closed},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// journalLines returns the transaction's lines by phase.
func journalLines(t *testing.T, tx *transaction) map[phase][]byte {
	t.Helper()
	lines := map[phase][]byte{}
	for _, p := range phases() {
		b, err := tx.lineFor(p, testDay(11))
		if err != nil {
			t.Fatal(err)
		}
		lines[p] = b
	}
	return lines
}

// newJournal returns a journal that decodes every intent at once.
func newJournal() *journal {
	return &journal{workspaceID: testWorkspace, done: map[string]bool{}, thorough: true}
}

func TestPhases(t *testing.T) {
	lines := map[string]map[phase][]byte{"x": journalLines(t, testTransaction(t, "x")), "y": journalLines(t, testTransaction(t, "y"))}
	other := edits{"intent_sha256": strings.Repeat("0", 64)}
	for _, event := range []string{"x", "y"} {
		lines[event]["unknown"] = textOf(t, edit(t, lines[event][committed], edits{"phase": "done"}))
		lines[event]["upper"] = textOf(t, edit(t, lines[event][committed], edits{"phase": "Committed"}))
		lines[event]["hash"] = textOf(t, edit(t, lines[event][curatedApplied], other))
		lines[event]["modified"] = textOf(t, edit(t, lines[event][prepared], other))
		lines[event]["repeated"] = textOf(t, edit(t, lines[event][curatedApplied], edits{"intent": toTree(t, lines[event][prepared]).(map[string]any)["intent"]}))
		lines[event]["bare"] = textOf(t, edit(t, lines[event][prepared], edits{"intent": absent{}}))
	}
	const whole = "x prepared, x curated_applied, x conflict_closed, x audit_appended, x committed"
	for _, c := range []struct{ steps, want string }{ // the last step is refused with want
		{whole, ""}, {whole + ", " + strings.ReplaceAll(whole, "x", "y"), ""},
		{"x curated_applied", "not pending"}, {"x conflict_closed", "not pending"}, {"x audit_appended", "not pending"}, {"x committed", "not pending"},
		{"x prepared, x prepared", "second time"}, {"x prepared, y prepared", "is pending"}, {"x prepared, y committed", "not pending"},
		{"x prepared, x conflict_closed", "after prepared"}, {"x prepared, x audit_appended", "after prepared"}, {"x prepared, x committed", "after prepared"},
		{"x prepared, x curated_applied, x curated_applied", "after curated_applied"}, {"x prepared, x curated_applied, x prepared", "second time"},
		{"x prepared, x curated_applied, x audit_appended", "after curated_applied"},
		{"x prepared, x curated_applied, x conflict_closed, x committed", "after conflict_closed"},
		{"x prepared, x curated_applied, x conflict_closed, x curated_applied", "after conflict_closed"},
		{"x prepared, x curated_applied, x conflict_closed, x audit_appended, y prepared", "is pending"},
		{whole + ", x committed", "not pending"}, {whole + ", x prepared", "second time"}, {whole + ", x curated_applied", "not pending"},
		{"x unknown", "unknown phase"}, {"x prepared, x unknown", "unknown phase"}, {"x prepared, x upper", "unknown phase"},
		{"x prepared, x hash", "another hash"}, {"x modified", "was modified"}, {"x prepared, x repeated", "repeats the intent"}, {"x bare", "no intent"},
	} {
		j := newJournal()
		steps := strings.Split(c.steps, ", ")
		for n, step := range steps {
			event, p, _ := strings.Cut(step, " ")
			err := j.next(lines[event][phase(p)], n+1)
			want := ""
			if n == len(steps)-1 {
				want = c.want
			}
			checkRefusal(t, refusal{edits{"steps": c.steps}, want}, err)
		}
		if c.want == "" && (j.pending != nil || len(j.done) != strings.Count(c.steps, "committed")) {
			t.Errorf("%s: %d are done and %v is pending", c.steps, len(j.done), j.pending)
		}
	}
}

// TestPhasesAgainstAModel draws any sequence of the lines of three transactions.
func TestPhasesAgainstAModel(t *testing.T) {
	var lines [3]map[phase][]byte
	for i := range lines {
		lines[i] = journalLines(t, testTransaction(t, fmt.Sprint("event-", i)))
	}
	rapid.Check(t, func(t *rapid.T) {
		j := newJournal()
		pending, reached, done := -1, 0, map[int]bool{}
		for n := range rapid.IntRange(1, 16).Draw(t, "lines") {
			i, p := rapid.IntRange(0, 2).Draw(t, "transaction"), rapid.IntRange(0, 4).Draw(t, "phase")
			if pending >= 0 && rapid.IntRange(0, 3).Draw(t, "stray") > 0 {
				i, p = pending, reached+1 // what should follow
			} else if rapid.Bool().Draw(t, "begin") {
				p = 0
			}
			legal := pending == i && p == reached+1 || pending < 0 && p == 0 && !done[i]
			err := j.next(lines[i][phases()[p]], n+1)
			if (err == nil) != legal {
				t.Fatalf("line %d, phase %d of %d while %d stands at %d, done %v: %v", n+1, p, i, pending, reached, done, err)
			}
			if !legal {
				return
			}
			pending, reached = i, p
			if p == 4 {
				pending, done[i] = -1, true
			}
			if (j.pending != nil) != (pending >= 0) || j.pending != nil && j.pending.phase != phases()[reached] || len(j.done) != len(done) {
				t.Fatalf("line %d: the journal says %+v, done %v", n+1, j.pending, j.done)
			}
		}
	})
}

func TestJournalLineRefusals(t *testing.T) {
	tx := testTransaction(t, "x")
	good := journalLines(t, tx)[prepared]
	rows := slices.Concat(
		needs("", "schema_version", "workspace_id", "transaction_id", "phase", "recorded_at", "intent_sha256"),
		[]refusal{
			{edits{}, ""}, {edits{"schema_version": 2}, "schema_version 2"}, {edits{"workspace_id": "f"}, "belongs to"}, {edits{"intent": nil}, "no intent"},
			{edits{"transaction_id": "resolution-000000000000000000000000"}, "that of another"}, {edits{"transaction_id": "no id"}, "transaction_id"},
			{edits{"recorded_at": "now"}, "not a time"}, {edits{"Phase": "prepared"}, `"phase"`}, {edits{"unknown": 1}, ""}, {edits{"phase": 1}, "wrong type"},
			{edits{"intent.prepared_at": "2026-01-10T12:00:01Z"}, "was modified"}, {edits{"intent.unknown": 1}, "was modified"},
			{edits{"intent": []any{}}, "was modified"}, {edits{"intent_sha256": strings.ToUpper(tx.hash)}, "was modified"},
		})
	for _, r := range rows {
		checkRefusal(t, r, newJournal().next(textOf(t, edit(t, good, r.edits)), 1))
	}
	later := journalLines(t, tx)[curatedApplied]
	j := newJournal()
	if err := j.next(good, 1); err != nil {
		t.Fatal(err)
	}
	checkRefusal(t, refusal{edits{"null": "intent"}, ""}, j.next(textOf(t, edit(t, later, edits{"intent": nil})), 2))
}

// TestIntentRefusals edits the intent and takes its hash anew.
func TestIntentRefusals(t *testing.T) {
	tx := testTransaction(t, "x")
	good := journalLines(t, tx)[prepared]
	rows := slices.Concat(
		needs("intent.", "adjudication", "conflict_id", "conflicts_after", "conflicts_before", "curated_after", "curated_before", "event_id",
			"prepared_at", "schema_version", "transaction_id", "workspace_id"),
		needs("intent.adjudication.", "actor", "schema_version", "workspace_id"),
		needs("intent.curated_after.0.", "revision", "content"),
		[]refusal{
			{edits{}, ""}, {edits{"intent.schema_version": 2}, "schema_version 2"}, {edits{"intent.workspace_id": "f"}, "belongs to"},
			{edits{"intent.adjudication.workspace_id": "f"}, "belongs to"}, {edits{"intent.conflicts_before.0.workspace_id": "f"}, "belongs to"},
			{edits{"intent.transaction_id": "resolution-000000000000000000000000"}, "do not belong together"},
			{edits{"intent.event_id": "y"}, "do not belong together"}, {edits{"intent.conflict_id": "y"}, "do not belong together"},
			{edits{"intent.adjudication.event_id": "y"}, "do not belong together"}, {edits{"intent.adjudication.conflict_id": "y"}, "do not belong together"},
			{edits{"intent.curated_after.1.status": "superseded", "intent.curated_after.1.superseded_by": "k"}, "curated_after"},
			{edits{"intent.curated_before.0.occurrences": 2}, "curated_before"}, {edits{"intent.conflicts_after.0.status": "open"}, "conflicts_after"},
			{edits{"intent.conflicts_before.0.fingerprint": strings.Repeat("0", 64)}, "conflicts_before"},
			{edits{"intent.curated_before": []any{}, "intent.conflicts_before": []any{}}, ""}, {edits{"intent.curated_before": "a"}, "wrong type"},
			{edits{"intent.Event_id": "x"}, `"event_id"`}, {edits{"intent.unknown": map[string]any{"\U0001F600": "\u2028<", "\uffee": 1.5}}, ""},
			{edits{"intent": []any{}}, "an object"}, {edits{"intent": "a"}, "an object"},
		})
	for _, r := range rows {
		tree := edit(t, good, r.edits).(map[string]any)
		tree["intent_sha256"] = hash64(naive(tree["intent"]))
		checkRefusal(t, r, newJournal().next(textOf(t, tree), 1))
	}
	// A number that no machine holds is hashed as it is written.
	const odd = `{"Z": 1e400, "a": -0, "b": 1.0}`
	text := bytes.Replace(good, []byte(`"intent": {`), []byte(`"intent": {"A": `+odd+`, `), 1)
	raw := bytes.Replace(tx.raw, []byte(`{`), []byte(`{"A":`+strings.ReplaceAll(odd, " ", "")+`,`), 1)
	text = bytes.Replace(text, []byte(tx.hash), []byte(hash64(string(raw))), 1)
	if err := newJournal().next(text, 1); err != nil {
		t.Errorf("odd numbers: %v", err)
	}
}

func TestLinesAgreeWithTheirWording(t *testing.T) {
	tx := testTransaction(t, "x")
	if want := naive(toTree(t, tx.raw)); string(tx.raw) != want || tx.hash != hash64(want) {
		t.Errorf("the intent is %s, want %s", tx.raw, want)
	}
	for p, text := range journalLines(t, tx) {
		tree := toTree(t, text).(map[string]any)
		want := map[string]any{
			"schema_version": 1.0, "workspace_id": testWorkspace, "transaction_id": "resolution-" + hash64(testWorkspace + "\x00x")[:24],
			"phase": string(p), "recorded_at": "2026-01-11T12:00:00Z", "intent_sha256": tx.hash,
		}
		if p == prepared {
			want["intent"] = toTree(t, tx.raw)
		}
		if diff := cmp.Diff(want, any(tree)); diff != "" || bytes.Count(text, []byte("\n")) != 1 || !bytes.HasSuffix(text, []byte("}\n")) {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
		if !bytes.Contains(text, []byte(`"phase": "`+string(p)+`", "recorded_at": `)) {
			t.Errorf("%s is spaced as %s", p, text)
		}
	}
}

func TestJudge(t *testing.T) {
	tx := testTransaction(t, "x")
	i := tx.intent
	reversed := slices.Clone(i.curatedAfter)
	slices.Reverse(reversed)
	third := slices.Clone(i.curatedBefore)
	third[0].EvidenceIDs, third[0].Occurrences = []string{"f1", "f9"}, 2
	stray, other := i.adjudication, i.adjudication
	stray.EventID, other.Rationale, stray.Line, other.Line = "z", "else", 4, 5
	for _, c := range []struct {
		name    string
		entries []Entry
		cases   []Case
		audit   []Adjudication
		want    remaining
		bad     string // the file that is neither
	}{
		{"before", i.curatedBefore, i.conflictsBefore, []Adjudication{stray}, remaining{true, true, true}, ""},
		{"curated", i.curatedAfter, i.conflictsBefore, nil, remaining{false, true, true}, ""},
		{"conflicts", i.curatedAfter, i.conflictsAfter, nil, remaining{false, false, true}, ""},
		{"all", i.curatedAfter, i.conflictsAfter, []Adjudication{stray, i.adjudication}, remaining{}, ""},
		{"another order of writes", i.curatedBefore, i.conflictsAfter, []Adjudication{i.adjudication}, remaining{curated: true}, ""},
		{"unsorted", reversed, i.conflictsAfter, nil, remaining{audit: true}, ""},
		{"another curated.json", third, i.conflictsBefore, nil, remaining{}, "curated.json"},
		{"no curated.json", nil, i.conflictsBefore, nil, remaining{}, "curated.json"},
		{"another conflicts.json", i.curatedBefore, []Case{testCase("e", 1, StatusOpen, "")}, nil, remaining{}, "conflicts.json"},
		{"no conflicts.json", i.curatedAfter, nil, nil, remaining{}, "conflicts.json"},
		{"the event with other contents", i.curatedAfter, i.conflictsAfter, []Adjudication{stray, other}, remaining{}, "conflict-adjudications.jsonl"},
	} {
		got, err := tx.judge(c.entries, c.cases, c.audit)
		fault, _ := err.(*Fault)
		switch {
		case c.bad == "" && (err != nil || got != c.want):
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		case c.bad != "" && (fault == nil || fault.File != c.bad || fault.Code != CodeCorrupt || c.bad == string(AuditLog) && fault.Line != 5):
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		}
	}
	empty := testTransaction(t, "y")
	empty.intent.curatedBefore = nil
	if got, err := empty.judge(nil, i.conflictsBefore, nil); err != nil || !got.curated {
		t.Errorf("no curated.json, and none before: %+v, %v", got, err)
	}
}

func TestFollowJournal(t *testing.T) {
	tx := testTransaction(t, "x")
	lines := journalLines(t, tx)
	s := newShelf()
	documents := func(entries []Entry, cases []Case) {
		curated, err := encodeCurated(entries, testWorkspace)
		if err != nil {
			t.Fatal(err)
		}
		conflicts, err := encodeConflicts(cases, testWorkspace)
		if err != nil {
			t.Fatal(err)
		}
		s.put(CuratedDocument, string(curated), false)
		s.put(ConflictsDocument, string(conflicts), false)
	}
	documents(tx.intent.curatedBefore, tx.intent.conflictsBefore)
	f := newFollower(s)
	check := func(name string, event, active string, faults int) {
		t.Helper()
		_, got := followed(t, f)
		state := f.state()
		pending, _ := state.Pending()
		entry, _ := state.Active("d")
		if pending != event || entry.Content != active || len(got) != faults {
			t.Errorf("%s: %q is pending, %q is active, faults %q", name, pending, entry.Content, got)
		}
	}
	check("nothing", "", "Old", 0)
	s.put(JournalLog, string(bytes.TrimSuffix(lines[prepared], []byte("\n"))), false)
	check("a torn line is none, even whole", "", "Old", 0)
	s.put(JournalLog, string(lines[prepared]), true)
	check("prepared is shown as done", "x", "New", 0)
	s.add(JournalLog, string(lines[curatedApplied]))
	documents(tx.intent.curatedAfter, tx.intent.conflictsBefore)
	check("half way too", "x", "New", 0)
	s.put(ConflictsDocument, "", false)
	check("not beside a broken document", "", "New", 1)
	documents(tx.intent.curatedAfter, []Case{testCase("e", 1, StatusOpen, "")})
	check("a third state is a fault", "", "New", 1)
	documents(tx.intent.curatedAfter, tx.intent.conflictsAfter)
	s.add(JournalLog, "\n"+string(lines[conflictClosed])+string(lines[committed]))
	check("a blank line is corruption, and what follows means nothing", "", "New", 1)
	s.put(JournalLog, string(lines[prepared])+string(lines[curatedApplied])+string(lines[conflictClosed])+string(lines[auditAppended])+string(lines[committed]), false)
	check("mended and committed", "", "New", 0)
	s.add(JournalLog, string(lines[prepared]))
	check("nothing begins twice", "", "New", 1)
	bad := edit(t, lines[prepared], edits{"intent.curated_after.0.revision": 0}).(map[string]any)
	bad["intent_sha256"] = hash64(naive(bad["intent"]))
	s.put(JournalLog, string(textOf(t, bad))+"\n", false)
	documents(tx.intent.curatedBefore, tx.intent.conflictsBefore)
	check("an intent that cannot be, though its hash is right", "", "Old", 1)
}
