package memory

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A shelf is a Store in memory whose files the tests edit as an editor, another
// process or a crash would.
type shelf struct {
	files  map[Name][]byte
	stamps map[Name]Stamp
	clock  int64
	broken map[Name]bool // reading it fails
}

func newShelf() *shelf {
	return &shelf{files: map[Name][]byte{}, stamps: map[Name]Stamp{}, broken: map[Name]bool{}}
}

// put writes the file, in place or as a new one of the same name.
func (s *shelf) put(name Name, text string, inPlace bool) {
	s.clock++
	id := s.stamps[name].ID
	if id == "" || !inPlace {
		id = strconv.FormatInt(s.clock, 10)
	}
	s.files[name], s.stamps[name] = []byte(text), Stamp{id, int64(len(text)), s.clock}
}

// add writes text behind the file's end.
func (s *shelf) add(name Name, text string) { s.put(name, string(s.files[name])+text, true) }

func (s *shelf) remove(name Name) {
	delete(s.files, name)
	delete(s.stamps, name)
}

// log adds lines: facts, adjudications, or text as it stands.
func (s *shelf) log(t *testing.T, name Name, values ...any) {
	t.Helper()
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			text = string(textOf(t, v)) + "\n"
		}
		s.add(name, text)
	}
}

func (s *shelf) WorkspaceID() string               { return testWorkspace }
func (s *shelf) Exists() (bool, error)             { return true, nil }
func (s *shelf) Stat(name Name) (Stamp, error)     { return s.stamps[name], nil }
func (s *shelf) Replace(name Name, b []byte) error { s.put(name, string(b), false); return nil }

func (s *shelf) Days() (map[Name]Stamp, error) {
	days := map[Name]Stamp{}
	for name, stamp := range s.stamps {
		if strings.HasPrefix(string(name), "daily/") {
			days[name] = stamp
		}
	}
	return days, nil
}

var errShelf = errors.New("the shelf is broken")

func (s *shelf) Read(name Name, offset int64) ([]byte, Stamp, error) {
	if s.broken[name] {
		return nil, Stamp{}, errShelf
	}
	data := s.files[name]
	return bytes.Clone(data[min(offset, int64(len(data))):]), s.stamps[name], nil
}

func (s *shelf) Append(name Name, keep int64, data []byte) error {
	s.put(name, string(s.files[name][:keep])+string(data), true)
	return nil
}

func (s *shelf) Lease(context.Context, bool) (func() error, error) {
	return func() error { return nil }, nil
}

// followed reads on and returns the ids of all facts, in their order, and the faults.
func followed(t *testing.T, f *follower) (ids []string, faults []string) {
	t.Helper()
	if err := f.follow(true); err != nil {
		t.Fatal(err)
	}
	s := f.state()
	for fact := range s.Facts() {
		ids = append(ids, fact.ID)
	}
	if s.Len() != len(ids) {
		t.Errorf("%d facts are seen and %d shown", s.Len(), len(ids))
	}
	for _, fault := range s.Faults() {
		faults = append(faults, fault.Error())
	}
	return ids, faults
}

const (
	day1 = Name("daily/2026-01-01.jsonl")
	day2 = Name("daily/2026-01-02.jsonl")
)

// TestTails tries what may stand in a log. "A" and "B" are replaced by two records.
func TestTails(t *testing.T) {
	for _, c := range []struct {
		name, text           string
		daily, audit         string // ids that are read, then ":" and lines that are faults
		dailyTorn, auditTorn bool
		dailyWhole           bool
	}{
		{"empty", "", ":", ":", false, false, false},
		{"two lines", "A\nB\n", "a b:", "a b:", false, false, false},
		{"whole and unended", "A\nB", "a b:", "a:", false, true, true},
		{"whole, unended and indented", "A\n \tB\r ", "a b:", "a:", false, true, true},
		{"torn", "A\n{\"fact", "a:", "a:", true, true, false},
		{"torn in a character", "A\n{\"content\": \"\xe2\x80", "a:", "a:", true, true, false},
		{"torn blank", "A\n \t", "a:", "a:", true, true, false},
		{"torn at once", "{", ":", ":", true, true, false},
		{"unended and no record", "A\n3", "a:2", "a:", false, true, true},
		{"unended of invalid UTF-8", "A\n\"\xff\"", "a:2", "a:", false, true, true},
		{"unended with a double key", "A\n{\"a\":1,\"a\":1}", "a:2", "a:", false, true, true},
		{"glued", "AB\n", ":1", ":1", false, false, false},
		{"blank lines", "\nA\n \t\r\n\r\nB\n\n", "a b:", "a b:1 3 4 6", false, false, false},
		{"blank of other white space", "A\n\u00a0\n\v\n\u2028\n", "a:2 3 4", "a:2 3 4", false, false, false},
		{"carriage returns", "A\r\nB\r\n", "a b:", "a b:", false, false, false},
		{"carriage returns alone", "A\rB\n", ":1", ":1", false, false, false},
		{"a bad line in the middle", "A\nnull\nB\n", "a b:2", "a b:2", false, false, false},
		{"a torn line in the middle", "A\n{\"fact\nB\n", "a b:2", "a b:2", false, false, false},
		{"byte order mark", "\ufeffA\nB\n", "b:1", "b:1", false, false, false},
		{"NUL bytes", "A\n\x00\x00\n", "a:2", "a:2", false, false, false},
		{"NUL bytes, unended", "A\n\x00\x00", "a:", "a:", true, true, false},
	} {
		a, b := testAdjudication(), testAdjudication()
		a.EventID, b.EventID = "a", "b"
		a.Rationale, b.Rationale = "one\u2028two\u0085three\u2029", "é"
		fill := func(a, b any) string {
			return strings.NewReplacer("A", string(textOf(t, a)), "B", string(textOf(t, b))).Replace(c.text)
		}
		s := newShelf()
		first, second := testFact("a", 1), testFact("b", 1)
		first.Content, first.Evidence = "one\u2028two\u0085three", map[string]string{"\u2028\u0085": "\u2029\v\f\x1c"}
		s.put(day1, fill(first, second), false)
		s.put(AuditLog, fill(a, b), false)
		f := newFollower(s)
		ids, _ := followed(t, f)
		var events []string
		for _, a := range f.adjudications {
			events = append(events, a.EventID)
		}
		checkLog(t, c.name+", daily", c.daily, ids, f.dayFaults)
		checkLog(t, c.name+", audit", c.audit, events, f.auditFaults)
		if day := f.days[day1]; day.torn() != c.dailyTorn || day.whole != c.dailyWhole || f.audit.torn() != c.auditTorn || f.audit.whole {
			t.Errorf("%s: the tails are %+v and %+v", c.name, day, f.audit)
		}
	}
}

func checkLog(t *testing.T, name, want string, ids []string, faults []*Fault) {
	t.Helper()
	var lines []string
	for _, fault := range faults {
		lines = append(lines, strconv.Itoa(fault.Line))
	}
	if got := strings.Join(ids, " ") + ":" + strings.Join(lines, " "); got != want {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

func TestFollowDays(t *testing.T) {
	fact := func(id string, day int) string { return string(textOf(t, testFact(id, day))) + "\n" }
	a, b, c, d := fact("a", 1), fact("b", 1), fact("c", 2), fact("d", 1)
	unended := strings.TrimSuffix(b, "\n")
	other := strings.Replace(a, "Use a.", "Use x.", 1)
	for _, test := range []struct {
		name   string
		change func(s *shelf)
		want   string // ids; before the change "a b c"
		faults []string
	}{
		{"nothing", func(*shelf) {}, "a b c", nil},
		{"grown", func(s *shelf) { s.add(day1, d) }, "a b d c", nil},
		{"grown by a torn line", func(s *shelf) { s.add(day1, d[:9]) }, "a b c", nil},
		{"grown without end", func(s *shelf) { s.add(day1, strings.TrimSuffix(d, "\n")) }, "a b d c", nil},
		{"a new day", func(s *shelf) { s.put("daily/2026-01-03.jsonl", fact("0", 3), false) }, "a b c 0", nil},
		{"a day is gone", func(s *shelf) { s.remove(day1) }, "c", nil},
		{"all are gone", func(s *shelf) { s.remove(day1); s.remove(day2) }, "", nil},
		{"shorter", func(s *shelf) { s.put(day1, a, true) }, "a c", nil},
		{"empty", func(s *shelf) { s.put(day1, "", true) }, "c", nil},
		{"edited, as long", func(s *shelf) { s.put(day1, fact("x", 1)+b, true) }, "b x c", nil},
		{"replaced, longer", func(s *shelf) { s.put(day1, fact("x", 1)+b+d, false) }, "b d x c", nil},
		{"an equal double", func(s *shelf) { s.add(day1, a) }, "a b c", nil},
		{"another under the same id", func(s *shelf) { s.add(day1, other) }, "a b c", []string{
			`daily/2026-01-01.jsonl:3: the fact_id "a" stands at daily/2026-01-01.jsonl:1 for another fact`}},
		{"a file of another name", func(s *shelf) { s.put("notes.txt", "?", false) }, "a b c", nil},
	} {
		s := newShelf()
		s.put(day1, a+unended, false)
		s.put(day2, c, false)
		f := newFollower(s)
		if ids, faults := followed(t, f); strings.Join(ids, " ") != "a b c" || len(faults) > 0 {
			t.Fatalf("read at first: %v, %v", ids, faults)
		}
		s.put(day1, a+b, true) // the unended line gets its end, as the next append does it
		followed(t, f)
		test.change(s)
		ids, faults := followed(t, f)
		if strings.Join(ids, " ") != test.want || cmp.Diff(test.faults, faults) != "" {
			t.Errorf("%s: got %v, %v; want %q, %v", test.name, ids, faults, test.want, test.faults)
		}
		anew, faultsAnew := followed(t, newFollower(s))
		if !slices.Equal(ids, anew) || !slices.Equal(faults, faultsAnew) {
			t.Errorf("%s: read on: %v, %v; read anew: %v, %v", test.name, ids, faults, anew, faultsAnew)
		}
	}
}

// TestFaultOfAnUnendedLineIsToldOnce: the line is read again when its end is there.
func TestFaultOfAnUnendedLineIsToldOnce(t *testing.T) {
	s := newShelf()
	s.put(day1, `{"kind":"decision"}`, false)
	f := newFollower(s)
	_, before := followed(t, f)
	s.add(day1, "\n")
	if _, after := followed(t, f); len(before) != 1 || !slices.Equal(before, after) {
		t.Errorf("unended: %q, then ended: %q", before, after)
	}
}

// TestWithdrawnUnendedLine: a line that never had its end may be cut off again.
func TestWithdrawnUnendedLine(t *testing.T) {
	s := newShelf()
	s.log(t, day1, testFact("a", 1), strings.TrimSuffix(string(textOf(t, testFact("b", 1))), "\n"))
	f := newFollower(s)
	followed(t, f)
	s.put(day1, string(textOf(t, testFact("a", 1)))+"\n", true)
	if ids, _ := followed(t, f); !slices.Equal(ids, []string{"a"}) {
		t.Errorf("got %q", ids)
	}
}

// TestUnendedLineThatGoesOn: a line that was whole without its end may become another.
func TestUnendedLineThatGoesOn(t *testing.T) {
	for _, rest := range []string{"?\n", "?", string(textOf(t, testFact("b", 1))) + "\n"} {
		s := newShelf()
		s.put(day1, string(textOf(t, testFact("a", 1))), false)
		f := newFollower(s)
		if ids, _ := followed(t, f); !slices.Equal(ids, []string{"a"}) {
			t.Fatalf("got %q", ids)
		}
		s.add(day1, rest)
		ids, faults := followed(t, f)
		anew, faultsAnew := followed(t, newFollower(s))
		if len(ids) > 0 || len(faults) != 1 || !slices.Equal(ids, anew) || !slices.Equal(faults, faultsAnew) {
			t.Errorf("%.9q: read on: %q, %q; read anew: %q, %q", rest, ids, faults, anew, faultsAnew)
		}
	}
}

// TestFactsSurviveAFailedRead: what was read before a disk's error is not lost.
func TestFactsSurviveAFailedRead(t *testing.T) {
	s := newShelf()
	s.log(t, day1, testFact("a", 1))
	s.log(t, day2, testFact("b", 2))
	s.broken[day2] = true
	f := newFollower(s)
	if err := f.follow(true); !errors.Is(err, errShelf) {
		t.Fatalf("got %v", err)
	}
	s.broken[day2] = false
	if ids, faults := followed(t, f); !slices.Equal(ids, []string{"a", "b"}) || len(faults) > 0 {
		t.Errorf("got %q, %q", ids, faults)
	}
}

func TestFollowAudit(t *testing.T) {
	first, second, again := testAdjudication(), testAdjudication(), testAdjudication()
	second.EventID, again.Rationale = "review:2", "another"
	s := newShelf()
	s.log(t, AuditLog, first)
	f := newFollower(s)
	followed(t, f)
	s.log(t, AuditLog, second, again, first)
	_, faults := followed(t, f)
	want := []string{
		`conflict-adjudications.jsonl:3: the event_id "review:1" stands in line 1 already`,
		`conflict-adjudications.jsonl:4: the event_id "review:1" stands in line 1 already`,
	}
	if diff := cmp.Diff(want, faults); diff != "" || len(f.adjudications) != 2 || f.adjudications[1].Line != 2 {
		t.Errorf("read %+v (-want +got):\n%s", f.adjudications, diff)
	}
	s.put(AuditLog, string(textOf(t, second))+"\n", false)
	if _, faults := followed(t, f); len(faults) > 0 || len(f.adjudications) != 1 || f.adjudications[0].EventID != "review:2" {
		t.Errorf("replaced: read %+v, %v", f.adjudications, faults)
	}
	s.remove(AuditLog)
	if _, faults := followed(t, f); len(faults) > 0 || len(f.adjudications) != 0 {
		t.Errorf("removed: read %+v, %v", f.adjudications, faults)
	}
}

// TestFaultsAreInOrder: by file and line, however late each was found.
func TestFaultsAreInOrder(t *testing.T) {
	s := newShelf()
	s.put(day2, "?\n", false)
	f := newFollower(s)
	followed(t, f)
	s.put(day1, "?\n", false)
	followed(t, f)
	s.add(day1, "?\n")
	_, faults := followed(t, f)
	var places []string
	for _, fault := range faults {
		places = append(places, fault[:len(day1)+2])
	}
	if want := []string{string(day1) + ":1", string(day1) + ":2", string(day2) + ":1"}; !slices.Equal(places, want) {
		t.Errorf("got %q, want %q", places, want)
	}
}
