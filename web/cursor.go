package web

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"docket/memory"
)

// pageSize is how many facts a page of the timeline holds.
const pageSize = 50

// A cursor is the place of a fact in the order of all facts.
type cursor struct {
	at time.Time
	id string
}

func cursorOf(f memory.Fact) *cursor { return &cursor{f.RecordedAt, f.ID} }

func (c *cursor) compare(f memory.Fact) int {
	return cmp.Or(c.at.Compare(f.RecordedAt), cmp.Compare(c.id, f.ID))
}

// String is the cursor as an address carries it.
func (c *cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(memory.FormatTime(c.at) + " " + c.id))
}

// parseCursor returns nil for a cursor that is none: the list then begins at its end.
func parseCursor(s string) *cursor {
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil
	}
	stamp, id, ok := strings.Cut(string(text), " ")
	at, err := memory.ParseTime(stamp)
	if err != nil || !ok {
		return nil
	}
	return &cursor{at, id}
}

// A cutting is one page of facts, newest first, with the places where the pages beside
// it begin.
type cutting struct {
	facts []memory.Fact
	above *cursor // of the fact just above this page, nil on the first page
	newer *cursor // where the page above ends, nil on the first page
	older *cursor // where the page below begins, nil on the last page
}

// slice cuts the page that lies behind one cursor or before the other.
func slice(state *memory.State, passes func(memory.Fact) bool, before, after string) cutting {
	if from := parseCursor(after); from != nil {
		return newerThan(state, passes, from)
	}
	return olderThan(state, passes, parseCursor(before))
}

func olderThan(state *memory.State, passes func(memory.Fact) bool, from *cursor) (cut cutting) {
	for fact := range state.Newest() {
		if !passes(fact) {
			continue
		}
		if from != nil && from.compare(fact) <= 0 {
			cut.above = cursorOf(fact)
			continue
		}
		if len(cut.facts) == pageSize {
			cut.older = cursorOf(cut.facts[pageSize-1])
			break
		}
		cut.facts = append(cut.facts, fact)
	}
	if cut.above != nil {
		cut.newer = from
		if len(cut.facts) > 0 {
			cut.newer = cursorOf(cut.facts[0])
		}
	}
	return cut
}

// newerThan reads on to see whether there is more, and then is the page that the
// first page would be if there is none.
func newerThan(state *memory.State, passes func(memory.Fact) bool, from *cursor) (cut cutting) {
	for fact := range state.Facts() {
		if !passes(fact) || from.compare(fact) >= 0 {
			continue
		}
		if len(cut.facts) == pageSize {
			slices.Reverse(cut.facts)
			cut.above = cursorOf(fact)
			cut.newer, cut.older = cursorOf(cut.facts[0]), cursorOf(cut.facts[pageSize-1])
			return cut
		}
		cut.facts = append(cut.facts, fact)
	}
	return olderThan(state, passes, nil) // the reader reached the first page
}

// faults returns what could not be read of the logs whose days begin on this page, so
// that each fault stands on one page, with or without facts beside it.
func (cut cutting) faults(state *memory.State) map[time.Time][]*memory.Fault {
	placed := map[time.Time][]*memory.Fault{}
	for _, fault := range state.Faults() {
		name, isLog := strings.CutPrefix(fault.File, "daily/")
		day, err := time.Parse(time.DateOnly, strings.TrimSuffix(name, ".jsonl"))
		if !isLog || err != nil {
			continue
		}
		end := day.AddDate(0, 0, 1)
		begun := cut.above != nil && cut.above.at.Before(end)
		later := cut.older != nil && !cut.older.at.Before(end)
		if !begun && !later {
			placed[day] = append(placed[day], fault)
		}
	}
	return placed
}
