package templates

import (
	"slices"
	"strconv"
	"time"

	"docket/memory"
)

// A DeskView is the open cases as one reader has them, and what agents read meanwhile.
type DeskView struct {
	Groups  []DeskGroup // the rows of this page, in the order of GroupKind; those without a case are left out
	Waiting int         // open cases, whatever the filter
	Oldest  time.Time   // since when the longest has waited, zero for none
	Changed int         // of Waiting, those that changed since the reader looked

	Filter  DeskFilter
	Matches int      // open cases that pass the filter
	Pages   int      // how many pages they fill, 1 at least
	Sources []string // of the facts behind the open cases, for the filter

	Unreadable bool        // conflicts.json could not be read: how many wait is not known
	MarksFault *MarksFault // what the reader has marked could not be read, nil if it was
	Facts      int         // facts of the workspace, or Unknown; 0 makes the desk of a new project
	Decided    int         // adjudications on record, or Unknown; tells "none yet" from "all decided"
	ThisWeek   int         // of Decided, those of the last seven days
	LastRun    time.Time   // the latest distillation known, zero for none
	Agents     *Agents     // nil where it could not be told
	Outlook    Outlook
}

// A DeskGroup is cases that the reader stands alike to.
type DeskGroup struct {
	Is    GroupKind
	Total int // cases of the group that pass the filter, on other pages too
	Cases []DeskCase
}

// GroupKind is how a reader stands to an open case.
type GroupKind int

// The groups, in the order of the desk.
const (
	GroupChanged GroupKind = iota + 1 // it changed since they saw it or set it aside
	GroupNew                          // they never marked it
	GroupSeen                         // they saw it as it is
	GroupAside                        // they set it aside as it is
	GroupWaiting                      // what they marked could not be read: all cases
)

// A DeskCase is one row of the desk.
type DeskCase struct {
	Case          memory.Case
	Waits         time.Time // since when the question has been open, over all that followed one another
	DecidedBefore bool      // a human decided this key before
	Behind        int       // facts on the key that came after the case was made
	Since         int       // GroupChanged: facts on the key since the reader looked, 0 where that is not known
	Reason        string    // GroupAside: why, as they wrote it, "" for no reason given
}

// A DeskFilter is which open cases are listed, in which order, as the address says it.
type DeskFilter struct {
	Text   string // part of a key or of a value
	Key    string // how the key begins
	Kind   string // a kind of one of the values
	Source string // who said one of the facts
	Age    string // at least so many days of waiting
	Sort   string // SortNewest, or "" for the longest waiting first
	Page   int    // from 1; 0 is 1
}

// SortNewest lists what waits the shortest first.
const SortNewest = "newest"

// Empty reports whether the filter lets every case through.
func (f DeskFilter) Empty() bool {
	return f.Text == "" && f.Key == "" && f.Kind == "" && f.Source == "" && f.Age == ""
}

// further counts the parts of the filter that are set and folded away.
func (f DeskFilter) further() int {
	n := 0
	for _, part := range []string{f.Key, f.Kind, f.Source, f.Age, f.Sort} {
		if part != "" {
			n++
		}
	}
	return n
}

// pages are the pages of the list.
func (v DeskView) pages() []DeskFilter {
	var all []DeskFilter
	for n := range v.Pages {
		f := v.Filter
		f.Page = n + 1
		all = append(all, f)
	}
	return all
}

// Agents is what the prompt context holds now.
type Agents struct {
	Memories   int
	Facts      int // recent unkeyed facts
	Characters int // code points
	Budget     int // code points, 0 for none
}

// MarksFault is why what the reader has marked could not be read or kept.
type MarksFault struct {
	File string // the path
	Held bool   // another process has it
}

// A CaseMark is how the reader stands to the case of a page.
type CaseMark struct {
	Is     GroupKind // GroupWaiting where that could not be read
	At     time.Time // when they marked it last, zero for never
	Reason string    // GroupAside
}

func groupTitle(k GroupKind) string {
	switch k {
	case GroupChanged:
		return "Changed since you looked"
	case GroupNew:
		return "New"
	case GroupSeen:
		return "Seen"
	case GroupAside:
		return "Set aside"
	}
	return "Waiting"
}

// groupID is the element id of a group's heading.
func groupID(k GroupKind) string { return "group-" + strconv.Itoa(int(k)) }

// absent are the groups that a desk with marks has and that hold no case.
func (v DeskView) absent() []GroupKind {
	var kinds []GroupKind
	for k := GroupChanged; k <= GroupAside; k++ {
		here := v.MarksFault != nil
		for _, g := range v.Groups {
			here = here || g.Is == k
		}
		if !here {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// has reports whether a group has a case on this page.
func (v DeskView) has(k GroupKind) bool {
	for _, g := range v.Groups {
		if g.Is == k {
			return true
		}
	}
	return false
}

// since says what is different since the reader looked, as the group's heading says.
func (c DeskCase) since() string {
	if c.Since == 0 {
		return "changed"
	}
	return "+" + count(c.Since, "fact")
}

// choices are the options of a filter, with what is chosen where it is none of them: the form
// sent again must ask for the same list.
func choices[S ~string](options []S, chosen S) []S {
	if chosen == "" || slices.Contains(options, chosen) {
		return options
	}
	return append(slices.Clone(options), chosen)
}

// ages are the choices of the filter for how long a case waits, in days.
func ages() []string { return []string{"1", "7", "30"} }

func ageWords(days string) string {
	n, err := strconv.Atoi(days)
	if err != nil {
		return days
	}
	return count(n, "day") + " or more"
}
