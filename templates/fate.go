package templates

// A Fate is what became of a fact, and what it still misses. The zero Fate is
// FateUnknown.
type Fate struct {
	Is       FateKind
	Days     int    // FateYoung: days until the policy lets it in, 1 or more
	More     int    // FateUnconfirmed: distinct facts that still have to say the same, 1 or more
	Revision int    // FateInMemory, FateSuperseded: revision of a keyed entry, 0 for unkeyed
	EntryKey string // FateInMemory, FateSuperseded
	CaseID   string // FateInCase, FateDecidedAgainst
}

// FateKind is a class of fates.
type FateKind int

// The fates of a fact.
const (
	FateUnknown        FateKind = iota // the files that would tell could not be read
	FateYoung                          // not old enough
	FateUnconfirmed                    // old enough; needs more facts that say the same
	FateDue                            // meets the conditions; the next run decides
	FateOutcome                        // an outcome: never promoted
	FateInMemory                       // evidence of an active entry
	FateSuperseded                     // evidence of a superseded entry
	FateInCase                         // evidence in an open case
	FateDecidedAgainst                 // a human chose another value
	FateOlder                          // what is in force is newer
	FateWeaker                         // another value weighs more
)
