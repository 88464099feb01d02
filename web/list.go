package web

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"docket/memory"
	"docket/templates"
)

// The fields of the desk's filter, in the address of the desk.
const (
	filterText   = "text"
	filterKey    = "key"
	filterKind   = "kind"
	filterSource = "source"
	filterAge    = "age"
	filterSort   = "sort"
	filterPage   = "page"
	// fieldList carries the filter through the pages and forms of the cases that it lists.
	fieldList = "list"
)

// A deskRow is an open case and how the reader stands to it.
type deskRow struct {
	memory.Case
	waits  time.Time // since when its question has been open
	group  templates.GroupKind
	last   mark   // the latest that is known of what they saw of the question, zero for nothing
	reason string // GroupAside: why they set it aside
}

// openRows returns every case that waits, in no order.
func (s *server) openRows(v *visit) []deskRow {
	var rows []deskRow
	for _, c := range v.state.OpenCases() {
		rows = append(rows, s.rowOf(v, c))
	}
	return rows
}

// rowOf tells how the reader stands to a case. A decision of theirs on an earlier case of
// the key is a look at it too: the record knows it, so no mark is kept.
func (s *server) rowOf(v *visit, c memory.Case) deskRow {
	read, err := s.readerOf(v)
	if err != nil {
		return deskRow{Case: c, waits: v.state.Since(c), group: templates.GroupWaiting}
	}
	m := read.marks[c.MemoryKey]
	row := deskRow{Case: c, waits: v.state.Since(c), group: templates.GroupNew}
	for _, look := range []mark{m.Seen, m.Aside, ownDecision(v.state, c, v.actor)} {
		if look.Revision > row.last.Revision {
			row.last = look
		}
	}
	switch {
	case m.Aside.of(c):
		row.group, row.last, row.reason = templates.GroupAside, m.Aside, m.Reason
	case m.Seen.of(c):
		row.group, row.last = templates.GroupSeen, m.Seen
	case row.last.Revision > 0 && row.last.Revision < c.Revision:
		row.group = templates.GroupChanged
	}
	return row
}

// ownDecision is the latest case before c on its key that the actor decided, as a mark.
func ownDecision(state *memory.State, c memory.Case, actor string) (decided mark) {
	for _, other := range state.CasesOf(c.MemoryKey) {
		if other.Status == memory.StatusResolved && other.ResolutionActor == actor && other.Revision < c.Revision {
			decided = markOf(other, other.ResolvedAt)
		}
	}
	return decided
}

// filterOf reads the filter of the list that a request is about: that of the desk's own
// address, or the one that a case or a form carries.
func filterOf(c echo.Context) templates.DeskFilter {
	list := c.Request().PostForm.Get(fieldList)
	if list == "" {
		list = c.QueryParam(fieldList)
	}
	values, err := url.ParseQuery(list)
	if err != nil {
		values = nil
	}
	if c.Path() == deskRoute {
		values = c.QueryParams()
	}
	page, _ := strconv.Atoi(values.Get(filterPage)) // anything else is the first
	return templates.DeskFilter{
		Text: values.Get(filterText), Key: values.Get(filterKey), Kind: values.Get(filterKind),
		Source: values.Get(filterSource), Age: values.Get(filterAge), Sort: values.Get(filterSort), Page: page,
	}
}

// tidied leads from the address that a filter's form makes to the same one without its
// empty fields: that is what a reader shares and finds in their history.
func tidied(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		query := c.QueryParams()
		sent := len(query)
		maps.DeleteFunc(query, func(_ string, values []string) bool { return strings.Join(values, "") == "" })
		if len(query) == sent {
			return next(c)
		}
		address := c.Request().URL.EscapedPath()
		if len(query) > 0 {
			address += "?" + query.Encode()
		}
		return seeOther(c, address)
	}
}

// inList returns the rows that pass a filter, in the order of the desk.
func inList(state *memory.State, rows []deskRow, f templates.DeskFilter, now time.Time) []deskRow {
	passes := passing(state, f, now)
	var listed []deskRow
	for _, row := range rows {
		if passes(row) {
			listed = append(listed, row)
		}
	}
	slices.SortFunc(listed, func(a, b deskRow) int { return compareRows(a, b, f.Sort) })
	return listed
}

// compareRows orders rows as the desk lists them: by group, and within it by how long
// they wait.
func compareRows(a, b deskRow, sort string) int {
	if order := cmp.Compare(a.group, b.group); order != 0 {
		return order
	}
	if sort == templates.SortNewest {
		a, b = b, a
	}
	return cmp.Or(a.waits.Compare(b.waits), cmp.Compare(a.MemoryKey, b.MemoryKey), cmp.Compare(a.Revision, b.Revision))
}

// passing makes the test that a filter asks for. What no case can have passes none.
func passing(state *memory.State, f templates.DeskFilter, now time.Time) func(deskRow) bool {
	words := memory.NormalForm(f.Text)
	prefix := strings.ToLower(strings.TrimSpace(f.Key))
	var waited time.Duration
	if f.Age != "" {
		days, err := strconv.Atoi(f.Age)
		if err != nil || days < 0 || days > 36500 {
			return func(deskRow) bool { return false }
		}
		waited = time.Duration(days) * 24 * time.Hour
	}
	return func(row deskRow) bool {
		return strings.HasPrefix(row.MemoryKey, prefix) && now.Sub(row.waits) >= waited &&
			(f.Kind == "" || slices.ContainsFunc(row.Candidates, func(d memory.Candidate) bool { return string(d.Kind) == f.Kind })) &&
			(words == "" || says(row.Case, words)) && (f.Source == "" || saidBy(state, row.Case, f.Source))
	}
}

// says reports whether the key or a value of a case holds words in their normal form.
func says(c memory.Case, words string) bool {
	return strings.Contains(c.MemoryKey, words) || slices.ContainsFunc(c.Candidates, func(d memory.Candidate) bool {
		return strings.Contains(memory.NormalForm(d.Content), words)
	})
}

func saidBy(state *memory.State, c memory.Case, source string) bool {
	for fact := range evidenceOf(state, c) {
		if fact.Source == source {
			return true
		}
	}
	return false
}

// evidenceOf yields the facts behind the values of a case, as far as they can be read.
func evidenceOf(state *memory.State, c memory.Case) iter.Seq[memory.Fact] {
	return func(yield func(memory.Fact) bool) {
		for _, candidate := range c.Candidates {
			for _, id := range candidate.EvidenceIDs {
				if fact, ok := state.Fact(id); ok && !yield(fact) {
					return
				}
			}
		}
	}
}

// nextAfter returns the case that follows another in a list of the desk, as the reader
// had it before them when they began what they do now. Cases set aside follow none but
// one of their own. The other case may be closed by now.
func (s *server) nextAfter(v *visit, conflictID string, f templates.DeskFilter) (next memory.Case, ok bool) {
	c, found := v.state.Case(conflictID)
	if !found {
		return memory.Case{}, false
	}
	from := s.rowOf(v, c)
	for _, row := range inList(v.state, s.openRows(v), f, s.cfg.Now()) {
		putOff := row.group == templates.GroupAside && from.group != templates.GroupAside
		if row.ID != c.ID && !putOff && compareRows(row, from, f.Sort) > 0 {
			return row.Case, true
		}
	}
	return memory.Case{}, false
}

// onward is the address of the case that follows another in the reader's list, or of the
// list after the last.
func (s *server) onward(v *visit, conflictID string) string {
	filter := filterOf(v)
	if next, ok := s.nextAfter(v, conflictID, filter); ok {
		return templates.CaseInListURL(v.id, next.ID, filter.Query())
	}
	return templates.DeskListURL(v.id, filter.Query())
}

// place returns where a case stands in the reader's list, from 1, and how long the list
// is; 0 where it is not in it.
func (s *server) place(v *visit, c memory.Case) (position, of int) {
	listed := inList(v.state, s.openRows(v), filterOf(v), s.cfg.Now())
	return 1 + slices.IndexFunc(listed, func(row deskRow) bool { return row.ID == c.ID }), len(listed)
}
