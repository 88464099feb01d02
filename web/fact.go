package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"

	"docket/memory"
	"docket/templates"
)

// fact shows one fact and where it is used. An id that cannot stand in a path comes in
// the query.
func (s *server) fact(v *visit) error {
	id := cmp.Or(param(v, "id"), v.QueryParam("id"))
	fact, ok := v.state.Fact(id)
	if !ok {
		return missing(v, memory.PartFacts)
	}
	record, err := json.Marshal(fact)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, record, "", "  "); err != nil {
		return err
	}
	page := s.page(v, templates.FactTitle(fact), templates.NavTimeline)
	uses := v.state.Uses(fact.ID)
	fates := s.fates(v.state)
	checks, decision := fates.trace(fact)
	view := templates.FactView{
		Fact: fact, Fate: fates.of(fact), Checks: checks, Decision: decision, JSON: indented.String(),
		Entries: uses.Entries, Cases: uses.Cases,
	}
	return respond(v, http.StatusOK, page, templates.Fact(page, view))
}
