package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Severity says whether a finding is a fault or only worth knowing.
type Severity string

// A fault keeps commands from working, or what the files say from being believed, and
// needs a human; a note keeps nothing from working, and as a rule the next writer mends
// it by itself.
const (
	SeverityFault Severity = "fault"
	SeverityNote  Severity = "note"
)

// A Finding is one thing that Verify found.
type Finding struct {
	File     string   `json:"file"` // relative to the memory folder
	Line     int      `json:"line"` // from 1; 0 where the whole file is meant
	What     string   `json:"what"` // what is wrong
	Why      string   `json:"why"`  // what it means, and what to do
	Severity Severity `json:"severity"`
}

// Uncounted is the number of what could not be read whole.
const Uncounted = -1

// An Examination is what was found in the files of a store, and how much of what there
// is in them: Uncounted where a part could not be read whole.
type Examination struct {
	Findings      []Finding // by file and line; never nil
	Facts         int
	Entries       int
	Cases         int
	Adjudications int
	Transactions  int // of the journal
}

// Faults returns how many of the findings are faults.
func (x Examination) Faults() int {
	n := 0
	for _, f := range x.Findings {
		if f.Severity == SeverityFault {
			n++
		}
	}
	return n
}

// Progress says how far an examination has come.
type Progress struct {
	File  string // being read; "" while what was read is held together
	Done  int64  // bytes that are read
	Total int64  // bytes that there were to read when it began
}

// Verify is Examine for one who only wants the findings.
func (e *Engine) Verify(ctx context.Context) ([]Finding, error) {
	x, err := e.Examine(ctx, nil)
	return x.Findings, err
}

// Examine reads everything anew and holds it together: scope and schema of every
// record; chains, fingerprints and ids; each adjudication against its case, its entry
// and the journal, and the reverse; the evidence of each entry and candidate in the
// logs; the journal's hashes and phases; MEMORY.md against curated.json; and what an
// Inspector finds. What cannot be read is a finding, and the rest is read. It takes no
// lease, writes nothing, and keeps nobody who uses the engine waiting. tell, which may be
// nil, is called often, by one goroutine, and must be quick. Errors are those of ctx,
// which is looked at between files and between the journal's lines, and those of the
// store that are of no file.
func (e *Engine) Examine(ctx context.Context, tell func(Progress)) (Examination, error) {
	pace := &pace{done: ctx.Err, tell: tell}
	v := &verifier{store: e.store, pace: pace, findings: []Finding{}}
	v.follow = newFollower(&pacedStore{Store: e.store, pace: pace})
	if err := v.read(); err != nil {
		return Examination{}, err
	}
	for _, check := range []func() error{
		v.faults, v.records, v.doubles, v.decisions, v.journal, v.tails, v.projection, v.surroundings,
	} {
		if err := ctx.Err(); err != nil {
			return Examination{}, err
		}
		if err := check(); err != nil {
			return Examination{}, err
		}
	}
	return v.result(), nil
}

// Unopened is the examination of a store that was not opened, since one of its folders is
// not what the layout allows: that is all that can be said of it.
func Unopened(fault *Fault) Examination {
	return Examination{
		Findings: []Finding{{fault.File, fault.Line, "it " + fault.Reason, whyNothing(fault), SeverityFault}},
		Facts:    Uncounted, Entries: Uncounted, Cases: Uncounted, Adjudications: Uncounted, Transactions: Uncounted,
	}
}

// A verifier collects findings.
type verifier struct {
	store        Store
	pace         *pace
	follow       *follower
	state        *State
	outside      bool // a folder is not what the layout allows: nothing could be read
	transactions int
	findings     []Finding
}

func (v *verifier) add(severity Severity, name Name, line int, why, format string, args ...any) {
	v.findings = append(v.findings, Finding{string(name), line, fmt.Sprintf(format, args...), why, severity})
}

func (v *verifier) fault(name Name, line int, why, format string, args ...any) {
	v.add(SeverityFault, name, line, why, format, args...)
}

func (v *verifier) note(name Name, line int, why, format string, args ...any) {
	v.add(SeverityNote, name, line, why, format, args...)
}

// readable reports whether all of the parts could be read: only then is it fair to
// hold them against each other.
func (v *verifier) readable(parts ...Part) bool {
	for _, part := range parts {
		if v.outside || v.state.Readable(part) != nil {
			return false
		}
	}
	return true
}

// result sorts what was found, in which one thing may be found in two ways.
func (v *verifier) result() Examination {
	slices.SortStableFunc(v.findings, func(a, b Finding) int {
		return cmp.Or(compareText(a.File, b.File), cmp.Compare(a.Line, b.Line), compareText(a.What, b.What))
	})
	count := func(n int, part Part) int {
		if !v.readable(part) {
			return Uncounted
		}
		return n
	}
	return Examination{
		Findings:      slices.CompactFunc(v.findings, func(a, b Finding) bool { return a.File == b.File && a.Line == b.Line && a.What == b.What }),
		Facts:         count(v.state.Len(), PartFacts),
		Entries:       count(len(v.state.Entries()), PartCurated),
		Cases:         count(len(v.state.Cases()), PartConflicts),
		Adjudications: count(len(v.state.Adjudications()), PartAudit),
		Transactions:  count(v.transactions, PartJournal),
	}
}
