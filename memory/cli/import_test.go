package cli

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"docket/memory"
)

const workspace = "0123456789abcdef"

// readLines reads text as import does from standard input.
func readLines(text string) ([]importLine, error) {
	c := Import{File: "-"}
	return c.read(&Terminal{Stdin: strings.NewReader(text)}, workspace)
}

func TestImportNamesTheFirstBadLine(t *testing.T) {
	good := `{"content": "Use Postgres.", "kind": "decision"}` + "\n"
	tests := []struct {
		name, text, at string
		code           memory.Code
	}{
		{"no JSON", good + "\n \t\r\n" + "nonsense\n" + "worse\n", "stdin:4:", memory.CodeInvalid},
		{"no content", `{"kind": "decision"}`, "stdin:1:", memory.CodeInvalid},
		{"blank content", good + `{"content": " "}`, "stdin:2:", memory.CodeInvalid},
		{"unknown kind", good + `{"content": "x", "kind": "rumour"}`, "stdin:2:", memory.CodeInvalid},
		{"importance", `{"content": "x", "importance": 6}`, "stdin:1:", memory.CodeInvalid},
		{"importance with exponent", `{"content": "x", "importance": 1e400}`, "stdin:1:", memory.CodeInvalid},
		{"empty key", `{"content": "x", "memory_key": ""}`, "stdin:1:", memory.CodeInvalid},
		{"key twice", `{"content": "x", "content": "y"}`, "stdin:1:", memory.CodeInvalid},
		{"key in another case", `{"content": "x", "Kind": "decision"}`, "stdin:1:", memory.CodeInvalid},
		{"lone surrogate", `{"content": "\ud800"}`, "stdin:1:", memory.CodeInvalid},
		{"not UTF-8", "{\"content\": \"\xff\"}", "stdin:1:", memory.CodeInvalid},
		{"NUL", `{"content": "a\u0000"}`, "stdin:1:", memory.CodeInvalid},
		{"time", `{"content": "x", "recorded_at": "yesterday"}`, "stdin:1:", memory.CodeInvalid},
		{"two values", good + `{"content": "x"} {"content": "y"}`, "stdin:2:", memory.CodeInvalid},
		{"deep", strings.Repeat("[", 10_001), "stdin:1:", memory.CodeInvalid},
		{"long", good + `{"content": "x", "evidence": {"a": "` + strings.Repeat("a", memory.MaxRecord) + `"}}`, "stdin:2:", memory.CodeInvalid},
		{"another workspace", good + `{"content": "x", "workspace_id": "fedcba9876543210"}`, "stdin:2:", memory.CodeScope},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readLines(test.text)
			if err == nil || !strings.HasPrefix(err.Error(), test.at) {
				t.Errorf("got %v, want an error at %s", err, test.at)
			}
			if code := memory.CodeOf(err); code != test.code {
				t.Errorf("code of %v is %s, want %s", err, code, test.code)
			}
		})
	}
}

func TestImportDerivesIDs(t *testing.T) {
	text := strings.Join([]string{
		`{"content": "Use Postgres."}`,
		`{"content":"Use Postgres."}`, // the same again
		`{"content": "Use MySQL."}`,
		`{"content": "Use MySQL.", "fact_id": "mine"}`,
		`  {"content": "Use Postgres.", "workspace_id": "` + workspace + `"}`,
	}, "\n")
	lines, err := readLines(text)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, line := range lines {
		ids[line.draft.ID] = true
		if id := line.draft.ID; id != "mine" && len(id) != 32 {
			t.Errorf("line %d has the id %q", line.at.line, id)
		}
	}
	if len(ids) != 5 {
		t.Errorf("5 lines have %d ids", len(ids))
	}
	again, err := readLines(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		if lines[i].draft.ID != again[i].draft.ID {
			t.Errorf("line %d is %s at first and %s again", i+1, lines[i].draft.ID, again[i].draft.ID)
		}
	}
}

// What is derived must never change: a file imported last year is imported again.
func TestDerivedIDIsFrozen(t *testing.T) {
	seen := map[[sha256.Size]byte]int{}
	text := []byte(`{"content": "Use Postgres."}`)
	for i, want := range []string{"e5429585e783e21c0ec3e3bb795709d1", "bc77a442c51b3b804959a9064b9835ba"} {
		if got := derivedID(text, seen); got != want {
			t.Errorf("occurrence %d: %s, want %s", i+1, got, want)
		}
	}
}

func TestStatus(t *testing.T) {
	tests := []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("disk on fire"), 1},
		{&memory.PendingError{EventID: "e", Err: errors.New("disk on fire")}, 1},
		{&memory.InvalidError{Field: "kind", Reason: "is wrong"}, 2},
		{&memory.NotFoundError{What: "fact", ID: "x"}, 3},
		{&memory.StaleError{}, 4},
		{&memory.NotOpenError{}, 4},
		{&memory.ReusedError{}, 4},
		{&memory.Fault{Code: memory.CodeCorrupt}, 5},
		{&brokenError{}, 5},
		{&memory.Fault{Code: memory.CodeScope}, 6},
		{&foreignError{}, 6},
		{&memory.BusyError{}, 7},
		{&memory.Fault{Code: memory.CodeIO}, 1},
	}
	for _, test := range tests {
		if got := Status(test.err); got != test.want {
			t.Errorf("Status(%v) = %d, want %d", test.err, got, test.want)
		}
	}
}

func TestComplain(t *testing.T) {
	err := &memory.NotFoundError{What: "fact", ID: "\x1b[2J"}
	var text, asJSON strings.Builder
	Complain(&text, errors.Join(err, errors.New("a\x1b\u202eb")), false)
	Complain(&asJSON, err, true)
	if want := "docket: no fact \"\\x1b[2J\"\\na\\x1b\\u202eb\n"; text.String() != want {
		t.Errorf("text is %q, want %q", text.String(), want)
	}
	if want := `{"error":{"code":"not_found","message":"no fact \"\\x1b[2J\""}}` + "\n"; asJSON.String() != want {
		t.Errorf("JSON is %s, want %s", asJSON.String(), want)
	}
}
