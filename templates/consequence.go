package templates

import (
	"strings"

	"docket/memory"
)

// bare is a line of a list without the mark of the list; a sign of ours stands there.
func bare(line string) string { return strings.TrimPrefix(line, "- ") }

// budgetChange says how much of the prompt budget is used before and after.
func budgetChange(c memory.Consequence, limit int) string {
	before, after := c.Before.Characters, c.After.Characters
	if before == after {
		return budget(after, limit)
	}
	return number(before) + " → " + budget(after, limit)
}

// nothingFalls says that the choice costs no other memory its place in the prompt.
func nothingFalls(c memory.Consequence) string {
	switch {
	case len(c.Falls)+len(c.Returns) > 0:
		return ""
	case c.Keeps:
		return "; nothing moves"
	}
	return "; nothing falls off"
}

// said is what is said of a consequence when it comes by itself: numbers alone.
func (w WhatChanges) said() string {
	switch {
	case w.Why == PreviewStale:
		return "What changes cannot be shown: the case moved"
	case w.Made == nil:
		return "What changes cannot be shown"
	case w.Made.Keeps:
		return "MEMORY.md stays as it is"
	}
	removed, added := 0, 0
	for _, s := range w.Made.Sections {
		removed, added = removed+len(s.Removed), added+len(s.Added)
	}
	return "What changes: " + count(removed, "line") + " removed, " + number(added) + " added; prompt context " + budgetChange(*w.Made, w.Budget)
}

// sectionNote says that a heading comes or goes with the line.
func sectionNote(s memory.SectionChange) string {
	switch {
	case s.Appears:
		return ", a new heading"
	case s.Goes:
		return ", which goes"
	}
	return ""
}

// wayWords say how a way comes about, after what would be in force.
func wayWords(w memory.Way) string {
	if w.Facts == 0 {
		return "by waiting alone, on " + date(w.From)
	}
	return "with " + count(w.Facts, "more fact") + " of importance " + number(w.Importance) + "; recorded now, counted from " + date(w.From)
}

// bounds are the two case revisions of a comparison.
func (c Comparison) bounds() string {
	return "revision " + number(c.From.Revision) + " → " + number(c.To.Revision)
}

// none reports whether the two do not differ.
func (c Comparison) none() bool { return len(c.Changes) == 0 }
