package cli

import (
	"context"
	"fmt"

	"docket/memory"
)

// Verify checks every file of the store. Alone among the commands it takes no lease
// and finishes nothing: it tells what is there.
type Verify struct{}

// Run does it. A fault is an error, a note is not.
func (c *Verify) Run(ctx context.Context, t *Terminal) error {
	engine, err := t.Open()
	if err != nil {
		return err
	}
	findings, err := engine.Verify(ctx)
	if err != nil {
		return err
	}
	var faults []memory.Finding
	for _, finding := range findings {
		if finding.Severity == memory.SeverityFault {
			faults = append(faults, finding)
		}
	}
	if t.JSON {
		err = t.printJSON(verified{Findings: append([]memory.Finding{}, findings...)})
	} else {
		err = t.showFindings(ctx, engine, findings)
	}
	if err != nil || len(faults) == 0 {
		return err
	}
	return &brokenError{faults[0], len(faults)}
}

// verified is the answer of verify under --json.
type verified struct {
	Findings []memory.Finding `json:"findings"`
}

func (t *Terminal) showFindings(ctx context.Context, engine *memory.Engine, findings []memory.Finding) error {
	for rest := findings; len(rest) > 0; {
		n := alike(rest)
		if err := t.showGroup(rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if len(findings) > 0 {
		return nil
	}
	state := engine.State(ctx)
	if nothing(state) {
		return t.empty("Nothing to check: nothing is recorded here yet.", hintRecord)
	}
	return t.say("All is well: %s, %s, %s, %s.", count(state.Len(), "fact"),
		count(len(state.Entries()), "entry"), count(len(state.Cases()), "case"),
		count(len(state.Adjudications()), "adjudication"))
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
