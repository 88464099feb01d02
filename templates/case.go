package templates

import (
	"fmt"
	"time"

	"docket/memory"
)

// A CaseView is one case: open with its form, closed for reading, or come back from
// a decision that was refused.
type CaseView struct {
	Case       memory.Case
	Candidates []CandidateView // what was in force first, then in document order

	InForce  *memory.Entry // what agents read now under this key, nil for nothing
	Standing *Standing     // the human decision behind InForce, nil where a rule made it
	Before   *memory.Entry // the revision before InForce, nil for none
	Chain    int           // revisions of this key

	Earlier []memory.Case // the other cases of this key, newest first
	Later   *memory.Case  // a superseded case: the newest case of this key, nil for none

	Uncounted []Uncounted    // facts on this key that count for no candidate
	Recency   memory.Recency // how the policy compares the latest times
	Behind    int            // facts on this key that came after the case was made
	Settle    *Settling      // what would settle it without a person; only for an open case
	Changes   WhatChanges    // what the choice of the form changes; only for an open case

	Since   *Comparison // what is different since the reader looked, nil where nothing is or that is not known
	Compare *Comparison // set: the page compares two revisions and takes no decision

	Position, Of int       // the place in the desk's list, from 1; 0 where it is not in it
	Mark         CaseMark  // how the reader stands to it; only for an open case
	Waits        time.Time // since when the question has been open; only for an open case

	Form    Form
	Refusal *Refusal // nil where nothing was refused
}

// domainOf names the question of a case in a browser that keeps words on it: they outlive
// the case.
func domainOf(p Page, c memory.Case) string { return p.Workspace.ID + "/" + c.MemoryKey }

// A CandidateView is one card of a case.
type CandidateView struct {
	memory.Candidate
	Weighed  int        // highest importance with the policy's source confidence added
	Evidence []Evidence // newest first
}

// scores are what the rules weighed, in words; the raw importance is what is stored.
func (c CandidateView) scores() string {
	importance := "importance " + number(c.MaximumImportance)
	if c.Weighed != c.MaximumImportance {
		importance += ", weighed " + number(c.Weighed)
	}
	return importance + " · " + count(c.Occurrences, "fact")
}

// Evidence is one fact that a case, an entry or an adjudication stands on.
type Evidence struct {
	ID    string
	Fact  memory.Fact // zero where Found is not set
	Found bool        // false: the log that held it could not be read
	New   bool        // it came after the reader's form was made
}

// Standing is the latest human decision that made or kept what is in force.
type Standing struct {
	EventID   string
	Actor     string
	At        time.Time
	Rationale string
	Since     []memory.Fact // facts on the key that the decision had not observed, newest first
}

// A Settling is the evidence that would settle an open case by rule.
type Settling struct {
	Ways []memory.Way
	Held bool // a person decided what is in force
	Most int  // so many further facts were tried
}

// WhatChanges is what a choice changes, before it is sent. The zero WhatChanges tells of
// no choice.
type WhatChanges struct {
	Made   *memory.Consequence // nil where nothing is chosen, or it is not known
	Why    NoPreview           // why it is not known
	Budget int                 // of the prompt context, in characters
}

// NoPreview says why a consequence is not known.
type NoPreview int

// The reasons.
const (
	PreviewStale      NoPreview = iota + 1 // the case moved, or facts came after it was made
	PreviewUnreadable                      // a file that would tell cannot be read
)

// A Comparison is what is different between two case revisions of one key.
type Comparison struct {
	From, To  memory.Case
	Changes   []Change
	Unchanged int // facts that both hold
}

// A NewerView is what a reader who has a case before them does not see yet.
type NewerView struct {
	Of     string      // the conflict id of the case before the reader
	Shown  int         // its case revision
	Behind int         // facts on the key that came after it and that its page tells of
	Case   memory.Case // as it stands now, or the case that took its place
	Facts  int         // facts on the key that came since the page was made
}

// News stands for what a banner says: it is another where the words are others.
func (v NewerView) News() string {
	return fmt.Sprintf("%s-%d-%d", v.Case.Status, v.Case.Revision, v.Facts)
}

// Uncounted is a fact that counts for no candidate, and why.
type Uncounted struct {
	Fact memory.Fact
	Fate Fate
}

// A Form is what the reader has filled in, and what the next act is recorded under.
type Form struct {
	EventID string // fresh for each form made, and repeated on a retry of that form alone
	Choice  string // a candidate id, "" for none; one that the case does not hold chooses nothing
	Words   string // the rationale as typed, byte for byte
}

// A Refusal is why the decision just sent was not recorded.
type Refusal struct {
	Is           RefusalKind
	SeenRevision int // the case revision of the form that came back

	Changes   []Change // RefusedStale: what is different from what the reader saw
	Unchanged int      // RefusedStale: facts that the case held before and holds now
	LostWords string   // RefusedStale: the content of a choice that the case no longer holds, "" if it does

	Problems []FieldProblem // RefusedInvalid, in the order of the fields
}

// RefusalKind is a class of refusal. Each has one HTTP status.
type RefusalKind int

// The refusals of a decision.
const (
	RefusedStale      RefusalKind = iota + 1 // 409: the case moved; Case is the case as it is now, open
	RefusedSettled                           // 409: newer evidence settled it; Case is the superseded case
	RefusedDecided                           // 409: another decided first; Case is the resolved case
	RefusedInvalid                           // 422: Problems
	RefusedReused                            // 409: the event id is on record for another decision; Form.EventID is fresh
	RefusedBusy                              // 503: another writer held the store
	RefusedUnwritable                        // 503: the disk refused before anything was recorded
	RefusedFault                             // 503: a file is not what the format allows; Page.Faults names it
	RefusedPending                           // 503: it is recorded and will be finished; it must not be sent again
)

// A FieldProblem is one field that cannot be recorded as it is.
type FieldProblem struct {
	Field Field
	Why   ProblemKind
	Limit int // ProblemLong: characters allowed
	Has   int // ProblemLong: characters sent
}

// Field is a field of the decision form.
type Field string

// The fields, by the names under which they are posted.
const (
	FieldCandidate   Field = "candidate"
	FieldRationale   Field = "rationale"
	FieldRevision    Field = "revision"
	FieldFingerprint Field = "fingerprint"
	FieldEventID     Field = "event_id"
)

// ProblemKind says what is wrong with a field.
type ProblemKind int

// The problems.
const (
	ProblemMissing ProblemKind = iota + 1 // nothing chosen, nothing written, or white space alone
	ProblemLong                           // too many characters
	ProblemUnknown                        // no such candidate
	ProblemText                           // not UTF-8, or U+0000 in it
	ProblemForm                           // a hidden field is damaged
)

// A Change is one difference between the case that the reader saw and the case as it
// is now.
type Change struct {
	Is   ChangeKind
	Fact memory.Fact // FactAdded, FactRemoved
	For  string      // FactAdded: the content it counts for, "" for none
	Fate Fate        // FactAdded with For "": why it does not count
	Was  string      // ValueRemoved, InForceChanged: content, "" for nothing
	Now  string      // ValueAdded, InForceChanged: content, "" for nothing
}

// ChangeKind says what changed.
type ChangeKind int

// The changes.
const (
	FactAdded ChangeKind = iota + 1
	FactRemoved
	ValueAdded
	ValueRemoved
	InForceChanged
)

// A SignedOutView gives a reader whose session ended their words back.
type SignedOutView struct {
	Words  string // the rationale as typed, byte for byte
	Choice string // the content of the value chosen, "" for none or not known
	Back   string // the local path of the case, "" for none
}
