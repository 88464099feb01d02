package templates

import (
	"time"

	"docket/memory"
)

// A TimelineView is one page of facts, newest first, and what became of them.
type TimelineView struct {
	Filter Filter
	Days   []Day
	Facts  int    // facts of the workspace that could be read
	Older  string // cursor of the next page, "" on the last
	Newer  string // cursor of the page before, "" on the first
	First  bool   // this is the first page

	Unreadable bool // not all of the daily logs could be read
}

// A Filter is what the timeline's form holds, as the reader wrote it.
type Filter struct {
	Text string
	Kind string
	Key  string
	// Bad names the field that no fact can match because of its form, "" for none.
	Bad string
}

// Empty reports whether the filter lets everything through.
func (f Filter) Empty() bool { return f.Text == "" && f.Kind == "" && f.Key == "" }

// A Day is one UTC day with the rows of this page.
type Day struct {
	Date time.Time
	Rows []TimelineRow // newest first
}

// A TimelineRow is a fact, or in its place a line that could not be read.
type TimelineRow struct {
	Fact  memory.Fact
	Fate  Fate
	Fault *memory.Fault // set: the row tells of this fault and Fact is zero
}

// A FactView is one fact and where it is used.
type FactView struct {
	Fact     memory.Fact
	Fate     Fate
	Checks   []memory.Check       // the rules that it was held against, nil where that is not known
	Decision *memory.Adjudication // that made what it is evidence of, nil where a rule did
	JSON     string               // the record as JSON, indented
	Entries  []memory.Entry
	Cases    []memory.Case
}

// dayCounts heads a day: how many facts of it are on the page.
func dayCounts(d Day) string {
	faults := 0
	for _, r := range d.Rows {
		if r.Fault != nil {
			faults++
		}
	}
	words := count(len(d.Rows)-faults, "fact")
	if faults > 0 {
		words += ", " + number(faults) + " unreadable"
	}
	return words
}

// entryState says where an entry stands, in words for a row.
func entryState(e memory.Entry) string {
	state := "in memory"
	if e.Status == memory.StatusSuperseded {
		state = "superseded"
	}
	if e.MemoryKey != "" {
		state += ", revision " + number(e.Revision)
	}
	return state
}
