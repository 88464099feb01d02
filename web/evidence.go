package web

import (
	"cmp"
	"slices"

	"docket/memory"
	"docket/templates"
)

// evidence looks up facts by id, oldest first. Those that could not be read come last.
func evidence(state *memory.State, ids []string) []templates.Evidence {
	list := make([]templates.Evidence, 0, len(ids))
	for _, id := range ids {
		fact, ok := state.Fact(id)
		list = append(list, templates.Evidence{ID: id, Fact: fact, Found: ok})
	}
	slices.SortStableFunc(list, func(a, b templates.Evidence) int {
		if a.Found != b.Found {
			if a.Found {
				return -1
			}
			return 1
		}
		return cmp.Or(a.Fact.RecordedAt.Compare(b.Fact.RecordedAt), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// counted returns which candidate each fact of a case counts for.
func counted(c memory.Case) map[string]memory.Candidate {
	by := map[string]memory.Candidate{}
	for _, candidate := range c.Candidates {
		for _, id := range candidate.EvidenceIDs {
			by[id] = candidate
		}
	}
	return by
}

// uncounted returns the facts on a key that count for none of the candidates and are in
// no entry, newest first, each with what it misses.
func (s *server) uncounted(state *memory.State, memoryKey string, counted map[string]memory.Candidate) []templates.Uncounted {
	var list []templates.Uncounted
	fates := s.fates(state)
	for _, fact := range slices.Backward(state.FactsOf(memoryKey)) {
		if _, counts := counted[fact.ID]; counts || len(state.Uses(fact.ID).Entries) > 0 {
			continue
		}
		list = append(list, templates.Uncounted{Fact: fact, Fate: fates.of(fact)})
	}
	return list
}

// weigh is the highest importance among the facts of a candidate, with the policy's
// source confidence added. Facts that cannot be read weigh what the case recorded.
func (s *server) weigh(state *memory.State, candidate memory.Candidate) int {
	best, found := 0, false
	for _, id := range candidate.EvidenceIDs {
		fact, ok := state.Fact(id)
		if !ok {
			return candidate.MaximumImportance
		}
		if n := s.cfg.Policy.Weigh(fact); !found || n > best {
			best, found = n, true
		}
	}
	return best
}
