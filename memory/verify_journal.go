package memory

import (
	"bytes"
	"slices"
)

// whyJournal is what it means that the journal and the audit differ.
const whyJournal = "What was decided was recorded twice, and the records differ: one of the files was edited, cut or restored alone. Restore both from one copy; the journal's line holds the decision as it was made."

// A recorded decision is one that the journal holds.
type recorded struct {
	adjudication Adjudication
	line         int // of the prepared line
	committed    bool
}

// journal goes through the journal line by line, decodes every intent, and holds what
// was committed against the audit.
func (v *verifier) journal() error {
	if v.outside || v.follow.unread[JournalLog] != nil {
		return nil
	}
	decisions, whole, err := v.decided()
	if err != nil {
		return err
	}
	if v.transactions = Uncounted; whole {
		v.transactions = len(decisions)
	}
	if !whole || !v.readable(PartJournal, PartAudit) {
		return nil
	}
	known := map[string]bool{}
	for _, d := range decisions {
		known[d.adjudication.EventID] = true
		v.committed(d)
	}
	for _, a := range v.state.Adjudications() {
		if known[a.EventID] {
			continue
		}
		if v.follow.journalTail.stamp == (Stamp{}) {
			v.note(JournalLog, 0, "Decisions can be made all the same; those of the audit cannot be held against what was recorded before them. Restore it from a copy if there is one.",
				"it is gone, and the audit holds decisions")
			return nil
		}
		v.fault(AuditLog, a.Line, whyJournal, "event %q is in no transaction of the journal", a.EventID)
	}
	return nil
}

// decided returns the decisions that the journal holds; whole is not set where a line
// is a fault, behind which none can be told.
func (v *verifier) decided() (decisions []recorded, whole bool, err error) {
	data, _, err := v.follow.store.Read(JournalLog, 0)
	if err != nil {
		return nil, false, v.overtaken(err)
	}
	data = data[:min(v.follow.journalTail.end, int64(len(data)))] // what was read before
	j := journal{workspaceID: v.state.workspaceID, done: map[string]bool{}, thorough: true}
	n, read := 0, int64(0)
	for line := range bytes.Lines(data) {
		n, read = n+1, read+int64(len(line))
		if err := v.pace.at(read); err != nil {
			return nil, false, err
		}
		before := j.pending
		if err := j.next(bytes.TrimSuffix(line, []byte{'\n'}), n); err != nil {
			f := newFault(JournalLog, n, err)
			if !slices.ContainsFunc(v.findings, func(found Finding) bool { return found.File == f.File && found.Line == n }) {
				v.fault(JournalLog, n, "A decision's intent is not what its program wrote: the journal was edited. Restore it from a copy, together with the audit.", "%s", f.Reason)
			}
			return decisions, false, nil
		}
		switch {
		case before == nil && j.pending != nil:
			decisions = append(decisions, recorded{adjudication: j.pending.intent.adjudication, line: n})
		case before != nil && j.pending == nil:
			decisions[len(decisions)-1].committed = true
		}
	}
	return decisions, true, v.pace.begin("")
}

// committed holds a transaction that is over against the audit.
func (v *verifier) committed(d recorded) {
	if !d.committed {
		return // what is pending is judged as such
	}
	a, ok := v.state.Adjudication(d.adjudication.EventID)
	switch {
	case !ok:
		v.fault(JournalLog, d.line, whyJournal, "event %q is committed, and the audit does not have it", d.adjudication.EventID)
	case !a.equal(d.adjudication):
		v.fault(AuditLog, a.Line, whyJournal, "event %q is not what line %d of the journal recorded", a.EventID, d.line)
	}
}
