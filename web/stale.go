package web

import (
	"net/http"

	"docket/memory"
	"docket/templates"
)

// moved answers a decision against a case that is no longer what the reader saw. It
// distills the domain, so that there is a current case or none, and shows that one:
// with what is different, and the reader's words and choice in its form.
func (s *server) moved(v *visit, id string, sent decision) error {
	old, ok := v.state.Case(id)
	if !ok {
		return s.lost(v, id, sent)
	}
	if _, err := s.run(v.Request().Context(), v.project, old.MemoryKey); err != nil {
		return s.refused(v, old, sent, sent.form(), err)
	}
	v.reread()
	last := newest(v.state, old)
	if last.Status == memory.StatusOpen {
		return s.movedTo(v, last, seenBy(v.state, old, sent), sent)
	}
	return s.closed(v, last, sent)
}

// closed shows the case that took the place of the one that the reader saw, and asks
// nothing any more.
func (s *server) closed(v *visit, last memory.Case, sent decision) error {
	refusal := templates.Refusal{Is: templates.RefusedSettled, SeenRevision: sent.revision}
	if last.Status == memory.StatusResolved {
		refusal.Is = templates.RefusedDecided
	}
	page, body := s.casePage(v, last, attempt{form: sent.fresh(), refusal: &refusal})
	return respond(v, http.StatusConflict, page, body(page))
}

// movedTo shows the case that took the place of the one that the reader saw.
func (s *server) movedTo(v *visit, now memory.Case, seen memory.Case, sent decision) error {
	refusal := templates.Refusal{Is: templates.RefusedStale, SeenRevision: sent.revision}
	refusal.Changes, refusal.Unchanged = s.compare(v.state, seen, now)
	if _, still := now.Candidate(sent.candidate); !still {
		lost, _ := seen.Candidate(sent.candidate)
		refusal.LostWords = lost.Content
	}
	made := attempt{form: sent.fresh(), refusal: &refusal}
	if seen.ID != "" {
		made.seen = setOf(seen.ObservedFactIDs)
	}
	page, body := s.casePage(v, now, made)
	return respond(v, http.StatusConflict, page, body(page))
}

// seenBy returns the case that the reader's form was made from. An id stands for one
// fingerprint, but a form may carry any: without a match nothing is known of what the
// reader saw.
func seenBy(state *memory.State, old memory.Case, sent decision) memory.Case {
	for _, c := range state.CasesOf(old.MemoryKey) {
		if c.Fingerprint == sent.fingerprint {
			return c
		}
	}
	return memory.Case{}
}

// compare tells what is different between the case that was seen and the case now, and
// how many facts both stand on.
func (s *server) compare(state *memory.State, seen, now memory.Case) (changes []templates.Change, unchanged int) {
	if seen.ID == "" {
		return nil, 0
	}
	if seen.ActiveEntryKey != now.ActiveEntryKey {
		was, _ := state.Entry(seen.ActiveEntryKey)
		is, _ := state.Entry(now.ActiveEntryKey)
		changes = append(changes, templates.Change{Is: templates.InForceChanged, Was: was.Content, Now: is.Content})
	}
	for _, c := range now.Candidates {
		if _, was := seen.Candidate(c.ID); !was {
			changes = append(changes, templates.Change{Is: templates.ValueAdded, Now: c.Content})
		}
	}
	for _, c := range seen.Candidates {
		if _, is := now.Candidate(c.ID); !is {
			changes = append(changes, templates.Change{Is: templates.ValueRemoved, Was: c.Content})
		}
	}
	facts, unchanged := s.compareFacts(state, seen, now)
	return append(changes, facts...), unchanged
}

// compareFacts tells which facts came, or began to count, and which went, or no longer
// count.
func (s *server) compareFacts(state *memory.State, seen, now memory.Case) (changes []templates.Change, unchanged int) {
	fates := s.fates(state)
	observed, counts, counted := setOf(seen.ObservedFactIDs), counted(now), counted(seen)
	for _, e := range evidence(state, now.ObservedFactIDs) {
		candidate, countsNow := counts[e.ID]
		_, countedThen := counted[e.ID]
		switch {
		case !observed[e.ID] || countsNow && !countedThen:
			change := templates.Change{Is: templates.FactAdded, Fact: named(e), For: candidate.Content}
			if !countsNow {
				change.Fate = fates.of(e.Fact)
			}
			changes = append(changes, change)
		case countedThen && !countsNow:
			changes = append(changes, templates.Change{Is: templates.FactRemoved, Fact: named(e)})
		default:
			unchanged++
		}
	}
	observes := setOf(now.ObservedFactIDs)
	for _, e := range evidence(state, seen.ObservedFactIDs) {
		if !observes[e.ID] {
			changes = append(changes, templates.Change{Is: templates.FactRemoved, Fact: named(e)})
		}
	}
	return changes, unchanged
}

// named is the fact of a piece of evidence, which has its id even where its log cannot
// be read.
func named(e templates.Evidence) memory.Fact {
	e.Fact.ID = e.ID
	return e.Fact
}
