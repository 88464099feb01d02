package memory

import (
	"slices"
	"strings"
)

// A Consequence is what choosing one candidate of a case would change: in MEMORY.md and
// in the prompt context.
type Consequence struct {
	CandidateID string
	Keeps       bool            // what is in force stays: MEMORY.md and the context stay as they are
	Entry       Entry           // what would be in force
	Sections    []SectionChange // of MEMORY.md, in its order; those alone in which a line changes
	Before      Context         // as agents read it now
	After       Context
	Falls       []LeftOut // what stands in Before and would not fit any more
	Returns     []LeftOut // what does not stand in Before and would fit again
}

// A SectionChange is what changes under one heading of MEMORY.md.
type SectionChange struct {
	Heading string // without its marks: "Decisions"
	Appears bool   // the heading itself comes
	Goes    bool   // the heading itself goes
	Removed []string
	Added   []string
}

// Preview says what a decision would change, before anything is sent: it is Resolve,
// RenderMemory and BuildContext over the state as it is. recent and budget are those of
// the context. Errors are those with which Resolve would refuse the decision:
// *NotFoundError, *StaleError, *NotOpenError, *InvalidError.
func Preview(s *State, c Case, candidateID string, recent []Fact, budget int) (Consequence, error) {
	event := "preview"
	for _, taken := s.Adjudication(event); taken; _, taken = s.Adjudication(event) {
		event += "-"
	}
	plan, err := Resolve(s, Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint, CandidateID: candidateID,
		EventID: event, Actor: "preview", Rationale: "preview", ResolvedAt: c.DetectedAt,
	})
	if err != nil {
		return Consequence{}, err
	}
	made := Consequence{
		CandidateID: candidateID,
		Keeps:       plan.Adjudication.ResultingActiveEntryKey == plan.Adjudication.PriorActiveEntryKey,
		Before:      BuildContext(s.memory, s.hasCurated, s.entries, recent, budget),
	}
	for _, e := range plan.Entries {
		if e.Key == plan.Adjudication.ResultingActiveEntryKey {
			made.Entry = e
		}
	}
	if made.Keeps {
		made.After = made.Before
		return made, nil
	}
	after := RenderMemory(plan.Entries)
	made.Sections = compareMemory(s.Rendered(), after)
	made.After = BuildContext(after, true, plan.Entries, recent, budget)
	made.Falls = missingFrom(made.Before.LeftOut, made.After.LeftOut)
	made.Returns = slices.DeleteFunc(missingFrom(made.After.LeftOut, made.Before.LeftOut), func(l LeftOut) bool {
		return l.ID == plan.Adjudication.PriorActiveEntryKey // it goes altogether
	})
	return made, nil
}

// missingFrom returns what fell here and not there.
func missingFrom(there, here []LeftOut) []LeftOut {
	return slices.DeleteFunc(slices.Clone(here), func(l LeftOut) bool {
		return slices.ContainsFunc(there, func(other LeftOut) bool { return l.Memory == other.Memory && l.ID == other.ID })
	})
}

// compareMemory compares two renderings, section by section. A line that only moves is
// no change.
func compareMemory(was, now string) []SectionChange {
	before, after := cutSections(was), cutSections(now)
	var changes []SectionChange
	for _, heading := range sectionHeadings() {
		old, had := before[heading]
		lines, has := after[heading]
		c := SectionChange{
			Heading: strings.TrimLeft(heading, "# "), Appears: has && !had, Goes: had && !has,
			Removed: without(old, lines), Added: without(lines, old),
		}
		if c.Appears || c.Goes || len(c.Removed) > 0 || len(c.Added) > 0 {
			changes = append(changes, c)
		}
	}
	return changes
}

// cutSections returns the lines under each heading. No content can pose as a heading:
// each of its lines begins with the mark of a list.
func cutSections(text string) map[string][]string {
	cut := map[string][]string{}
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "## "):
			heading = line
			cut[heading] = []string{}
		case heading != "" && line != "":
			cut[heading] = append(cut[heading], line)
		}
	}
	return cut
}

// without returns the lines that others does not hold, as often as it does not.
func without(lines, others []string) []string {
	left := map[string]int{}
	for _, line := range others {
		left[line]++
	}
	var rest []string
	for _, line := range lines {
		if left[line]--; left[line] < 0 {
			rest = append(rest, line)
		}
	}
	return rest
}

// Recent returns the last n unkeyed facts, oldest first: those that the prompt context
// shows.
func (s *State) Recent(n int) []Fact {
	var facts []Fact
	for f := range s.Newest() {
		if len(facts) >= n {
			break
		}
		if f.MemoryKey == "" {
			facts = append(facts, f)
		}
	}
	slices.Reverse(facts)
	return facts
}
