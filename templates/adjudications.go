package templates

import "docket/memory"

// An AdjudicationsView is the audit, newest first.
type AdjudicationsView struct {
	Rows       []AdjudicationRow
	Unreadable bool // the audit could not be read to its end
}

// An AdjudicationRow is one decision with what its case says of it.
type AdjudicationRow struct {
	Adjudication memory.Adjudication
	MemoryKey    string // "" where the case could not be read
	Chosen       string // content of the chosen value, "" where the case could not be read
}

// Kept reports whether the decision left what was in force as it was.
func (r AdjudicationRow) Kept() bool {
	a := r.Adjudication
	return a.PriorActiveEntryKey != "" && a.PriorActiveEntryKey == a.ResultingActiveEntryKey
}

// An AdjudicationView is one decision and the case as it was seen.
type AdjudicationView struct {
	AdjudicationRow
	Case       *memory.Case    // nil where it could not be read
	Candidates []CandidateView // of Case, what was in force first
	Before     *memory.Entry   // what was in force, nil for nothing
	After      *memory.Entry   // what the decision put in force, nil where it could not be read
}

// keptWords says what a decision did with what was in force.
func keptWords(r AdjudicationRow) string {
	switch {
	case r.Kept():
		return "kept"
	case r.Adjudication.PriorActiveEntryKey == "":
		return "chose"
	}
	return "changed to"
}
