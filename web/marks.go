package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"docket/memory"
	"docket/templates"
)

// The fields of the forms by which a reader marks cases and chooses settings.
const (
	fieldCase   = "case" // once for each selected row
	fieldAct    = "act"
	fieldReason = "reason"
	fieldKeys   = "keys"
	fieldBack   = "back"
)

// A markResult is what came of one marking, kept for the page that tells of it.
type markResult struct {
	id   string
	act  templates.MarkAct
	rows []templates.Marked
	next string // the conflict id of the row that follows on the desk, "" for none
	lost string // the reason as typed, where it went nowhere
}

// told keeps the latest result of a reader, and returns its id.
func (r *readers) told(workspace, actor string, result markResult) string {
	result.id = randomText(9)
	r.lastMu.Lock()
	defer r.lastMu.Unlock()
	r.last[[2]string{workspace, actor}] = result
	return result.id
}

// latest returns the latest result of a reader, if it has that id.
func (r *readers) latest(workspace, actor, id string) (markResult, bool) {
	r.lastMu.Lock()
	defer r.lastMu.Unlock()
	result := r.last[[2]string{workspace, actor}]
	return result, id != "" && result.id == id
}

// resultOf is what came of an act. A reason goes back to the reader where not every row
// took it.
func resultOf(v *visit, act templates.MarkAct, rows []templates.Marked) markResult {
	result := markResult{act: act, rows: rows}
	if act == templates.ActAside && (len(rows) == 0 || slices.ContainsFunc(rows, func(m templates.Marked) bool { return m.Came != templates.MarkedDone })) {
		result.lost = v.Request().PostForm.Get(fieldReason)
	}
	return result
}

// mark marks the case of the address for the reader, and leads on: to the next of the
// list after what puts it off, else to the case.
func (s *server) mark(act templates.MarkAct) func(*visit) error {
	return func(v *visit) error {
		c, ok := v.state.Case(param(v, "id"))
		if !ok {
			return missing(v, memory.PartConflicts)
		}
		next := s.inReadersList(v, c)
		if act == templates.ActSeen || act == templates.ActAside {
			next = s.onward(v, c.ID)
		}
		rows, err := s.markAll(v, act, []string{c.ID})
		if err != nil {
			return s.notMarked(v, err, func(v *visit) (templates.Page, body) {
				return s.casePage(v, c, attempt{form: newForm()})
			})
		}
		if rows[0].Came != templates.MarkedDone {
			next = s.inReadersList(v, newest(v.state, c))
		}
		return seeOther(v, withQuery(next, queryMarked, s.readers.told(v.id, v.actor, resultOf(v, act, rows))))
	}
}

// markSelected marks the rows of the desk that are selected, and no decision.
func (s *server) markSelected(v *visit) error {
	act := templates.MarkAct(v.Request().PostForm.Get(fieldAct))
	if !slices.Contains([]templates.MarkAct{templates.ActSeen, templates.ActAside, templates.ActBack}, act) {
		return refuse(http.StatusBadRequest, "act")
	}
	ids := v.Request().PostForm[fieldCase]
	next := s.rowAfter(v, ids) // as the list is before they move in it
	rows, err := s.markAll(v, act, ids)
	if err != nil {
		return s.notMarked(v, err, s.deskPage)
	}
	result := resultOf(v, act, rows)
	result.next = next
	desk := templates.DeskListURL(v.id, filterOf(v).Query())
	return seeOther(v, withQuery(desk, queryMarked, s.readers.told(v.id, v.actor, result)))
}

// rowAfter is the conflict id of the row below the last of some rows of the reader's
// list: that one's own at the end of the list, "" where none is in it.
func (s *server) rowAfter(v *visit, ids []string) (next string) {
	below := false
	for _, row := range inList(v.state, s.openRows(v), filterOf(v), s.cfg.Now()) {
		if selected := slices.Contains(ids, row.ID); selected || below {
			next, below = row.ID, selected
		}
	}
	return next
}

// markAll does one act to each case that is open and still the one that the reader saw,
// and tells of each of them. Where the cases cannot be read it is not known what an id
// without one names, so nothing is marked.
func (s *server) markAll(v *visit, act templates.MarkAct, ids []string) ([]templates.Marked, error) {
	var rows []templates.Marked
	for _, id := range ids {
		if slices.ContainsFunc(rows, func(m templates.Marked) bool { return m.Case.ID == id }) {
			continue
		}
		c, ok := v.state.Case(id)
		if fault := v.state.Readable(memory.PartConflicts); !ok && fault != nil {
			return nil, ofEngine(fault)
		}
		if !ok {
			rows = append(rows, templates.Marked{Case: memory.Case{ID: id}, Came: templates.MarkedUnknown})
			continue
		}
		rows = append(rows, outcomeFor(v.state, c))
	}
	if !slices.ContainsFunc(rows, func(m templates.Marked) bool { return m.Came == templates.MarkedDone }) {
		return rows, nil
	}
	now, reason := s.cfg.Now(), shortReason(v.Request().PostForm.Get(fieldReason))
	return rows, s.readers.change(v.id, v.actor, func(r *reader) {
		for _, row := range rows {
			if row.Came == templates.MarkedDone {
				r.set(row.Case, act, reason, now)
			}
		}
	})
}

// outcomeFor tells whether a case can be marked. Its id stands for its evidence: one that
// changed has another id.
func outcomeFor(state *memory.State, c memory.Case) templates.Marked {
	if c.Status == memory.StatusOpen {
		return templates.Marked{Case: c, Came: templates.MarkedDone}
	}
	if last := newest(state, c); c.Status == memory.StatusSuperseded && last.Status == memory.StatusOpen {
		return templates.Marked{Case: c, Came: templates.MarkedMoved, Later: last.ID}
	}
	return templates.Marked{Case: c, Came: templates.MarkedClosed}
}

// shortReason is a reason as it is kept: on one line, and no longer than one of a
// decision.
func shortReason(words string) string {
	words = memory.Collapse(strings.ToValidUTF8(words, string(utf8.RuneError)))
	if runes := []rune(words); len(runes) > wordsLimit {
		return string(runes[:wordsLimit])
	}
	return words
}

// inReadersList is the address of a case in the list that the reader is going through.
func (s *server) inReadersList(v *visit, c memory.Case) string {
	return templates.CaseInListURL(v.id, c.ID, filterOf(v).Query())
}

// notMarked shows again the page on which the reader wanted to mark something.
func (s *server) notMarked(v *visit, err error, show func(*visit) (templates.Page, body)) error {
	if !errors.Is(err, errReaders) {
		return err
	}
	s.log.Error("not marked", "id", requestID(v), "workspace", v.id, "error", err)
	page, content := show(v)
	page.Notice = &templates.Notice{Is: templates.NoticeMarksFault, MarksFault: *s.faultOfMarks(err), Words: v.Request().PostForm.Get(fieldReason)}
	return respond(v, http.StatusServiceUnavailable, page, content(page))
}

// settings keeps what the reader chose for themselves.
func (s *server) settings(v *visit) error {
	form := v.Request().PostForm
	keys := form.Get(fieldKeys)
	if keys != settingOff && keys != settingOn {
		return refuse(http.StatusBadRequest, "keys")
	}
	err := s.readers.change(v.id, v.actor, func(r *reader) { r.keysOff = keys == settingOff })
	if err != nil {
		return s.notMarked(v, err, s.deskPage)
	}
	back := local(form.Get(fieldBack))
	if back == "" {
		back = templates.DeskURL(v.id)
	}
	return seeOther(v, back)
}
