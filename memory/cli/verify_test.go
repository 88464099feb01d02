package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

// TestVerifyShowsProgress is of a person at a terminal, who sees how far it is and,
// when it is over, nothing of that.
func TestVerifyShowsProgress(t *testing.T) {
	term, out, errs := ofOneFact(t)
	if err := new(Verify).Run(t.Context(), term); err != nil {
		t.Fatal(err)
	}
	shown := strings.Split(errs.String(), "\r")
	if len(shown) < 4 || !strings.Contains(errs.String(), "checking") || !strings.Contains(errs.String(), "daily/2026-01-05.jsonl") {
		t.Errorf("progress is %q", errs.String())
	}
	if last := shown[len(shown)-2:]; strings.TrimSpace(last[0]) != "" || last[1] != "" {
		t.Errorf("the line is left as %q", last)
	}
	if want := "All is well: 1 fact, 0 entries, 0 cases, 0 adjudications. It took "; !strings.HasPrefix(out.String(), want) {
		t.Errorf("it says %q, want %q", out.String(), want)
	}
	term.Progress = false
	errs.Reset()
	if err := new(Verify).Run(t.Context(), term); err != nil || errs.Len() > 0 {
		t.Errorf("where there is no terminal it shows %q, %v", errs.String(), err)
	}
}

func TestVerifyCountsFaultsAndNotes(t *testing.T) {
	term, out, _ := ofOneFact(t)
	engine, err := term.Open()
	if err != nil {
		t.Fatal(err)
	}
	store := engine.Store().(*filestore.Store)
	add := func(name, text string) {
		if err := os.WriteFile(filepath.Join(store.Folder(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add("notes.txt", "x")
	if err := new(Verify).Run(t.Context(), term); err != nil {
		t.Errorf("a note is an error: %v", err)
	}
	if !strings.Contains(out.String(), "\nNo fault, 1 note: 1 fact, ") {
		t.Errorf("it says %q", out.String())
	}
	out.Reset()
	add("curated.json", "x")
	if err := new(Verify).Run(t.Context(), term); Status(err) != 5 {
		t.Errorf("a fault gives %v", err)
	}
	if !strings.Contains(out.String(), "\n1 fault, 1 note: 1 fact, 0 cases, ") {
		t.Errorf("it says %q", out.String())
	}
}

// ofOneFact is a terminal over a store of one fact.
func ofOneFact(t *testing.T) (term *Terminal, out, errs *strings.Builder) {
	t.Helper()
	term, out, errs = terminal(t)
	engine, err := term.Open()
	if err != nil {
		t.Fatal(err)
	}
	d := memory.NewDraft("Use SQLite.")
	d.RecordedAt = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	if _, err := engine.Append(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	term.Progress = true
	return term, out, errs
}
