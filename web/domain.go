package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"docket/memory"
	"docket/templates"
)

// memory shows what is in force, by kind.
func (s *server) memory(v *visit) error {
	page := s.page(v, templates.MemoryTitle, templates.NavMemory)
	view := templates.MemoryView{Unreadable: v.state.Readable(memory.PartCurated) != nil}
	challenged := map[string]string{} // case id by memory key
	for _, c := range v.state.OpenCases() {
		challenged[c.MemoryKey] = c.ID
	}
	for _, kind := range memory.Kinds() {
		section := templates.MemorySection{Kind: kind}
		for _, entry := range v.state.Entries() {
			if entry.Kind != kind || entry.Status != memory.StatusActive {
				continue
			}
			row := templates.MemoryRow{Entry: entry}
			if entry.MemoryKey != "" {
				row.CaseID = challenged[entry.MemoryKey]
				row.Decision = decisionBehind(v.state, entry.MemoryKey)
			}
			section.Rows = append(section.Rows, row)
		}
		if len(section.Rows) == 0 {
			continue
		}
		slices.SortFunc(section.Rows, func(a, b templates.MemoryRow) int { // as in MEMORY.md
			return cmp.Or(cmp.Compare(a.Entry.Content, b.Entry.Content), cmp.Compare(a.Entry.Key, b.Entry.Key))
		})
		view.Sections = append(view.Sections, section)
	}
	return respond(v, http.StatusOK, page, templates.Memory(page, view))
}

// decisionBehind returns the standing human decision of a domain, nil where a rule made
// what is in force.
func decisionBehind(state *memory.State, memoryKey string) *memory.Adjudication {
	c, ok := state.Standing(memoryKey)
	if !ok {
		return nil
	}
	return decisionOn(state, c.ResolutionEventID)
}

func decisionOn(state *memory.State, eventID string) *memory.Adjudication {
	if a, ok := state.Adjudication(eventID); ok {
		return &a
	}
	return nil
}

// domain shows everything that a memory key ever held.
func (s *server) domain(v *visit) error {
	key, state := param(v, "key"), v.state
	if _, known := slices.BinarySearch(state.Keys(), key); !known {
		return missing(v, memory.PartFacts, memory.PartCurated, memory.PartConflicts)
	}
	page := s.page(v, templates.DomainTitle(key), templates.NavMemory)
	facts := state.FactsOf(key)
	view := templates.DomainView{
		MemoryKey: key,
		Links:     s.chainOf(state, key),
		Facts:     len(facts),
	}
	if len(facts) > 0 {
		view.FirstSeen = facts[0].RecordedAt
	}
	if active, ok := state.Active(key); ok {
		view.Active = &active
		view.Line = lineOf(active)
	}
	for _, c := range state.CasesOf(key) {
		if c.Status == memory.StatusResolved {
			view.Decisions++
		}
	}
	fates := s.fates(state)
	view.Challenge, view.Confirms = fates.proposals(key)
	for _, fact := range slices.Backward(state.FactsOf(key)) {
		if !fact.Kind.Stable() || !fates.readable() {
			view.Uncounted = append(view.Uncounted, templates.Uncounted{Fact: fact, Fate: fates.of(fact)})
		}
	}
	return respond(v, http.StatusOK, page, templates.Domain(page, view))
}

// chainOf orders revisions and cases newest first: a case stands above the revision that
// it was about to replace, and under the one that came of it.
func (s *server) chainOf(state *memory.State, key string) []templates.Link {
	chain, cases := state.Chain(key), state.CasesOf(key)
	var links []templates.Link
	on := func(entryKey string) { // the cases on a revision, or on nothing
		for _, c := range slices.Backward(cases) {
			if c.ActiveEntryKey == entryKey {
				chosen, _ := c.Candidate(c.SelectedCandidateID)
				links = append(links, templates.Link{Case: &templates.CaseLink{Case: c, Chosen: chosen.Content}})
			}
		}
	}
	for _, entry := range slices.Backward(chain) {
		on(entry.Key)
		revision := s.revisionOf(state, entry)
		links = append(links, templates.Link{Revision: &revision})
	}
	on("")
	return links
}

func (s *server) revisionOf(state *memory.State, entry memory.Entry) templates.RevisionView {
	view := templates.RevisionView{
		Entry:    entry,
		Was:      entryOf(state, entry.Supersedes),
		Evidence: evidence(state, entry.EvidenceIDs),
	}
	if a, ok := state.AdjudicationOf(entry.Key); ok {
		view.Decision, view.Since = &a, a.ResolvedAt
	} else if fates := s.fates(state); fates.readable() {
		view.Made = fates.Made(entry)
	}
	if a, ok := state.AdjudicationOf(entry.SupersededBy); ok {
		view.Until = a.ResolvedAt
	}
	return view
}

// lineOf is the line that an entry has in MEMORY.md.
func lineOf(entry memory.Entry) string {
	text := strings.TrimRight(memory.RenderMemory([]memory.Entry{entry}), "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// entry shows one entry, keyed or not.
func (s *server) entry(v *visit) error {
	entry, ok := v.state.Entry(param(v, "key"))
	if !ok {
		return missing(v, memory.PartCurated)
	}
	page := s.page(v, templates.EntryTitle(entry), templates.NavMemory)
	view := templates.EntryView{
		RevisionView: s.revisionOf(v.state, entry),
		Supersedes:   entryOf(v.state, entry.Supersedes),
		SupersededBy: entryOf(v.state, entry.SupersededBy),
	}
	if entry.MemoryKey != "" {
		view.Cases = slices.Clone(v.state.CasesOf(entry.MemoryKey))
		slices.Reverse(view.Cases)
	}
	return respond(v, http.StatusOK, page, templates.Entry(page, view))
}
