package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"docket/memory"
)

// Verify checks every file of the store. Alone among the commands it takes no lease
// and finishes nothing: it tells what is there.
type Verify struct{}

// Run does it. A fault is an error, a note is not.
func (c *Verify) Run(ctx context.Context, t *Terminal) error {
	began := t.Now()
	x, err := t.examine(ctx)
	if err != nil {
		return err
	}
	if t.JSON {
		err = t.printJSON(verified{Findings: x.Findings})
	} else {
		err = t.showExamination(x, t.Now().Sub(began))
	}
	if n := x.Faults(); err == nil && n > 0 {
		first := slices.IndexFunc(x.Findings, func(f memory.Finding) bool { return f.Severity == memory.SeverityFault })
		return &brokenError{x.Findings[first], n}
	}
	return err
}

// examine checks the store. One that was not opened for a folder that is none is a finding
// and no error: verify is there to say what that means.
func (t *Terminal) examine(ctx context.Context) (memory.Examination, error) {
	engine, err := t.Open()
	if fault := new(memory.Fault); errors.As(err, &fault) {
		return memory.Unopened(fault), nil
	}
	if err != nil {
		return memory.Examination{}, err
	}
	var meter meter
	defer meter.clear(t.Stderr)
	return engine.Examine(ctx, func(p memory.Progress) {
		if t.Progress {
			meter.show(t.Stderr, p)
		}
	})
}

// verified is the answer of verify under --json.
type verified struct {
	Findings []memory.Finding `json:"findings"`
}

// A meter is the line on a terminal that tells how far the work is.
type meter struct {
	percent int64 // shown, plus one; 0 for nothing yet
	width   int   // of what is shown
}

// show tells how far it is, where that is news. A name is one of the store's own files.
func (m *meter) show(w io.Writer, p memory.Progress) {
	percent := int64(100)
	if p.Total > 0 {
		percent = 100 * p.Done / p.Total
	}
	if m.percent == percent+1 {
		return
	}
	m.percent = percent + 1
	line := fmt.Sprintf("checking %3d%%  %s", percent, p.File)
	fmt.Fprintf(w, "\r%-*s", m.width, line)
	m.width = len(line)
}

// clear wipes the line.
func (m *meter) clear(w io.Writer) {
	if m.percent > 0 {
		fmt.Fprintf(w, "\r%*s\r", m.width, "")
	}
}

func (t *Terminal) showExamination(x memory.Examination, took time.Duration) error {
	for rest := x.Findings; len(rest) > 0; {
		n := alike(rest)
		if err := t.showGroup(rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	parts := []int{x.Facts, x.Entries, x.Cases, x.Adjudications}
	if len(x.Findings) == 0 && slices.Max(parts) == 0 {
		return t.empty("Nothing to check: nothing is recorded here yet.", hintRecord)
	}
	verdict := "All is well"
	switch faults := x.Faults(); {
	case faults == 0 && len(x.Findings) > 0:
		verdict = "No fault, " + count(len(x.Findings), "note")
	case faults > 0:
		verdict = count(faults, "fault") + ", " + count(len(x.Findings)-faults, "note")
	}
	var counts []string
	for i, what := range []string{"fact", "entry", "case", "adjudication"} {
		if parts[i] != memory.Uncounted {
			counts = append(counts, count(parts[i], what))
		}
	}
	if len(counts) > 0 {
		verdict += ": " + strings.Join(counts, ", ")
	}
	return t.say("%s. It took %s.", verdict, took.Round(time.Millisecond))
}

// alike counts the findings at the front that mean the same.
func alike(findings []memory.Finding) int {
	n := 1
	for n < len(findings) && findings[n].Why == findings[0].Why {
		n++
	}
	return n
}

// showGroup prints findings that mean the same, and then what they mean.
func (t *Terminal) showGroup(findings []memory.Finding) error {
	rows := table{}
	for _, f := range findings {
		rows.add(string(f.Severity), where(f), f.What)
	}
	if err := rows.write(t.Stdout, 0); err != nil {
		return err
	}
	return t.say("       %s", findings[0].Why)
}

// where names the place of a finding.
func where(f memory.Finding) string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// A brokenError says that the store has faults, and names the first.
type brokenError struct {
	first memory.Finding
	count int
}

func (e *brokenError) Error() string {
	return fmt.Sprintf("%s, the first in %s: %s", count(e.count, "fault"), where(e.first), e.first.What)
}

// As lets memory.CodeOf see the corruption that this is.
func (e *brokenError) As(target any) bool {
	as, ok := target.(**memory.Fault)
	if ok {
		*as = &memory.Fault{Code: memory.CodeCorrupt, File: e.first.File, Line: e.first.Line, Reason: e.first.What}
	}
	return ok
}
