package memory

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Options are what an Engine cannot know by itself. The zero value is ready to use.
type Options struct {
	Now   func() time.Time // nil for time.Now
	NewID func() string    // of a fact; nil for 32 random hex digits
}

// An Engine is the one way into a store: every command, page and tool calls its
// methods. It may be used by many goroutines at once, and beside other processes.
type Engine struct {
	store Store
	now   func() time.Time
	newID func() string

	mu     sync.Mutex // guards all below, and is held while files are written
	follow *follower
	facts  bool   // the daily logs are followed
	state  *State // what follow last gave
}

// Open returns an engine over the store. It reads nothing yet.
func Open(store Store, options Options) *Engine {
	e := &Engine{store: store, now: options.Now, newID: options.NewID, follow: newFollower(store)}
	if e.now == nil {
		e.now = time.Now
	}
	if e.newID == nil {
		e.newID = randomID
	}
	return e
}

func randomID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// WorkspaceID returns the id that every record of the store carries.
func (e *Engine) WorkspaceID() string { return e.store.WorkspaceID() }

// Store returns the store, for one who keeps watch on it.
func (e *Engine) Store() Store { return e.store }

// Sealed reports whether a sync failed, after which every write answers ErrSealed until
// the store is opened again. A store that cannot tell counts as not sealed.
func (e *Engine) Sealed() bool {
	sealer, ok := e.store.(Sealer)
	return ok && sealer.Sealed()
}

// State returns what the files say now, whole. It takes no lease and writes nothing.
// What cannot be read is named in the State's Faults, each file by itself; an error that
// is of no file is a fault of every part.
func (e *Engine) State(ctx context.Context) *State {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.look(true)
	if err != nil {
		return s.with(func(s *State) {
			fault := wholeFault(err)
			s.faults = map[Part][]*Fault{}
			for _, part := range parts() {
				s.faults[part] = []*Fault{fault}
			}
		})
	}
	return s
}

// look reads on in the files and returns the state, also beside an error. The caller
// holds mu.
func (e *Engine) look(facts bool) (*State, error) {
	e.facts = e.facts || facts
	err := e.follow.follow(e.facts)
	e.state = e.follow.state()
	return e.state, err
}

// refresh is look for writers: a file that cannot be read at all stops them. Of the daily
// logs only those do that they rest on, as with any fault of a part.
func (e *Engine) refresh(facts bool) (*State, error) {
	s, err := e.look(facts)
	if fault := e.follow.refused(); err == nil && fault != nil {
		err = fault
	}
	return s, err
}

// Load returns what the files say, for one who goes on only if the named parts can be
// read whole: first, as every writer, it finishes a pending adjudication and rebuilds a
// MEMORY.md that differs. The daily logs are read only for PartFacts. Errors: *Fault,
// *BusyError, and those of the disk.
func (e *Engine) Load(ctx context.Context, parts ...Part) (*State, error) {
	var loaded *State
	err := e.locked(ctx, false, func() (err error) {
		loaded, err = e.load(parts...)
		return err
	})
	return loaded, err
}

// Recover finishes a pending adjudication and rebuilds a MEMORY.md that differs.
func (e *Engine) Recover(ctx context.Context) error {
	_, err := e.Load(ctx)
	return err
}

// locked runs f under the lease and mu.
func (e *Engine) locked(ctx context.Context, create bool, f func() error) error {
	release, err := e.store.Lease(ctx, create)
	if err != nil {
		return err
	}
	defer release() // the descriptor is closed whatever it says: the lease is gone
	e.mu.Lock()
	defer e.mu.Unlock()
	return f()
}

// load is Load under the lease and mu.
func (e *Engine) load(parts ...Part) (*State, error) {
	if err := e.recover(); err != nil {
		return nil, err
	}
	s, err := e.refresh(slices.Contains(parts, PartFacts))
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if fault := s.Readable(part); fault != nil {
			return nil, fault
		}
	}
	return s, nil
}

// A Run asks for one distillation.
type Run struct {
	AsOf   time.Time // zero for now
	Policy Policy
	Key    string // the one memory key to distill, "" for all
	DryRun bool   // say what would be done, and do nothing
}

// A Result says what a distillation did, or would do.
type Result struct {
	Report  Report
	Entries []Entry // made or changed, in document order
	Cases   []Case  // opened or closed, in document order
}

// Distill runs the policy over the facts and writes what it decides: conflicts.json
// first, then curated.json, then MEMORY.md, each only if its records changed. A run that
// dies is made whole by the next. Errors: *InvalidError, *Fault, *BusyError, and those
// of the disk.
func (e *Engine) Distill(ctx context.Context, run Run) (Result, error) {
	if run.AsOf.IsZero() {
		run.AsOf = e.now()
	}
	if err := run.Policy.Validate(); err != nil {
		return Result{}, err
	}
	var result Result
	err := e.locked(ctx, false, func() error {
		before, err := e.load(PartJournal, PartFacts, PartCurated, PartConflicts)
		if err != nil {
			return err
		}
		plan, report, err := Distill(before, run.Policy, run.AsOf, run.Key)
		if err != nil {
			return err
		}
		result.Report = report
		result.Entries, result.Cases = plan.changes(before)
		if run.DryRun {
			return nil
		}
		return e.write(result, plan)
	})
	if err != nil {
		return Result{}, err
	}
	return result, nil
}

// changes returns what the plan makes or changes.
func (p Plan) changes(before *State) ([]Entry, []Case) {
	return changed(p.Entries, before.Entry, Entry.equal, func(e Entry) string { return e.Key }),
		changed(p.Cases, before.Case, Case.equal, func(c Case) string { return c.ID })
}

// changed returns the values that before does not hold as they are.
func changed[V any](after []V, before func(name string) (V, bool), equal func(a, b V) bool, name func(V) string) []V {
	fresh := []V{}
	for _, v := range after {
		if old, ok := before(name(v)); !ok || !equal(old, v) {
			fresh = append(fresh, v)
		}
	}
	return fresh
}

// write carries out the plan of a distillation.
func (e *Engine) write(result Result, plan Plan) error {
	if err := checkPlan(plan, result.Entries, result.Cases); err != nil {
		return err
	}
	if err := e.secure(e.restsOn(result)); err != nil {
		return err
	}
	documents, err := encodePlan(plan, e.WorkspaceID())
	if err != nil {
		return err
	}
	if len(result.Cases) > 0 {
		if err := e.store.Replace(ConflictsDocument, documents.conflicts); err != nil {
			return err
		}
	}
	if len(result.Entries) > 0 {
		// A crash before this line leaves cases of a memory that is not written yet; they
		// answer stale until the run is repeated.
		if err := e.store.Replace(CuratedDocument, documents.curated); err != nil {
			return err
		}
		if err := e.store.Replace(Projection, documents.memory); err != nil {
			return err
		}
	}
	_, err = e.refresh(true)
	return err
}

// restsOn returns the daily logs that hold the evidence of what a run changes.
func (e *Engine) restsOn(result Result) map[Name]bool {
	logs := map[Name]bool{}
	add := func(ids []string) {
		for _, id := range ids {
			if f, ok := e.state.Fact(id); ok {
				logs[Name(f.File)] = true
			}
		}
	}
	for _, entry := range result.Entries {
		add(entry.EvidenceIDs)
	}
	for _, c := range result.Cases {
		add(c.ObservedFactIDs)
	}
	return logs
}

// documents are the bytes of the three files that a plan decides.
type documents struct{ conflicts, curated, memory []byte }

func encodePlan(plan Plan, workspaceID string) (d documents, err error) {
	if d.conflicts, err = encodeConflicts(plan.Cases, workspaceID); err != nil {
		return d, err
	}
	if d.curated, err = encodeCurated(plan.Entries, workspaceID); err != nil {
		return d, err
	}
	d.memory = []byte(RenderMemory(plan.Entries))
	return d, nil
}

// checkPlan holds a plan against the reader's own refusals: nothing is written that
// could not be read again. What did not change was read.
func checkPlan(plan Plan, entries []Entry, cases []Case) error {
	for _, e := range entries {
		if again, err := e.record().entry(curatedSchema); err != nil || !again.equal(e) {
			return fmt.Errorf("an entry that could not be read again: %q: %w", e.Key, err)
		}
	}
	for _, c := range cases {
		if again, err := c.record().toCase(c.WorkspaceID); err != nil || !again.equal(c) {
			return fmt.Errorf("a case that could not be read again: %q: %w", c.ID, err)
		}
	}
	if _, err := checkEntries(sortedEntries(plan.Entries)); err != nil {
		return fmt.Errorf("entries that could not be read again: %w", err)
	}
	if _, err := checkCases(plan.Cases); err != nil {
		return fmt.Errorf("cases that could not be read again: %w", err)
	}
	return nil
}

// Context returns what an agent is given to read: MEMORY.md and the last unkeyed
// facts, as many as recent says, within budget code points; 0 is none of them, and no
// bound. Recent facts are read from the newest day backwards. It takes no lease and
// writes nothing. Errors: *Fault and those of the disk.
func (e *Engine) Context(ctx context.Context, recent, budget int) (Context, error) {
	if recent < 0 {
		return Context{}, &InvalidError{"recent", "must be 0 or more"}
	}
	if budget < 0 {
		return Context{}, &InvalidError{"budget", "must be 0 or more"}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.look(false)
	if err != nil {
		return Context{}, err
	}
	for _, part := range []Part{PartJournal, PartCurated, PartProjection} {
		if fault := s.Readable(part); fault != nil {
			return Context{}, fault
		}
	}
	facts, err := e.recent(recent)
	if err != nil {
		return Context{}, err
	}
	return BuildContext(s.memory, s.hasCurated, s.entries, facts, budget), nil
}

// recent returns the last n unkeyed facts, oldest first.
func (e *Engine) recent(n int) ([]Fact, error) {
	var facts []Fact
	days, err := e.store.Days()
	if err != nil || n == 0 {
		return nil, err
	}
	names := make([]Name, 0, len(days))
	for name := range days {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		day, err := e.readWholeDay(name)
		if err != nil {
			return nil, err
		}
		day.facts = slices.DeleteFunc(day.facts, func(f Fact) bool { return f.MemoryKey != "" })
		facts = append(day.facts, facts...)
		if len(facts) >= n {
			return facts[len(facts)-n:], nil
		}
	}
	return facts, nil
}
