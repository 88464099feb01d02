package memory

import (
	"slices"
	"time"
)

// Change is a sort of thing that a run does, as a forecast tells it.
type Change string

// The changes.
const (
	ChangePromotes   Change = "promotes"   // an entry, where nothing was in force
	ChangeSupersedes Change = "supersedes" // the next revision of a domain
	ChangeAsks       Change = "asks"       // a new question, where none was open
	ChangeMoves      Change = "moves"      // an open question, because more facts count
)

// A Foreseen is one thing that the rules will do if nothing new is recorded.
type Foreseen struct {
	Days   int    `json:"days"` // from now, 0 for a run now
	Change Change `json:"change"`
	Entry  *Entry `json:"entry"` // promotes, supersedes; else nil
	Case   *Case  `json:"case"`  // asks, moves; else nil
}

// key names what the change is about, so that it is told once, on its first day.
func (f Foreseen) key() string {
	if f.Entry != nil {
		return string(f.Change) + f.Entry.Key
	}
	return string(f.Change) + f.Case.MemoryKey
}

// Forecast says what the rules will do if they are run now and then once a day, for so
// many days, and nothing more is recorded or decided: in order of the days, each thing on
// its first day. It is Distill itself, each run over what the one before would leave.
func Forecast(s *State, policy Policy, now time.Time, days int) ([]Foreseen, error) {
	told := map[string]bool{}
	foreseen := []Foreseen{}
	for day := range days + 1 {
		asOf := now.AddDate(0, 0, day)
		if day > 0 && !s.ages(policy, now.AddDate(0, 0, day-1), asOf) {
			continue // no fact comes of age: a run does what the day before's did
		}
		plan, _, err := Distill(s, policy, asOf, "")
		if err != nil {
			return nil, err
		}
		for _, f := range s.foreseen(plan, day) {
			if !told[f.key()] {
				told[f.key()] = true
				foreseen = append(foreseen, f)
			}
		}
		s = s.after(plan)
	}
	return foreseen, nil
}

// after returns the state that a plan leaves, without writing it.
func (s *State) after(plan Plan) *State {
	return s.with(func(s *State) {
		s.entries, s.cases, s.hasCurated = sortedEntries(plan.Entries), sortedCases(plan.Cases), true
		if plan.Adjudication.EventID != "" {
			s.adjudications = append(slices.Clip(s.adjudications), plan.Adjudication)
		}
	})
}

// ages reports whether a fact becomes old enough between two times.
func (s *State) ages(policy Policy, from, to time.Time) bool {
	from, to = from.AddDate(0, 0, -policy.MinimumAgeDays), to.AddDate(0, 0, -policy.MinimumAgeDays)
	for f := range s.Newest() {
		if f.RecordedAt.Before(from) {
			return false
		}
		if f.RecordedAt.Before(to) {
			return true
		}
	}
	return false
}

// foreseen lists what a plan does.
func (s *State) foreseen(plan Plan, day int) []Foreseen {
	var list []Foreseen
	entries, cases := plan.changes(s)
	for _, e := range entries {
		if _, known := s.Entry(e.Key); known || e.Status != StatusActive {
			continue
		}
		change := ChangePromotes
		if e.Revision > 1 {
			change = ChangeSupersedes
		}
		list = append(list, Foreseen{Days: day, Change: change, Entry: &e})
	}
	for _, c := range cases {
		if c.Status != StatusOpen {
			continue
		}
		change := ChangeAsks
		for _, other := range s.CasesOf(c.MemoryKey) {
			if other.Status == StatusOpen {
				change = ChangeMoves
			}
		}
		list = append(list, Foreseen{Days: day, Change: change, Case: &c})
	}
	return list
}
