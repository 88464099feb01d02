package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

// terminal is one over a project of its own; out and err are what was printed.
func terminal(t *testing.T) (term *Terminal, out, err *strings.Builder) {
	t.Helper()
	project := t.TempDir()
	out, err = &strings.Builder{}, &strings.Builder{}
	return &Terminal{
		Open: func() (*memory.Engine, error) {
			store, err := filestore.Open(project, filestore.Options{})
			if err != nil {
				return nil, err
			}
			return memory.Open(store, memory.Options{}), nil
		},
		Stdout: out, Stderr: err, Now: time.Now,
	}, out, err
}

// lines is n facts as import takes them.
func lines(n int) *strings.Reader {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "{\"content\": \"Fact %d 数据库.\"}\n", i)
	}
	return strings.NewReader(text.String())
}

func TestImportTellsProgressOnATerminalAlone(t *testing.T) {
	for _, progress := range []bool{true, false} {
		term, out, complaints := terminal(t)
		term.Progress = progress
		term.Stdin = lines(2*importBatch + 1)
		if err := (&Import{File: "-"}).Run(t.Context(), term); err != nil {
			t.Fatal(err)
		}
		want := ""
		if progress {
			want = "\rimported 500 of 1001\rimported 1000 of 1001\rimported 1001 of 1001\n"
		}
		if complaints.String() != want {
			t.Errorf("progress %t: printed %q, want %q", progress, complaints, want)
		}
		if want := "Imported 1001 new facts; there already: 0.\n"; out.String() != want {
			t.Errorf("printed %q, want %q", out, want)
		}
	}
}

func TestFactsFitTheTerminal(t *testing.T) {
	for _, width := range []int{0, 50} {
		term, out, _ := terminal(t)
		term.Width = width
		term.Stdin = lines(3)
		if err := (&Import{File: "-"}).Run(t.Context(), term); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := (&Facts{Limit: 50}).Run(t.Context(), term); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if width > 0 && columns(line) > width {
				t.Errorf("%d cells: %q", columns(line), line)
			}
			if whole := strings.HasSuffix(line, "数据库."); whole != (width == 0) {
				t.Errorf("width %d: %q", width, line)
			}
		}
	}
}
