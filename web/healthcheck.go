package web

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"docket/memory"
	"docket/templates"
)

// healthFolder is the folder under the state folder that holds the last check of each
// workspace.
const healthFolder = "health"

// keptFindings is how many findings of a check are kept; of the others their number is.
const keptFindings = 500

// checked is a check that is over, as its file keeps it.
type checked struct {
	At       time.Time        `json:"at"`
	Took     time.Duration    `json:"took_ns"`
	Failed   bool             `json:"failed,omitempty"`
	Findings []memory.Finding `json:"findings,omitempty"`
	Faults   int              `json:"faults"`
	Notes    int              `json:"notes"`

	Facts         int `json:"facts"`
	Entries       int `json:"entries"`
	Cases         int `json:"cases"`
	Adjudications int `json:"adjudications"`
	Transactions  int `json:"transactions"`
}

// take takes in what was found. Where not all can be kept, faults go before notes.
func (c *checked) take(x memory.Examination) {
	c.Faults = x.Faults()
	c.Notes = len(x.Findings) - c.Faults
	if c.Findings = x.Findings; len(c.Findings) > keptFindings {
		c.Findings = slices.DeleteFunc(slices.Clone(c.Findings), func(f memory.Finding) bool { return f.Severity == memory.SeverityNote })
	}
	c.Findings = c.Findings[:min(len(c.Findings), keptFindings)]
	c.Facts, c.Entries, c.Cases = x.Facts, x.Entries, x.Cases
	c.Adjudications, c.Transactions = x.Adjudications, x.Transactions
}

func (c checked) view() *templates.HealthCheck {
	return &templates.HealthCheck{
		At: c.At, Took: c.Took, Failed: c.Failed, Findings: c.Findings, Faults: c.Faults, Notes: c.Notes,
		Facts: c.Facts, Entries: c.Entries, Cases: c.Cases, Adjudications: c.Adjudications, Transactions: c.Transactions,
	}
}

// A healthCheck checks the files of one workspace, one time at once, and remembers the
// last. It is Docket's own state: losing it loses nothing but the memory that there was
// a check.
type healthCheck struct {
	path string
	work sync.WaitGroup // the check that is at work

	mu      sync.Mutex // guards all below
	last    *checked   // nil for never
	running *running   // nil for nothing at work
	ended   bool       // the server ends: nothing begins any more
}

// running is a check at work.
type running struct {
	since time.Time
	stop  context.CancelFunc
	at    memory.Progress
}

// newHealthCheck returns the check of a workspace, with what is kept of it under dir.
// What cannot be read counts as never.
func newHealthCheck(dir, workspace string) *healthCheck {
	h := &healthCheck{path: filepath.Join(dir, workspace+".json")}
	data, err := os.ReadFile(h.path)
	if err != nil {
		return h
	}
	var last checked
	if json.Unmarshal(data, &last) == nil && !last.At.IsZero() {
		h.last = &last
	}
	return h
}

// begin runs a check in the background, unless one is at work. check says whether what
// it returns is to be shown as the last.
func (h *healthCheck) begin(now time.Time, check func(context.Context, func(memory.Progress)) (checked, bool)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.running != nil || h.ended {
		return
	}
	ctx, stop := context.WithCancel(context.Background()) // ended by end, not with the request
	h.running = &running{since: now, stop: stop}
	h.work.Go(func() {
		defer stop()
		done, ok := check(ctx, h.tell)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.running = nil; ok {
			h.last = &done
		}
	})
}

// tell takes down how far the check is.
func (h *healthCheck) tell(at memory.Progress) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running.at = at
}

// end ends a check at work and waits for it; none begins any more.
func (h *healthCheck) end() {
	h.mu.Lock()
	if h.ended = true; h.running != nil {
		h.running.stop()
	}
	h.mu.Unlock()
	h.work.Wait()
}

// view is how things stand.
func (h *healthCheck) view() templates.HealthView {
	h.mu.Lock()
	defer h.mu.Unlock()
	var view templates.HealthView
	if h.last != nil {
		view.Last = h.last.view()
	}
	if r := h.running; r != nil {
		view.Running = &templates.HealthProgress{Since: r.since, File: r.at.File}
		if r.at.Total > 0 {
			view.Running.Percent = int(100 * r.at.Done / r.at.Total)
		}
	}
	return view
}

// keep writes the file anew: a reader finds the old one or the new one.
func (h *healthCheck) keep(done checked) error {
	data, err := json.Marshal(done)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(h.path), ".health-*.tmp") // of mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), h.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
