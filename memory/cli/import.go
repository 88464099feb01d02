package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"strconv"

	"docket/memory"
)

// Import records facts from JSON lines. It checks every line before it records any.
type Import struct {
	File string `arg:"" help:"A file of JSON lines, or - for standard input." placeholder:"FILE"`
}

// importBatch is how many facts are appended at once: few enough to show progress
// and to let other writers in, enough that the disk is not synced for each.
const importBatch = 500

// imported is the answer of import under --json.
type imported struct {
	New   int `json:"new"`
	Known int `json:"known"`
}

// Run does it.
func (c *Import) Run(ctx context.Context, t *Terminal) error {
	engine, err := t.appender(ctx)
	if err != nil {
		return err
	}
	lines, err := c.read(t, engine.WorkspaceID())
	if err != nil {
		return err
	}
	state := engine.State(ctx)
	if fault := state.Readable(memory.PartFacts); fault != nil {
		return fault // whether a fact is there already cannot be told
	}
	facts, fresh, err := distinct(lines, state)
	if err != nil {
		return err
	}
	if err := t.appendLines(ctx, engine, facts); err != nil {
		return err
	}
	if t.JSON {
		return t.printJSON(imported{New: fresh, Known: len(lines) - fresh})
	}
	return t.say("Imported %s; there already: %d.", count(fresh, "new fact"), len(lines)-fresh)
}

// appendLines appends what was checked, a batch at a time.
func (t *Terminal) appendLines(ctx context.Context, engine *memory.Engine, lines []importLine) error {
	for done := 0; done < len(lines); {
		batch := lines[done:min(done+importBatch, len(lines))]
		drafts := make([]memory.Draft, len(batch))
		for i, line := range batch {
			drafts[i] = line.draft
		}
		if _, err := engine.Append(ctx, drafts...); err != nil {
			return fmt.Errorf("%d of %d facts imported, run it again for the others: %w", done, len(lines), err)
		}
		done += len(batch)
		if t.Progress {
			fmt.Fprintf(t.Stderr, "\rimported %d of %d", done, len(lines))
		}
	}
	if t.Progress && len(lines) > 0 {
		fmt.Fprintln(t.Stderr)
	}
	return nil
}

// An importLine is one checked line of the input.
type importLine struct {
	at    position
	draft memory.Draft // has an id
}

// A position is a line of the input, for messages.
type position struct {
	file string
	line int // from 1
}

// refuse makes err an error about the line.
func (p position) refuse(err error) error {
	return fmt.Errorf("%s:%d: %w", p.file, p.line, err)
}

// read reads and checks every line. Blank ones are skipped.
func (c *Import) read(t *Terminal, workspaceID string) ([]importLine, error) {
	in, name := t.Stdin, "stdin"
	if c.File != "-" {
		file, err := os.Open(c.File)
		if errors.Is(err, os.ErrNotExist) {
			return nil, &memory.NotFoundError{What: "file", ID: c.File}
		}
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in, name = file, c.File
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, memory.MaxRecord+1)
	seen := map[[sha256.Size]byte]int{}
	var lines []importLine
	at := position{file: name}
	for scanner.Scan() {
		at.line++
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		draft, err := decode(text, workspaceID, seen)
		if err != nil {
			return nil, at.refuse(err)
		}
		lines = append(lines, importLine{at, draft})
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		at.line++
		return nil, at.refuse(&memory.InvalidError{Field: "line", Reason: "is longer than 1 MiB"})
	}
	return lines, scanner.Err()
}

// decode reads and checks one line. seen counts how often each text came.
func decode(text []byte, workspaceID string, seen map[[sha256.Size]byte]int) (memory.Draft, error) {
	draft, belongs, err := memory.DecodeDraft(text)
	if err != nil {
		return draft, err
	}
	if belongs != "" && belongs != workspaceID {
		return draft, &foreignError{belongs}
	}
	if draft.ID == "" {
		draft.ID = derivedID(text, seen)
	}
	return draft, memory.CheckDraft(draft)
}

// derivedID names a line that names no fact_id by its text and by how often that text
// came before in this input, so that importing it again records nothing twice.
func derivedID(text []byte, seen map[[sha256.Size]byte]int) string {
	var compact bytes.Buffer
	// White space between tokens does not make another fact. The text was read
	// strictly already; if it were no JSON after all, it stands as it is.
	if json.Compact(&compact, text) == nil {
		text = compact.Bytes()
	}
	sum := sha256.Sum256(text)
	seen[sum]++
	h := sha256.New()
	io.WriteString(h, "import\x00")
	h.Write(text)
	io.WriteString(h, "\x00"+strconv.Itoa(seen[sum]))
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// distinct returns the lines once each, and how many of them the store does not hold.
// The others are appended too: the engine answers them with what is stored, and makes
// sure that it is on the disk, which its writer may have died before. A line that says
// something else under an id that is taken is refused.
func distinct(lines []importLine, state *memory.State) (facts []importLine, fresh int, err error) {
	first := make(map[string]memory.Draft, len(lines))
	for _, line := range lines {
		stored, ok := state.Fact(line.draft.ID)
		if ok && differs(line.draft, stored) {
			return nil, 0, line.at.refuse(taken(line.draft.ID))
		}
		if earlier, ok := first[line.draft.ID]; ok {
			if !same(line.draft, earlier) {
				return nil, 0, line.at.refuse(taken(line.draft.ID))
			}
			continue
		}
		first[line.draft.ID] = line.draft
		facts = append(facts, line)
		if !ok {
			fresh++
		}
	}
	return facts, fresh, nil
}

func taken(id string) error {
	return &memory.InvalidError{Field: "fact_id", Reason: fmt.Sprintf("%q is taken by another fact", id)}
}

// differs reports whether the engine would refuse d as a retry of f.
func differs(d memory.Draft, f memory.Fact) bool {
	stored := memory.Draft{Kind: f.Kind, Content: f.Content, Source: f.Source, Importance: f.Importance, Evidence: f.Evidence}
	if f.MemoryKey != "" {
		stored.MemoryKey = &f.MemoryKey
	}
	if !d.RecordedAt.IsZero() {
		stored.RecordedAt = f.RecordedAt
	}
	return !same(d, stored)
}

// same compares two checked drafts as the facts that they would become.
func same(d, e memory.Draft) bool {
	return d.Kind == e.Kind && memory.Collapse(d.Content) == memory.Collapse(e.Content) && d.Source == e.Source &&
		d.Importance == e.Importance && keyOf(d) == keyOf(e) && maps.Equal(d.Evidence, e.Evidence) &&
		d.RecordedAt.Equal(e.RecordedAt)
}

// keyOf returns the memory key of a checked draft, "" for none.
func keyOf(d memory.Draft) string {
	if d.MemoryKey == nil {
		return ""
	}
	key, err := memory.CleanKey(*d.MemoryKey)
	if err != nil {
		return *d.MemoryKey
	}
	return key
}

// A foreignError refuses a line that belongs to another workspace.
type foreignError struct{ workspaceID string }

func (e *foreignError) Error() string {
	return fmt.Sprintf("belongs to workspace %q", e.workspaceID)
}

// As lets memory.CodeOf see the scope error that this is.
func (e *foreignError) As(target any) bool {
	fault, ok := target.(**memory.Fault)
	if ok {
		*fault = &memory.Fault{Code: memory.CodeScope, Reason: e.Error()}
	}
	return ok
}
