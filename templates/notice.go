package templates

import "docket/memory"

func noticeClass(k NoticeKind) string {
	switch k {
	case NoticeBusy:
		return "banner wait"
	case NoticeUnwritable, NoticeFault:
		return "banner bad"
	}
	return "banner good"
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
