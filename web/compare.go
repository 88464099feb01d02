package web

import (
	"strconv"

	"docket/memory"
	"docket/templates"
)

// The bounds of a comparison, as case revisions of one key, in the address of a case.
const (
	queryFrom = "from"
	queryTo   = "to"
)

// comparison is what the address of a case asks to compare, nil where it asks for
// nothing that there is. It returns the later of the two cases.
func (s *server) comparison(v *visit, c memory.Case) (*templates.Comparison, memory.Case) {
	from, okFrom := revisionOfKey(v.state, c.MemoryKey, v.QueryParam(queryFrom))
	to, okTo := revisionOfKey(v.state, c.MemoryKey, v.QueryParam(queryTo))
	if !okFrom || !okTo || from.Revision > to.Revision {
		return nil, c
	}
	return s.compared(v.state, from, to), to
}

func revisionOfKey(state *memory.State, memoryKey, number string) (memory.Case, bool) {
	revision, err := strconv.Atoi(number)
	if err != nil {
		return memory.Case{}, false
	}
	for _, c := range state.CasesOf(memoryKey) {
		if c.Revision == revision {
			return c, true
		}
	}
	return memory.Case{}, false
}

func (s *server) compared(state *memory.State, from, to memory.Case) *templates.Comparison {
	made := templates.Comparison{From: from, To: to}
	made.Changes, made.Unchanged = s.compare(state, from, to)
	return &made
}

// sinceLooked is what is different between an open case and what its reader last looked
// at, nil where they saw just this or nothing.
func (s *server) sinceLooked(v *visit, c memory.Case) *templates.Comparison {
	row := s.rowOf(v, c)
	if row.group != templates.GroupChanged {
		return nil
	}
	before, ok := v.state.Case(row.last.ConflictID)
	if !ok || before.MemoryKey != c.MemoryKey {
		return nil
	}
	return s.compared(v.state, before, c)
}

// settling says what evidence would settle an open case, nil where that is not known.
func (s *server) settling(v *visit, c memory.Case) *templates.Settling {
	ways, err := memory.Ways(v.state, s.cfg.Policy, c, s.cfg.Now())
	if err != nil {
		s.log.Error("no ways", "id", requestID(v), "workspace", v.id, "error", err)
		return nil
	}
	_, held := v.state.Standing(c.MemoryKey)
	return &templates.Settling{Ways: ways, Held: held && s.cfg.Policy.AdjudicationsHold, Most: memory.MostFacts}
}
