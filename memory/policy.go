package memory

import "fmt"

// Recency says how closely two proposals' latest times are compared.
type Recency string

// Instant compares to the microsecond, as the seed does. Day compares the UTC day:
// real clocks never tie to the microsecond, so the queue would stay empty.
const (
	Instant Recency = "instant"
	Day     Recency = "day"
)

// A Policy is the numbers of distillation. The zero Policy is invalid; start from
// DocketPolicy or SeedPolicy.
type Policy struct {
	MinimumAgeDays              int // a fact must be strictly older than this many days; 0..36500
	MinimumImportance           int // promotes by itself; 1..5
	RepeatThreshold             int // so many distinct facts promote too; 1 or more
	SupersessionRepeatThreshold int // so many distinct facts are needed to replace; 2 or more

	Recency Recency
	// AdjudicationsHold keeps what a human chose until a human chooses again.
	AdjudicationsHold bool
	// Settle repeats a domain until a second run would find nothing to do.
	Settle bool
	// SourceConfidence is added to a fact's importance when proposals are weighed: -2..2 by source.
	SourceConfidence map[string]int
}

// SeedPolicy returns the seed's own rules.
func SeedPolicy() Policy {
	return Policy{
		MinimumAgeDays: 30, MinimumImportance: 4, RepeatThreshold: 2, SupersessionRepeatThreshold: 2,
		Recency: Instant,
	}
}

// DocketPolicy returns the default: the seed's numbers with its four holes closed.
func DocketPolicy() Policy {
	p := SeedPolicy()
	p.Recency = Day
	p.AdjudicationsHold = true
	p.Settle = true
	p.SourceConfidence = map[string]int{"user": 1}
	return p
}

// Validate refuses numbers out of their bounds with an InvalidError.
func (p Policy) Validate() error {
	switch {
	case p.MinimumAgeDays < 0 || p.MinimumAgeDays > 36500:
		return &InvalidError{"minimum_age_days", "must be between 0 and 36500"}
	case p.MinimumImportance < 1 || p.MinimumImportance > 5:
		return &InvalidError{"minimum_importance", "must be between 1 and 5"}
	case p.RepeatThreshold < 1:
		return &InvalidError{"repeat_threshold", "must be 1 or more"}
	case p.SupersessionRepeatThreshold < 2:
		return &InvalidError{"supersession_repeat_threshold", "must be 2 or more"}
	case p.Recency != Instant && p.Recency != Day:
		return &InvalidError{"recency", `must be "instant" or "day"`}
	}
	for source, n := range p.SourceConfidence {
		if n < -2 || n > 2 {
			return &InvalidError{"source_confidence", fmt.Sprintf("of %q must be between -2 and 2", source)}
		}
	}
	return nil
}

// A Report counts what a distillation did, with the seed's ten fields.
type Report struct {
	ConflictCaseIDs []string `json:"conflict_case_ids"` // every tie of this run
	Conflicts       int      `json:"conflicts"`         // ties of this run, known ones too
	Created         int      `json:"created"`           // entries
	Eligible        int      `json:"eligible"`          // facts merged or made into entries
	QueuedConflicts int      `json:"queued_conflicts"`  // new ties
	Scanned         int      `json:"scanned"`           // aged facts
	Skipped         int      `json:"skipped"`           // facts left out, stale and tied ones too
	Stale           int      `json:"stale"`             // facts left out because what is in force is newer
	Superseded      int      `json:"superseded"`        // entries
	Updated         int      `json:"updated"`           // entries
}
