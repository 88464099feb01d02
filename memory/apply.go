package memory

import (
	"context"
	"fmt"
	"slices"
)

// Resolve records a human's decision of a case: an adjudication in the audit, the case
// closed and, where a challenger was chosen, the next revision in curated.json and
// MEMORY.md. It happens wholly or not at all, whatever crashes. The same arguments under
// the same event id are a retry and answered with the adjudication on record. Errors:
// *InvalidError, *NotFoundError, *StaleError, *NotOpenError, *ReusedError, *Fault,
// *BusyError, and those of the disk, upon all of which nothing was recorded, except that
// what ErrSealed left is known when the store is opened again; and *PendingError, upon
// which it is recorded and will be finished.
func (e *Engine) Resolve(ctx context.Context, r Resolution) (Adjudication, error) {
	if r.ResolvedAt.IsZero() {
		r.ResolvedAt = e.now()
	}
	r, err := r.clean()
	if err != nil {
		return Adjudication{}, err
	}
	var made Adjudication
	err = e.locked(ctx, false, func() error {
		before, err := e.load(PartJournal, PartAudit, PartConflicts, PartCurated, PartFacts)
		if err != nil {
			return e.still(r, err)
		}
		plan, err := Resolve(before, r)
		if err != nil {
			return err
		}
		made = plan.Adjudication
		if _, known := before.Adjudication(made.EventID); known {
			// That it can be read is no proof that it is on the disk.
			return e.store.Append(AuditLog, e.follow.audit.end, nil)
		}
		return e.commit(before, plan)
	})
	if err != nil {
		return Adjudication{}, err
	}
	return made, nil
}

// commit writes the plan of a resolution through the journal.
func (e *Engine) commit(before *State, plan Plan) error {
	entries, cases := plan.changes(before)
	if err := checkPlan(plan, entries, cases); err != nil {
		return err
	}
	t, err := newTransaction(&intent{
		transactionID:   transactionID(e.WorkspaceID(), plan.Adjudication.EventID),
		preparedAt:      plan.Adjudication.ResolvedAt,
		curatedBefore:   before.entries,
		curatedAfter:    plan.Entries,
		conflictsBefore: before.cases,
		conflictsAfter:  plan.Cases,
		adjudication:    plan.Adjudication,
	})
	if err != nil {
		return err
	}
	if e.follow.journal.done[t.id] {
		return &Fault{Code: CodeCorrupt, File: string(JournalLog), Reason: fmt.Sprintf(
			"holds event %s as committed, and the audit does not have it", plan.Adjudication.EventID)}
	}
	data, err := t.lineFor(prepared, e.now())
	if err != nil {
		return err
	}
	// Commit point: before it nothing happened; a crash after it is finished by whoever
	// writes next.
	if err := e.store.Append(JournalLog, e.follow.journalTail.end, data); err != nil {
		return e.unsure(t, err)
	}
	if err := e.follow.begun(t, data); err != nil {
		return &PendingError{plan.Adjudication.EventID, err}
	}
	if err := e.finish(false); err != nil {
		return &PendingError{plan.Adjudication.EventID, err}
	}
	return nil
}

// unsure tells a failed commit that left nothing behind from one that may have: where
// the journal shows the intent, it will be carried out.
func (e *Engine) unsure(t *transaction, err error) error {
	if _, readErr := e.refresh(true); readErr != nil {
		return err
	}
	if p := e.follow.journal.pending; p != nil && p.id == t.id {
		return &PendingError{t.intent.adjudication.EventID, err}
	}
	return err
}

// still tells a retry of what is recorded and could again not be finished, so that it is
// not told as if nothing were recorded.
func (e *Engine) still(r Resolution, err error) error {
	if p := e.follow.journal.pending; p != nil && r.is(p.intent.adjudication) {
		return &PendingError{r.EventID, err}
	}
	return err
}

// recover is what every writer does first: it cuts torn tails off the audit and the
// journal, finishes a pending transaction, and rebuilds a MEMORY.md that differs. The
// caller holds the lease and mu.
func (e *Engine) recover() error {
	s, err := e.refresh(false)
	if err != nil {
		return err
	}
	if fault := s.Readable(PartJournal); fault != nil {
		return fault
	}
	if e.follow.journal.pending != nil {
		for _, part := range []Part{PartCurated, PartConflicts, PartAudit} {
			if fault := s.Readable(part); fault != nil {
				return fault
			}
		}
		if err := e.finish(true); err != nil {
			return err
		}
	}
	if err := e.cutTails(); err != nil {
		return err
	}
	return e.project()
}

// cutTails drops what a dead writer left half written in the audit and the journal.
func (e *Engine) cutTails() error {
	for name, t := range e.logs() {
		if !t.torn() {
			continue
		}
		if err := e.store.Append(name, t.end, nil); err != nil {
			return err
		}
	}
	_, err := e.refresh(false)
	return err
}

func (e *Engine) logs() map[Name]*tail {
	return map[Name]*tail{AuditLog: &e.follow.audit, JournalLog: &e.follow.journalTail}
}

// project rebuilds MEMORY.md where curated.json exists and says something else.
func (e *Engine) project() error {
	f := e.follow
	if f.curated.stamp == (Stamp{}) || f.curated.fault != nil {
		return nil
	}
	text := RenderMemory(f.entries)
	if f.memory.stamp != (Stamp{}) && string(f.memory.text) == text {
		return nil
	}
	if err := e.store.Replace(Projection, []byte(text)); err != nil {
		return err
	}
	_, err := e.refresh(false)
	return err
}

// finish carries out the pending transaction: all of it after the commit, what is left
// of it in recovery. Each step compares: what equals after is done, what equals before
// is to do, and anything else stops it before the first write.
func (e *Engine) finish(recovering bool) error {
	f := e.follow
	t := f.journal.pending
	todo, err := t.judge(f.entries, f.cases, f.adjudications)
	if err != nil {
		return err
	}
	if recovering {
		if err := e.renewJournal(); err != nil {
			return err
		}
		t = f.journal.pending // read anew with the journal
	}
	i := t.intent
	if todo.curated {
		data, err := encodeCurated(i.curatedAfter, e.WorkspaceID())
		if err != nil {
			return err
		}
		if err := e.store.Replace(CuratedDocument, data); err != nil {
			return err
		}
		if _, err := e.refresh(false); err != nil {
			return err
		}
	}
	// A crash before this line leaves the old projection: the next writer rebuilds it.
	if err := e.project(); err != nil {
		return err
	}
	if err := e.reach(t, curatedApplied); err != nil {
		return err
	}
	if todo.conflicts {
		data, err := encodeConflicts(i.conflictsAfter, e.WorkspaceID())
		if err != nil {
			return err
		}
		if err := e.store.Replace(ConflictsDocument, data); err != nil {
			return err
		}
	}
	if err := e.reach(t, conflictClosed); err != nil {
		return err
	}
	if err := e.audit(t, todo.audit, recovering); err != nil {
		return err
	}
	if err := e.reach(t, auditAppended); err != nil {
		return err
	}
	if err := e.reach(t, committed); err != nil {
		return err
	}
	_, err = e.refresh(false)
	return err
}

// renewJournal writes the journal anew, without a torn tail: a line that can be read
// may not be on the disk, and what follows rests on it.
func (e *Engine) renewJournal() error {
	data, _, err := e.store.Read(JournalLog, 0)
	if err != nil {
		return err
	}
	if err := e.store.Replace(JournalLog, data[:min(e.follow.journalTail.end, int64(len(data)))]); err != nil {
		return err
	}
	_, err = e.refresh(false)
	return err
}

// audit appends the adjudication. In recovery a record that is there is made durable,
// since the process that wrote it may have died before it did that.
func (e *Engine) audit(t *transaction, todo, recovering bool) error {
	if !todo && !recovering {
		return nil
	}
	var data []byte
	if todo {
		var err error
		if data, err = line(t.intent.adjudication.record()); err != nil {
			return err
		}
	}
	return e.store.Append(AuditLog, e.follow.audit.end, data)
}

// reach records that the transaction came as far as p, if the journal does not say so.
func (e *Engine) reach(t *transaction, p phase) error {
	order := phases()
	if slices.Index(order, p) <= slices.Index(order, t.phase) {
		return nil
	}
	data, err := t.lineFor(p, e.now())
	if err != nil {
		return err
	}
	if err := e.store.Append(JournalLog, e.follow.journalTail.end, data); err != nil {
		return err
	}
	_, err = e.refresh(false)
	return err
}
