package templates

import (
	"strconv"
	"time"

	"docket/memory"
)

// A MemoryView is the active entries by kind.
type MemoryView struct {
	Sections   []MemorySection // in the order of memory.Kinds, empty ones left out
	Unreadable bool            // curated.json could not be read
}

// A MemorySection is the active entries of one kind.
type MemorySection struct {
	Kind memory.Kind
	Rows []MemoryRow // as in MEMORY.md
}

// A MemoryRow is one active entry.
type MemoryRow struct {
	Entry    memory.Entry
	Decision *memory.Adjudication // the standing human decision behind it, nil where a rule made it
	CaseID   string               // the open case that challenges it, "" for none
}

// A DomainView is everything that a memory key ever held.
type DomainView struct {
	MemoryKey string
	Links     []Link // newest first
	Active    *memory.Entry
	Facts     int // facts on this key
	FirstSeen time.Time
	Decisions int // human decisions on this key
	Uncounted []Uncounted
	Challenge []Challenge // what challenges what is in force
	Confirms  []Uncounted // facts that say what is in force and are no evidence of it yet
	Line      string      // its line of MEMORY.md, "" for none
}

// A Link is one element of a chain: exactly one of its fields is set.
type Link struct {
	Revision *RevisionView
	Case     *CaseLink
}

// A RevisionView is one revision of a domain.
type RevisionView struct {
	Entry    memory.Entry
	Was      *memory.Entry        // the revision that it replaced, nil for the first
	Since    time.Time            // when it was put in force, zero where a rule did: no run leaves its time
	Until    time.Time            // when the next was put in force, zero where that is not known or has not come
	Decision *memory.Adjudication // the human decision that made it, nil where a rule did
	Made     []memory.Check       // what its evidence passes; nil where that is not known
	Evidence []Evidence           // oldest first
}

// A CaseLink is a case in the place where it stood in the chain.
type CaseLink struct {
	Case   memory.Case
	Chosen string // content of the chosen value of a resolved case
}

// An EntryView is one entry, keyed or not.
type EntryView struct {
	RevisionView
	Supersedes   *memory.Entry // the revision before, nil for none
	SupersededBy *memory.Entry // the revision after, nil for none
	Cases        []memory.Case // cases of its key, newest first
}

// open counts the open cases of a chain.
func (v DomainView) open() int {
	n := 0
	for _, l := range v.Links {
		if l.Case != nil && l.Case.Case.Status == memory.StatusOpen {
			n++
		}
	}
	return n
}

// revisions counts the revisions of a chain.
func (v DomainView) revisions() int {
	n := 0
	for _, l := range v.Links {
		if l.Revision != nil {
			n++
		}
	}
	return n
}

func revisionID(revision int) string { return "revision-" + strconv.Itoa(revision) }
