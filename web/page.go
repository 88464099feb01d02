package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"docket/memory"
	"docket/templates"
)

// page fills what every page needs. Inside a workspace that is its rail, its counts and
// everything about it that could not be read.
func (s *server) page(c echo.Context, title string, nav templates.Nav) templates.Page {
	page := templates.Page{Title: title, Nav: nav, Actor: actorOf(c), Now: s.cfg.Now()}
	if page.Actor == "" {
		return page
	}
	page.Workspaces = s.workspaces
	page.Origin = "http://" + c.Request().Host // one of ours: who is signed in passed checkHost; nothing else than HTTP is spoken
	if v, ok := c.Get(keyVisit).(*visit); ok {
		page.Workspace = templates.Workspace{ID: v.id, Name: v.name}
		page.Counts = countsOf(v.state)
		page.Faults = v.state.Faults()
		page.Pending, _ = v.state.Pending()
		page.Sealed = v.engine.Sealed()
		page.Health = v.healthMark()
		page.List = filterOf(v).Query()
		read, err := s.readerOf(v)
		page.KeysOff = read.keysOff || err != nil // whoever turned them off keeps them off
	}
	return page
}

// back is a local path that helps a reader away from an error page, "" for none.
func (s *server) back(c echo.Context, status int) string {
	if status == http.StatusMisdirectedRequest || actorOf(c) == "" {
		return ""
	}
	if v, ok := c.Get(keyVisit).(*visit); ok {
		return templates.DeskListURL(v.id, filterOf(v).Query())
	}
	return templates.RootURL
}

// countsOf gives the numbers of the rail. A part that could not be read whole has none.
func countsOf(state *memory.State) templates.Counts {
	active := 0
	for _, entry := range state.Entries() {
		if entry.Status == memory.StatusActive {
			active++
		}
	}
	return templates.Counts{
		Desk:          known(state, len(state.OpenCases()), memory.PartConflicts),
		Memory:        known(state, active, memory.PartCurated),
		Timeline:      known(state, state.Len(), memory.PartFacts),
		Adjudications: known(state, len(state.Adjudications()), memory.PartAudit),
	}
}

// known is a number of what a part holds, Unknown where the part could not be read whole.
func known(state *memory.State, n int, part memory.Part) int {
	if state.Readable(part) != nil {
		return templates.Unknown
	}
	return n
}

// withFault adds a fault that a command ran into, unless reading found it too.
func withFault(faults []*memory.Fault, fault *memory.Fault) []*memory.Fault {
	for _, f := range faults {
		if *f == *fault {
			return faults
		}
	}
	return append(faults[:len(faults):len(faults)], fault)
}

// missing is the answer where an id names nothing: not found, or, while a part that
// could hold it cannot be read, that.
func missing(v *visit, parts ...memory.Part) error {
	for _, part := range parts {
		if fault := v.state.Readable(part); fault != nil {
			return ofEngine(fault)
		}
	}
	return notFound
}
