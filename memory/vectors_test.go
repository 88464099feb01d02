package memory_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
)

// A vector is one scripted scenario with what the reference made of it.
type vector struct {
	Project string
	Before  map[string]string
	After   map[string]string
	Ops     []op
}

type op struct {
	Op     string
	Result json.RawMessage
	Error  *struct{ Class, Text string }

	FactID     *string `json:"fact_id"`
	Content    string
	Kind       *string
	Importance *int
	MemoryKey  *string `json:"memory_key"`
	Source     *string
	Evidence   map[string]string
	RecordedAt string `json:"recorded_at"`

	AsOf   string `json:"as_of"`
	Policy map[string]int

	RecentLimit *int `json:"recent_limit"`
	Status      string

	ConflictID       string `json:"conflict_id"`
	ExpectedRevision int    `json:"expected_revision"`
	CandidateID      string `json:"candidate_id"`
	Actor            string
	Rationale        string
	EventID          string `json:"event_id"`
	ResolvedAt       string `json:"resolved_at"`
}

func TestVectors(t *testing.T) {
	paths, err := filepath.Glob("../testdata/vectors/*.json")
	if err != nil || len(paths) < 80 {
		t.Fatalf("found %d vectors, err %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			runVector(t, readVector(t, path), strings.HasPrefix(filepath.Base(path), "broken-"))
		})
	}
}

func readVector(t *testing.T, path string) vector {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v vector
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func runVector(t *testing.T, v vector, broken bool) {
	dir := t.TempDir()
	root := filepath.Join(dir, ".learn_workbuddy", "memory")
	writeFolder(t, root, v.Before)
	engine := openVector(t, dir, v.Project)
	for i, o := range v.Ops {
		if o.Op == "open" {
			engine = openVector(t, dir, v.Project)
		}
		got, err := o.run(t, engine)
		switch {
		case o.Error != nil && err == nil:
			t.Fatalf("op %d %s: want %s %q, got %s", i, o.Op, o.Error.Class, o.Error.Text, got)
		case o.Error != nil:
			if !classAllows(o.Error.Class, memory.CodeOf(err)) {
				t.Fatalf("op %d %s: want %s %q, got code %s: %v", i, o.Op, o.Error.Class, o.Error.Text, memory.CodeOf(err), err)
			}
		case err != nil && !broken: // a broken store may be refused earlier than the reference does
			t.Fatalf("op %d %s: %v", i, o.Op, err)
		case err == nil:
			compareJSON(t, i, o.Op, o.Result, got)
		}
	}
	compareFolder(t, root, v.After)
	compareReopened(t, engine, openVector(t, dir, v.Project), broken)
	verifyVector(t, openVector(t, dir, v.Project), broken)
}

// verifyVector wants the fault of a broken store named, and none in another.
func verifyVector(t *testing.T, e *memory.Engine, broken bool) {
	t.Helper()
	findings, err := e.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	faults := slices.DeleteFunc(findings, func(f memory.Finding) bool { return f.Severity != memory.SeverityFault })
	if len(faults) > 0 != broken {
		t.Errorf("broken is %v, and verify found %v", broken, faults)
	}
	for _, f := range faults {
		if f.File == "" || f.What == "" || f.Why == "" {
			t.Errorf("a finding that names nothing: %+v", f)
		}
	}
	if broken {
		t.Log(faults[0])
	}
}

func openVector(t *testing.T, dir, project string) *memory.Engine {
	t.Helper()
	store, err := filestore.Open(dir, filestore.Options{Identity: project})
	if err != nil {
		t.Fatal(err)
	}
	return memory.Open(store, memory.Options{})
}

// run carries the operation out and returns what the vector calls its result.
func (o op) run(t *testing.T, e *memory.Engine) (any, error) {
	ctx := context.Background()
	switch o.Op {
	case "open":
		return map[string]string{"workspace_id": e.WorkspaceID()}, e.Recover(ctx)
	case "append":
		facts, err := e.Append(ctx, o.draft(t))
		if err != nil {
			return nil, err
		}
		return facts[0], nil
	case "facts":
		s, err := e.Load(ctx, memory.PartFacts)
		if err != nil {
			return nil, err
		}
		ids := []string{}
		for f := range s.Facts() {
			ids = append(ids, f.ID)
		}
		return ids, nil
	case "distill":
		result, err := e.Distill(ctx, memory.Run{AsOf: parseTime(t, o.AsOf), Policy: o.policy()})
		return result.Report, err
	case "memory_md":
		s, err := e.Load(ctx, memory.PartCurated)
		if err != nil {
			return nil, err
		}
		text, _ := s.Memory()
		return text, nil
	case "context":
		recent := memory.DefaultRecent
		if o.RecentLimit != nil {
			recent = *o.RecentLimit
		}
		if err := e.Recover(ctx); err != nil {
			return nil, err
		}
		c, err := e.Context(ctx, recent, 0)
		return c.Text, err
	case "conflicts":
		return o.conflicts(e)
	case "resolve":
		return e.Resolve(ctx, memory.Resolution{
			ConflictID: o.ConflictID, Revision: o.ExpectedRevision, CandidateID: o.CandidateID, Actor: o.Actor,
			Rationale: o.Rationale, EventID: o.EventID, ResolvedAt: parseTime(t, o.ResolvedAt),
		})
	}
	t.Fatalf("unknown operation %q", o.Op)
	return nil, nil
}

func (o op) draft(t *testing.T) memory.Draft {
	d := memory.NewDraft(o.Content)
	d.RecordedAt = parseTime(t, o.RecordedAt)
	d.MemoryKey = o.MemoryKey
	d.Evidence = o.Evidence
	if o.FactID != nil {
		d.ID = *o.FactID
	}
	if o.Kind != nil {
		d.Kind = memory.Kind(*o.Kind)
	}
	if o.Importance != nil {
		d.Importance = *o.Importance
	}
	if o.Source != nil {
		d.Source = *o.Source
	}
	return d
}

func (o op) policy() memory.Policy {
	p := memory.SeedPolicy()
	for name, n := range o.Policy {
		switch name {
		case "minimum_age_days":
			p.MinimumAgeDays = n
		case "minimum_importance":
			p.MinimumImportance = n
		case "repeat_threshold":
			p.RepeatThreshold = n
		case "supersession_repeat_threshold":
			p.SupersessionRepeatThreshold = n
		}
	}
	return p
}

func (o op) conflicts(e *memory.Engine) (any, error) {
	s, err := e.Load(context.Background(), memory.PartConflicts)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, c := range s.Cases() {
		if o.Status == "all" || c.Status == memory.StatusOpen {
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	parsed, err := memory.ParseTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// classAllows is the table of the vectors' README.
func classAllows(class string, code memory.Code) bool {
	allowed := map[string][]memory.Code{
		"ValueError":                   {memory.CodeInvalid},
		"TypeError":                    {memory.CodeInvalid},
		"ConflictResolutionError":      {memory.CodeNotFound, memory.CodeEventReused, memory.CodeInvalid},
		"StaleConflictResolutionError": {memory.CodeStale, memory.CodeNotOpen},
		"MemoryCorruptionError":        {memory.CodeCorrupt},
		"MemoryScopeError":             {memory.CodeScope},
	}
	return slices.Contains(allowed[class], code)
}

func compareJSON(t *testing.T, i int, op string, want json.RawMessage, got any) {
	t.Helper()
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decodeJSON(t, want), decodeJSON(t, data)); diff != "" {
		t.Fatalf("op %d %s (-want +got):\n%s", i, op, diff)
	}
}

func decodeJSON(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return v
}

func writeFolder(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func readFolder(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || d.Name() == ".lease" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// compareFolder compares documents byte for byte and logs as values in order.
func compareFolder(t *testing.T, root string, want map[string]string) {
	t.Helper()
	got := readFolder(t, root)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	for name := range want {
		if !strings.HasSuffix(name, ".jsonl") {
			if diff := cmp.Diff(want[name], got[name]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			continue
		}
		if diff := cmp.Diff(logValues(t, name, want[name]), logValues(t, name, got[name])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// logValues decodes the lines of a log; what is no JSON stays text. The journal's
// recorded_at is the real time and left out.
func logValues(t *testing.T, name, text string) []any {
	values := []any{}
	for line := range bytes.Lines([]byte(text)) {
		var v any
		if json.Unmarshal(line, &v) != nil {
			values = append(values, string(line))
			continue
		}
		if m, ok := v.(map[string]any); ok && name == string(memory.JournalLog) {
			delete(m, "recorded_at")
		}
		values = append(values, v)
	}
	return values
}

// compareReopened holds what the engine says against what a new one reads.
func compareReopened(t *testing.T, used, reopened *memory.Engine, broken bool) {
	t.Helper()
	ctx := context.Background()
	a, b := used.State(ctx), reopened.State(ctx)
	if len(b.Faults()) > 0 != broken {
		t.Errorf("broken is %v, and the reopened store has the faults %v", broken, b.Faults())
	}
	type whole struct {
		Facts         []memory.Fact
		Entries       []memory.Entry
		Cases         []memory.Case
		Adjudications []memory.Adjudication
	}
	collect := func(s *memory.State) whole {
		return whole{slices.Collect(s.Facts()), s.Entries(), s.Cases(), s.Adjudications()}
	}
	if diff := cmp.Diff(collect(a), collect(b)); diff != "" {
		t.Errorf("after reopening (-before +after):\n%s", diff)
	}
}
