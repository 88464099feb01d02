package templates

import "docket/memory"

func noticeClass(k NoticeKind) string {
	switch k {
	case NoticeBusy, NoticeMarksFault:
		return "banner wait"
	case NoticeUnwritable, NoticeFault:
		return "banner bad"
	}
	return "banner good"
}

// MarkAct is what a reader does to cases for themselves alone.
type MarkAct string

// The acts, as the form of the desk names them.
const (
	ActSeen  MarkAct = "seen"
	ActAside MarkAct = "aside"
	ActBack  MarkAct = "back"  // all marks off: the case is new again
	ActUnset MarkAct = "unset" // back from aside, and still seen
)

// A Marked is what came of marking one case.
type Marked struct {
	Case  memory.Case // MarkedUnknown: its id alone, as it was sent
	Came  MarkedKind
	Later string // MarkedMoved: the conflict id of the open case that took its place
}

// MarkedKind is what came of marking.
type MarkedKind int

// What comes of marking: only a case that is open and as the reader saw it is marked.
const (
	MarkedDone    MarkedKind = iota + 1
	MarkedMoved              // it changed meanwhile
	MarkedClosed             // it is no longer open
	MarkedUnknown            // no case has that id
)

// shownUnknown is how many ids without a case are told one by one, and shownID how much of
// each, in columns.
const (
	shownUnknown = 5
	shownID      = 40
)

// told are the rows that a notice tells one by one; unknown counts the others, which are
// all ids without a case: a form can hold as many of those as it likes.
func told(rows []Marked) (shown []Marked, unknown int) {
	for _, r := range rows {
		if r.Came == MarkedUnknown {
			unknown++
		}
		if r.Came != MarkedUnknown || unknown <= shownUnknown {
			shown = append(shown, r)
		}
	}
	return shown, len(rows) - len(shown)
}

// done counts what was marked.
func done(rows []Marked) int {
	n := 0
	for _, r := range rows {
		if r.Came == MarkedDone {
			n++
		}
	}
	return n
}

// markedWords heads the notice of an act.
func markedWords(act MarkAct, rows []Marked) string {
	if len(rows) == 0 {
		return "Nothing was selected"
	}
	what := map[MarkAct]string{ActSeen: "marked as seen", ActAside: "set aside", ActBack: "put back", ActUnset: "put back"}[act]
	if n := done(rows); n < len(rows) {
		return number(n) + " of " + number(len(rows)) + " " + what
	}
	return count(len(rows), "case") + " " + what
}

func cameWords(k MarkedKind) string {
	switch k {
	case MarkedMoved:
		return "changed meanwhile, not marked"
	case MarkedClosed:
		return "no longer open"
	case MarkedUnknown:
		return "not found"
	}
	return "done"
}

// outcome is one number of a report that is not nought, in words.
type outcome struct {
	n    int
	what string
}

// outcomes lists what a run did and left, in the order a reader asks.
func outcomes(r memory.Report) []outcome {
	all := []outcome{
		{r.Created, "new in memory"},
		{r.Updated, "confirmed"},
		{r.Superseded, "replaced"},
		{r.QueuedConflicts, "new for you to decide"},
		{r.Conflicts - r.QueuedConflicts, "still in question"},
		{r.Skipped - r.Stale, "facts left out"},
		{r.Stale, "facts older than what is in force"},
	}
	var told []outcome
	for _, o := range all {
		if o.n > 0 {
			told = append(told, o)
		}
	}
	return told
}
