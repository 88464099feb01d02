package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// What findings about evidence mean, and what to do.
const (
	whyTraced  = "What was believed cannot be traced to its source: a log was deleted, cut or edited. Restore the daily logs from a copy."
	whyBelongs = "The facts do not carry what rests on them: a log or this record was edited by hand. Compare both with a copy, and restore the one that was changed."
)

// records holds entries and cases against the logs.
func (v *verifier) records() error {
	if v.readable(PartCurated) {
		for _, entry := range v.state.Entries() {
			v.entry(entry)
		}
	}
	if v.readable(PartConflicts, PartFacts) {
		for _, c := range v.state.Cases() {
			v.candidates(c)
		}
	}
	return nil
}

// entryLine returns the line of curated.json in which the entry's key stands, 0 for an
// entry that is not written yet.
func (v *verifier) entryLine(key string) int { return lineOf(v.follow.curated.text, key) }

func (v *verifier) caseLine(id string) int { return lineOf(v.follow.conflicts.text, id) }

func lineOf(text []byte, name string) int {
	at := place(text, name)
	if at < 0 {
		return 0
	}
	return lineAt(text, at)
}

// entry holds one entry against what it says and the facts it rests on.
func (v *verifier) entry(e Entry) {
	if entryKey(e.MemoryKey, e.Revision, e.Kind, e.Content) != e.Key {
		v.fault(CuratedDocument, v.entryLine(e.Key),
			"Its content, kind or key was edited by hand; new facts that say the same will not find it. Restore the file from a copy.",
			"the key of entry %q does not follow from what it says", e.Key)
		return
	}
	if !v.readable(PartFacts) {
		return
	}
	said := claim{e.MemoryKey, e.Kind, e.Content, e.EvidenceIDs, e.FirstSeen, e.LastSeen, 0}
	if why, what := said.against(v.state); what != "" {
		v.fault(CuratedDocument, v.entryLine(e.Key), why, "entry %q %s", e.Key, what)
	}
}

// candidates holds a case against the facts it rests on.
func (v *verifier) candidates(c Case) {
	for _, candidate := range c.Candidates {
		said := claim{
			c.MemoryKey, candidate.Kind, candidate.Content, candidate.EvidenceIDs,
			candidate.FirstSeen, candidate.LastSeen, candidate.MaximumImportance,
		}
		if why, what := said.against(v.state); what != "" {
			v.fault(ConflictsDocument, v.caseLine(c.ID), why, "the candidate %q of case %q %s", candidate.ID, c.ID, what)
			return // what it observed holds the same facts
		}
	}
	if lost := missingFacts(v.state, c.ObservedFactIDs); len(lost) > 0 {
		v.fault(ConflictsDocument, v.caseLine(c.ID), whyTraced, "case %q observed %s", c.ID, nowhere(lost))
		return
	}
	for _, id := range c.ObservedFactIDs {
		if f, _ := v.state.Fact(id); f.MemoryKey != c.MemoryKey {
			v.fault(ConflictsDocument, v.caseLine(c.ID), whyBelongs,
				"case %q observed the fact %q (%s:%d), which is not about %s", c.ID, clip(id), f.File, f.Line, c.MemoryKey)
			return
		}
	}
}

// A claim is what an entry or a candidate says of the facts that it rests on.
type claim struct {
	memoryKey   string
	kind        Kind
	content     string
	evidence    []string
	first, last time.Time
	importance  int // the highest of the facts; 0 is not compared
}

// against returns the first thing in which the claim and the facts differ, "" for none:
// every fact is there and says the same under the same key, one of them gave the wording,
// and times and importance are theirs.
func (c claim) against(s *State) (why, what string) {
	if lost := missingFacts(s, c.evidence); len(lost) > 0 {
		return whyTraced, "rests on " + nowhere(lost)
	}
	var first, last time.Time
	importance, worded := 0, false
	for _, id := range c.evidence {
		f, _ := s.Fact(id)
		if differs := c.foreign(&f); differs != "" {
			return whyBelongs, fmt.Sprintf("rests on the fact %q (%s:%d), which %s", clip(id), f.File, f.Line, differs)
		}
		if first.IsZero() || f.RecordedAt.Before(first) {
			first = f.RecordedAt
		}
		if f.RecordedAt.After(last) {
			last = f.RecordedAt
		}
		importance, worded = max(importance, f.Importance), worded || f.Content == c.content
	}
	switch {
	case len(c.evidence) == 0:
		return whyTraced, "rests on no fact"
	case !worded:
		return whyBelongs, "has a wording that none of its facts has"
	case !first.Equal(c.first):
		return whyBelongs, fmt.Sprintf("was first seen %s, its facts %s", FormatTime(c.first), FormatTime(first))
	case !last.Equal(c.last):
		return whyBelongs, fmt.Sprintf("was last seen %s, its facts %s", FormatTime(c.last), FormatTime(last))
	case c.importance != 0 && c.importance != importance:
		return whyBelongs, fmt.Sprintf("has the importance %d, its facts %d", c.importance, importance)
	}
	return "", ""
}

// foreign says why the fact is no evidence for the claim, "" if it is.
func (c claim) foreign(f *Fact) string {
	switch {
	case f.MemoryKey != c.memoryKey:
		return "is about another memory key"
	case f.Kind != c.kind:
		return "is of another kind"
	case f.Content != c.content && NormalForm(f.Content) != NormalForm(c.content):
		return "says something else"
	}
	return ""
}

func missingFacts(s *State, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, ok := s.Fact(id)
		return ok
	})
}

// nowhere names facts that are in no log.
func nowhere(ids []string) string {
	const shown = 3
	var names []string
	for _, id := range ids[:min(len(ids), shown)] {
		names = append(names, fmt.Sprintf("%q", clip(id)))
	}
	words := "the fact " + names[0] + ", which is in no log"
	if len(ids) > 1 {
		words = "the facts " + strings.Join(names, ", ") + ", which are in no log"
	}
	if more := len(ids) - shown; more > 0 {
		words += fmt.Sprintf(", and %d more", more)
	}
	return words
}
