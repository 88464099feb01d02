package web

import (
	"net/http"
	"slices"

	"docket/memory"
	"docket/templates"
)

// adjudications shows the audit, newest first.
func (s *server) adjudications(v *visit) error {
	page := s.page(v, templates.AdjudicationsTitle, templates.NavAdjudications)
	view := templates.AdjudicationsView{Unreadable: v.state.Readable(memory.PartAudit) != nil}
	for _, a := range slices.Backward(v.state.Adjudications()) {
		view.Rows = append(view.Rows, rowOf(v.state, a))
	}
	return respond(v, http.StatusOK, page, templates.Adjudications(page, view))
}

// rowOf adds to a decision what its case says of it.
func rowOf(state *memory.State, a memory.Adjudication) templates.AdjudicationRow {
	row := templates.AdjudicationRow{Adjudication: a}
	if c, ok := state.Case(a.ConflictID); ok {
		chosen, _ := c.Candidate(a.SelectedCandidateID)
		row.MemoryKey, row.Chosen = c.MemoryKey, chosen.Content
	}
	return row
}

// adjudication shows one decision and the case as it was seen.
func (s *server) adjudication(v *visit) error {
	a, ok := v.state.Adjudication(param(v, "id"))
	if !ok {
		return missing(v, memory.PartAudit)
	}
	page := s.page(v, templates.AdjudicationTitle(a), templates.NavAdjudications)
	view := templates.AdjudicationView{
		AdjudicationRow: rowOf(v.state, a),
		Before:          entryOf(v.state, a.PriorActiveEntryKey),
		After:           entryOf(v.state, a.ResultingActiveEntryKey),
	}
	if c, ok := v.state.Case(a.ConflictID); ok {
		view.Case = &c
		view.Candidates = s.candidates(v.state, c, nil)
	}
	return respond(v, http.StatusOK, page, templates.Adjudication(page, view))
}
