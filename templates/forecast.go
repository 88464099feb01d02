package templates

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"docket/memory"
)

// ForecastDays is how far a forecast looks ahead.
const ForecastDays = 30

// An Outlook is what the rules will do if nothing new is recorded.
type Outlook struct {
	Foreseen []memory.Foreseen // in order of the days
	Late     bool              // it is still being worked out: Foreseen says nothing yet
	Unknown  bool              // it cannot be told
}

// A horizon is what is foreseen for a stretch of days.
type horizon struct {
	title    string
	id       string
	foreseen []memory.Foreseen
}

// horizons are the forecast for 1, 7 and 30 days, each without what the one before
// holds.
func (o Outlook) horizons() []horizon {
	list := []horizon{{title: "By tomorrow", id: "within-1"}, {title: "Within 7 days", id: "within-7"}, {title: "Within 30 days", id: "within-30"}}
	for _, f := range o.Foreseen {
		i := 0
		switch {
		case f.Days > 7:
			i = 2
		case f.Days > 1:
			i = 1
		}
		list[i].foreseen = append(list[i].foreseen, f)
	}
	return list
}

// first counts what comes first of one change.
type first struct {
	change memory.Change
	days   int
	n      int
}

// next says what comes next of each change, the soonest first.
func (o Outlook) next() string {
	if o.Late {
		return "still being worked out"
	}
	if len(o.Foreseen) == 0 {
		return "nothing within " + count(ForecastDays, "day") + ", unless facts come"
	}
	var list []first
	for _, f := range o.Foreseen {
		i := slices.IndexFunc(list, func(x first) bool { return x.change == f.Change })
		switch {
		case i < 0:
			list = append(list, first{f.Change, f.Days, 1})
		case list[i].days == f.Days:
			list[i].n++
		}
	}
	slices.SortStableFunc(list, func(a, b first) int { return cmp.Compare(a.days, b.days) })
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = x.words()
	}
	return strings.Join(words, ", ")
}

func (x first) words() string {
	one := func(singular, plural string) string {
		if x.n == 1 {
			return singular
		}
		return number(x.n) + " " + plural
	}
	return map[memory.Change]string{
		memory.ChangePromotes:   one("1 promotes", "promote"),
		memory.ChangeSupersedes: one("1 supersedes", "supersede"),
		memory.ChangeAsks:       one("1 domain ties", "domains tie"),
		memory.ChangeMoves:      one("1 open case changes", "open cases change"),
	}[x.change] + " " + inDays(x.days)
}

// inDays says when, counted from now.
func inDays(days int) string {
	switch days {
	case 0:
		return "in the next run"
	case 1:
		return "tomorrow"
	}
	return "in " + count(days, "day")
}

func changeWords(c memory.Change) string {
	switch c {
	case memory.ChangePromotes:
		return "promotes"
	case memory.ChangeSupersedes:
		return "supersedes"
	case memory.ChangeAsks:
		return "ties"
	}
	return "changes"
}

func changeClass(c memory.Change) string {
	if c == memory.ChangeAsks || c == memory.ChangeMoves {
		return "tag wait"
	}
	return "tag"
}

// foreseenKey is the memory key that a change is about, "" for an unkeyed memory.
func foreseenKey(f memory.Foreseen) string {
	if f.Entry != nil {
		return f.Entry.MemoryKey
	}
	return f.Case.MemoryKey
}

// foreseenDay is the day on which a change is foreseen.
func foreseenDay(f memory.Foreseen, now time.Time) time.Time { return now.AddDate(0, 0, f.Days) }
