package templates

import (
	"time"

	"docket/memory"
)

// A Fate is what became of a fact, and what it still misses. The zero Fate is
// FateUnknown.
type Fate struct {
	Is       FateKind
	Days     int         // FateYoung: days until the policy lets it in, 1 or more
	More     int         // FateUnconfirmed, FateDecidedAgainst: distinct facts that still have to say the same
	From     time.Time   // from when on it could pass by waiting alone, zero where that does not help
	Next     memory.Fate // FateDue: what the next run does with it
	Said     time.Time   // FateOlder: when what it says was last said
	After    time.Time   // FateOlder: what that would have to come after
	Rival    string      // FateWeaker: what weighs more
	Revision int         // FateInMemory, FateSuperseded: revision of a keyed entry, 0 for unkeyed
	EntryKey string      // FateInMemory, FateSuperseded
	CaseID   string      // FateInCase, FateDecidedAgainst
}

// FateKind is a class of fates.
type FateKind int

// The fates of a fact.
const (
	FateUnknown        FateKind = iota // the files that would tell could not be read
	FateYoung                          // not old enough
	FateUnconfirmed                    // old enough; needs more facts that say the same
	FateDue                            // meets the conditions; the next run takes it up
	FateOutcome                        // an outcome: never promoted
	FateInMemory                       // evidence of an active entry
	FateSuperseded                     // evidence of a superseded entry
	FateInCase                         // evidence in an open case
	FateDecidedAgainst                 // a human chose another value
	FateOlder                          // what is in force is newer
	FateWeaker                         // another value weighs more
)

// words of a fate, as short as a tag.
func (f Fate) words() string {
	revision := func(s string) string {
		if f.Revision == 0 {
			return s
		}
		return s + ", rev " + number(f.Revision)
	}
	switch f.Is {
	case FateYoung:
		return "waits: " + count(f.Days, "day")
	case FateUnconfirmed:
		return "waits: " + number(f.More) + " more"
	case FateDue:
		return "due in the next run"
	case FateOutcome:
		return "never promoted"
	case FateInMemory:
		return revision("in memory")
	case FateSuperseded:
		return revision("superseded")
	case FateInCase:
		return "in an open case"
	case FateDecidedAgainst:
		return "decided against"
	case FateOlder:
		return "older than what is in force"
	case FateWeaker:
		return "weighs less"
	}
	return "not known"
}

// why says the same as a sentence's end, with its numbers and dates, for a fact that
// does not count. The rival of FateWeaker follows it.
func (f Fate) why() string {
	switch f.Is {
	case FateYoung:
		words := count(f.Days, "day") + " too young"
		if !f.From.IsZero() {
			words += ", counts from " + date(f.From)
		}
		return words
	case FateUnconfirmed:
		return "needs " + f.more()
	case FateDue:
		return due(f.Next)
	case FateOutcome:
		return "an outcome, which is never promoted"
	case FateInMemory:
		return "already part of what is in force"
	case FateSuperseded:
		return "part of a superseded revision"
	case FateInCase:
		return "in an open case"
	case FateDecidedAgainst:
		return "a person decided against it; asked again with " + f.more()
	case FateOlder:
		return "last said on " + date(f.Said) + ", not after what is in force (" + date(f.After) + ")" + f.until()
	case FateWeaker:
		return "weighs less" + f.until() + " than"
	}
	return "why cannot be read"
}

// until is when the facts that are too young change it.
func (f Fate) until() string {
	if f.From.IsZero() {
		return ""
	}
	return " until " + date(f.From) + ", when young ones count,"
}

// more is how many facts are missing, and from when on those that are too young do.
func (f Fate) more() string {
	words := count(f.More, "more fact") + " that say the same"
	if f.More == 1 {
		words = "one more fact that says the same"
	}
	if !f.From.IsZero() {
		if f.More == 1 {
			return words + ", on " + date(f.From) + " when the young one counts"
		}
		return words + ", on " + date(f.From) + " when the young ones count"
	}
	return words
}

// due is what the next run does with a fact.
func due(f memory.Fate) string {
	switch f {
	case memory.FateMerged:
		return "the next run adds it to what says the same"
	case memory.FatePromoted:
		return "the next run takes it into memory"
	case memory.FateAsked:
		return "the next run asks a person about it"
	}
	return "no run has looked at it yet"
}

// class is the look of a fate's tag.
func (f Fate) class() string {
	switch f.Is {
	case FateInMemory:
		return "tag ink"
	case FateInCase:
		return "tag wait"
	}
	return "tag"
}
