package web

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"docket/memory"
	"docket/templates"
)

// outlookPatience is how long a page waits for a forecast that it only mentions.
const outlookPatience = 400 * time.Millisecond

// A forecaster remembers the forecast of one project for as long as nothing changes.
type forecaster struct {
	mu   sync.Mutex // guards made
	made *forecast
}

// A forecast is one forecast, made or in the making. What it came to may be read once
// ready is closed.
type forecast struct {
	of       glance
	ready    chan struct{}
	foreseen []memory.Foreseen
	err      error
}

// A glance tells states apart that a forecast could differ for, and days. A document
// that is read anew lies elsewhere in memory, and facts are only ever added.
type glance struct {
	facts, entries, cases int
	newest                string
	entry                 *memory.Entry
	question              *memory.Case
	faults                int
	day                   string
}

func glanceAt(state *memory.State, now time.Time) glance {
	g := glance{
		facts: state.Len(), entries: len(state.Entries()), cases: len(state.Cases()),
		faults: len(state.Faults()), day: now.UTC().Format(time.DateOnly),
	}
	for fact := range state.Newest() {
		g.newest = fact.ID
		break
	}
	if g.entries > 0 {
		g.entry = &state.Entries()[0]
	}
	if g.cases > 0 {
		g.question = &state.Cases()[0]
	}
	return g
}

// of returns the forecast for a state, which may still be in the making, and whether it
// is that one: while another is in the making no second one is begun.
func (f *forecaster) of(state *memory.State, policy memory.Policy, now time.Time) (made *forecast, current bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := glanceAt(state, now)
	if f.made != nil && (f.made.of == g || !f.made.done()) {
		return f.made, f.made.of == g
	}
	f.made = &forecast{of: g, ready: make(chan struct{})}
	go f.made.make(state, policy, now)
	return f.made, true
}

// make works the forecast out. A panic is an error here as it is in a handler.
func (f *forecast) make(state *memory.State, policy memory.Policy, now time.Time) {
	defer close(f.ready)
	defer func() {
		if cause := recover(); cause != nil {
			f.err = fmt.Errorf("%w: %v", errPanic, cause)
		}
	}()
	f.foreseen, f.err = memory.Forecast(state, policy, now, templates.ForecastDays)
}

func (f *forecast) done() bool {
	select {
	case <-f.ready:
		return true
	default:
		return false
	}
}

// outlook is what the desk says of the days to come. A record that is not whole is not
// distilled, so nothing is foretold from it.
func (s *server) outlook(v *visit) templates.Outlook {
	if len(v.state.Faults()) > 0 {
		return templates.Outlook{Unknown: true}
	}
	made, current := v.forecasts.of(v.state, s.cfg.Policy, s.cfg.Now())
	if current {
		select {
		case <-made.ready:
		case <-time.After(outlookPatience):
		}
	}
	if !current || !made.done() {
		return templates.Outlook{Late: true}
	}
	if made.err != nil {
		s.log.Warn("no forecast", "workspace", v.id, "error", made.err)
		return templates.Outlook{Unknown: true}
	}
	return templates.Outlook{Foreseen: made.foreseen}
}

// forecast shows what the rules will do.
func (s *server) forecast(v *visit) error {
	if faults := v.state.Faults(); len(faults) > 0 {
		return ofEngine(faults[0])
	}
	made, current := v.forecasts.of(v.state, s.cfg.Policy, s.cfg.Now())
	for {
		select {
		case <-made.ready:
		case <-v.Request().Context().Done():
			return v.Request().Context().Err()
		}
		if current {
			break
		}
		made, current = v.forecasts.of(v.state, s.cfg.Policy, s.cfg.Now())
	}
	if made.err != nil {
		return ofEngine(made.err)
	}
	page := s.page(v, templates.ForecastTitle, templates.NavDesk)
	return respond(v, http.StatusOK, page, templates.Forecast(page, templates.Outlook{Foreseen: made.foreseen}))
}
