package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Append records the drafts, in their order, and returns them as facts. All are
// checked before the first is written. A draft whose id is on record with the same
// contents is a retry and answered with the stored fact. When it returns nil, every fact
// survives a power cut. It goes on past a Fault in what it does not read, but not where
// the disk refuses a file: what it would do next is not known then. Errors:
// *InvalidError, *Fault, *BusyError, and those of the disk; then some of the facts may
// have been written, which a retry with the same ids finds.
func (e *Engine) Append(ctx context.Context, drafts ...Draft) ([]Fact, error) {
	facts := make([]Fact, len(drafts))
	for i, d := range drafts {
		var err error
		if facts[i], err = d.fact(e.WorkspaceID()); err != nil {
			return nil, err
		}
	}
	if len(drafts) == 0 {
		return facts, nil
	}
	err := e.locked(ctx, true, func() error {
		var fault *Fault
		if err := e.recover(); err != nil && (!errors.As(err, &fault) || fault.Code == CodeIO) {
			return err
		}
		if err := e.checkScope(); err != nil {
			return err
		}
		return e.append(drafts, facts)
	})
	if err != nil {
		return nil, err
	}
	return facts, nil
}

// checkScope refuses to write into a store whose records carry another id, as one does
// that was moved: the new facts would be foreign to it under every identity. The newest
// log tells, or, where there is none, the documents.
func (e *Engine) checkScope() error {
	days, err := e.store.Days()
	if err != nil {
		return err
	}
	var faults []*Fault
	if len(days) > 0 {
		newest := slices.Max(slices.Collect(maps.Keys(days)))
		var fault *Fault
		if _, err := e.readWholeDay(newest); errors.As(err, &fault) {
			faults = []*Fault{fault}
		} else if err != nil {
			return err
		}
	} else {
		faults = e.state.Faults()
	}
	for _, fault := range faults {
		if fault.Code == CodeScope || fault.Code == CodeIO {
			return fault
		}
	}
	return nil
}

// append completes the facts and writes those that are new.
func (e *Engine) append(drafts []Draft, facts []Fact) error {
	named := slices.ContainsFunc(drafts, func(d Draft) bool { return d.ID != "" })
	if named {
		// A given id may stand in any log, so all must be readable.
		s, err := e.look(true)
		if err != nil {
			return err
		}
		if fault := s.Readable(PartFacts); fault != nil {
			return fault
		}
	}
	now := cleanTime(e.now())
	batch := map[string]int{} // places in facts, by id
	retried := map[Name]bool{}
	var fresh []int
	for i := range facts {
		f := &facts[i]
		if drafts[i].RecordedAt.IsZero() {
			f.RecordedAt = now
		}
		if f.ID == "" {
			f.ID = e.newID()
		} else if known, ok := e.known(facts, batch, f.ID); ok {
			if !f.same(&known, drafts[i].RecordedAt.IsZero()) {
				return &InvalidError{"fact_id", fmt.Sprintf("%q is on record for another fact", clip(f.ID))}
			}
			*f = known
			if known.File != "" {
				retried[Name(known.File)] = true
			}
			continue
		}
		batch[f.ID] = i
		fresh = append(fresh, i)
	}
	if err := e.writeFacts(facts, fresh); err != nil {
		return err
	}
	return e.secure(retried)
}

// secure makes durable what stands in the daily logs: that a line can be read is no
// proof that it is on the disk, since its writer may have died before its fsync.
func (e *Engine) secure(logs map[Name]bool) error {
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		secure := func() error { return e.store.Append(name, e.follow.days[name].stamp.Size, nil) }
		if e.follow.days[name].whole {
			secure = func() error { return e.endLine(name) }
		}
		if err := secure(); err != nil {
			return err
		}
	}
	return nil
}

// endLine ends the last line of a day's log, which counts and was left without its end.
// The log is replaced: of an end appended to it, or of a record behind that, a power cut
// could leave garbage, which would take the line with it.
func (e *Engine) endLine(name Name) error {
	data, _, err := e.store.Read(name, 0)
	if err != nil {
		return err
	}
	return e.store.Replace(name, append(data, '\n'))
}

// known returns the fact of that id in the logs or in this batch.
func (e *Engine) known(facts []Fact, batch map[string]int, id string) (Fact, bool) {
	if i, ok := batch[id]; ok {
		return facts[i], true
	}
	return e.state.Fact(id)
}

// writeFacts appends the facts at the places fresh, day by day, and notes in each
// where it stands.
func (e *Engine) writeFacts(facts []Fact, fresh []int) error {
	byDay := map[Name][]int{}
	var days []Name
	for _, i := range fresh {
		name := DailyLog(facts[i].RecordedAt)
		if byDay[name] == nil {
			days = append(days, name)
		}
		byDay[name] = append(byDay[name], i)
	}
	for _, name := range days {
		if err := e.writeDay(name, facts, byDay[name]); err != nil {
			return err
		}
	}
	if e.facts {
		_, err := e.look(true)
		return err
	}
	return nil
}

func (e *Engine) writeDay(name Name, facts []Fact, places []int) error {
	day, err := e.dayTail(name)
	if err == nil && day.whole {
		if err = e.endLine(name); err == nil {
			day, err = e.dayTail(name)
		}
	}
	if err != nil {
		return err
	}
	lines := day.lines
	var data []byte
	for _, i := range places {
		b, err := line(facts[i].record())
		if err != nil {
			return err
		}
		data = append(data, b...)
		lines++
		facts[i].File, facts[i].Line = string(name), lines
	}
	return e.store.Append(name, day.end, data)
}

// dayTail returns where the log of a day ends; the log must be readable.
func (e *Engine) dayTail(name Name) (tail, error) {
	if e.facts {
		if _, err := e.look(true); err != nil {
			return tail{}, err
		}
		for _, at := range []Name{name, dailyFolder} {
			if fault := e.follow.unread[at]; fault != nil {
				return tail{}, fault
			}
		}
		for _, fault := range e.follow.dayFaults {
			if fault.File == string(name) {
				return tail{}, fault
			}
		}
		if t := e.follow.days[name]; t != nil {
			return *t, nil
		}
		return tail{}, nil
	}
	day, err := e.readWholeDay(name)
	return day.tail, err
}

// A day is one daily log, read by itself.
type day struct {
	tail
	facts []Fact // by (time, id)
}

// readWholeDay reads one daily log by itself. The first fault in it is an error.
func (e *Engine) readWholeDay(name Name) (day, error) {
	f := newFollower(e.store)
	f.days[name] = &tail{}
	again, err := f.readDay(name)
	if err != nil {
		return day{}, err
	}
	if again {
		return day{}, errRestless
	}
	if fault := f.unread[name]; fault != nil {
		return day{}, fault
	}
	if len(f.dayFaults) > 0 {
		return day{}, f.dayFaults[0]
	}
	facts := slices.Clone(f.ledger.view(f.seen))
	slices.SortFunc(facts, func(a, b Fact) int { return a.compare(&b) })
	return day{*f.days[name], facts}, nil
}
