package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// seed hands every version of the files that want names to add, with the id of its
// workspace. Of the drawn scenarios ten are enough.
func seed(f *testing.F, want func(name string) bool, add func(text, workspaceID string)) {
	f.Helper()
	paths, err := filepath.Glob("../testdata/vectors/*.json")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no vectors: %v", err)
	}
	seen := map[string]bool{}
	for _, path := range paths {
		if base := filepath.Base(path); strings.HasPrefix(base, "random-") && !strings.HasPrefix(base, "random-00") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var v struct {
			Project       string
			Before, After map[string]string
		}
		if err := json.Unmarshal(data, &v); err != nil {
			f.Fatal(err)
		}
		for _, folder := range []map[string]string{v.Before, v.After} {
			for name, text := range folder {
				if want(name) && !seen[text] {
					seen[text] = true
					add(text, hash16(v.Project))
				}
			}
		}
	}
	if len(seen) == 0 {
		f.Fatal("no seeds")
	}
}

// seedLines seeds a target that takes one line.
func seedLines(f *testing.F, want func(name string) bool) {
	f.Helper()
	seen := map[string]bool{}
	seed(f, want, func(text, workspaceID string) {
		for line := range strings.Lines(text) {
			if !seen[line] {
				seen[line] = true
				f.Add([]byte(line), workspaceID)
			}
		}
	})
}

func named(name Name) func(string) bool { return func(s string) bool { return s == string(name) } }

// steady encodes a value, decodes that, and wants the same bytes when it is encoded again.
func steady[V any](t *testing.T, v V, encode func(V) ([]byte, error), decode func([]byte) (V, error)) {
	t.Helper()
	first, err := encode(v)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	again, err := decode(first)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v in %q", err, first)
	}
	second, err := encode(again)
	if err != nil || !bytes.Equal(first, second) {
		t.Fatalf("written again it differs, %v:\n%s", err, cmp.Diff(string(first), string(second)))
	}
}

func FuzzDecodeFact(f *testing.F) {
	seedLines(f, func(name string) bool { return strings.HasPrefix(name, "daily/") })
	f.Fuzz(func(t *testing.T, data []byte, workspaceID string) {
		fact, err := decodeFact(data, workspaceID)
		if err != nil {
			checkInert(t, string(data), err)
			return
		}
		steady(t, fact, func(f Fact) ([]byte, error) { return line(f.record()) },
			func(data []byte) (Fact, error) { return decodeFact(data, workspaceID) })
	})
}

func FuzzDecodeAdjudication(f *testing.F) {
	seedLines(f, named(AuditLog))
	f.Fuzz(func(t *testing.T, data []byte, workspaceID string) {
		a, err := decodeAdjudication(data, workspaceID)
		if err != nil {
			checkInert(t, string(data), err)
			return
		}
		steady(t, a, func(a Adjudication) ([]byte, error) { return line(a.record()) },
			func(data []byte) (Adjudication, error) { return decodeAdjudication(data, workspaceID) })
	})
}

// orError makes an error of a fault, nil of none.
func orError[V any](v V, fault *Fault) (V, error) {
	if fault != nil {
		return v, fault
	}
	return v, nil
}

func FuzzDecodeCurated(f *testing.F) {
	seed(f, named(CuratedDocument), func(text, workspaceID string) { f.Add([]byte(text), workspaceID) })
	f.Fuzz(func(t *testing.T, data []byte, workspaceID string) {
		decode := func(data []byte) ([]Entry, error) { return orError(decodeCurated(data, workspaceID)) }
		entries, err := decode(data)
		if err != nil {
			checkInert(t, string(data), err)
			return
		}
		steady(t, entries, func(entries []Entry) ([]byte, error) { return encodeCurated(entries, workspaceID) }, decode)
		if text := RenderMemory(entries); strings.Count(text, "\n- ") > len(entries) {
			t.Fatalf("%d entries are shown as\n%s", len(entries), text)
		}
	})
}

func FuzzDecodeConflicts(f *testing.F) {
	seed(f, named(ConflictsDocument), func(text, workspaceID string) { f.Add([]byte(text), workspaceID) })
	f.Fuzz(func(t *testing.T, data []byte, workspaceID string) {
		decode := func(data []byte) ([]Case, error) { return orError(decodeConflicts(data, workspaceID)) }
		cases, err := decode(data)
		if err != nil {
			checkInert(t, string(data), err)
			return
		}
		steady(t, cases, func(cases []Case) ([]byte, error) { return encodeConflicts(cases, workspaceID) }, decode)
	})
}

func FuzzJournal(f *testing.F) {
	seed(f, named(JournalLog), func(text, workspaceID string) { f.Add([]byte(text), workspaceID) })
	f.Fuzz(func(t *testing.T, data []byte, workspaceID string) {
		j := &journal{workspaceID: workspaceID, done: map[string]bool{}, thorough: true}
		n := 0
		for text := range bytes.Lines(data) {
			n++
			if err := j.next(text, n); err != nil {
				checkInert(t, string(text), err)
				return
			}
			if j.pending == nil || j.pending.phase != prepared {
				continue
			}
			if want, err := canonicalize(j.pending.raw); err != nil || hash64(string(want)) != j.pending.hash {
				t.Fatalf("line %d is taken with another hash than that of %s, %v", n, want, err)
			}
			steady(t, j.pending.intent, func(i *intent) ([]byte, error) { return i.encode() },
				func(data []byte) (*intent, error) { return decodeIntent(data, workspaceID) })
		}
	})
}

// FuzzDailyLog reads a day's log at once, and in two pieces, as one who follows it while
// it grows. Both must come to the same facts, faults and end.
func FuzzDailyLog(f *testing.F) {
	add := func(text string, cut int) { f.Add([]byte(text), uint(cut)) }
	seed(f, func(name string) bool { return strings.HasPrefix(name, "daily/") }, func(text, workspaceID string) {
		if text = strings.ReplaceAll(text, workspaceID, testWorkspace); len(text) < 2000 {
			add(text, len(text)/2)
		}
	})
	a, err := line(testFact("a", 1).record())
	if err != nil {
		f.Fatal(err)
	}
	whole := strings.TrimSuffix(string(a), "\n")
	other := strings.Replace(whole, `"a"`, `"b"`, 1)
	for _, rest := range []string{"", "\n", " \r\n", "\n" + other, "\n" + whole + "\n", "\n{\"torn", "\n\n?\n" + other, other + "\n", "?"} {
		for _, cut := range []int{0, len(whole) / 2, len(whole), len(whole) + len(rest)/2} {
			add(whole+rest, cut)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint) {
		cut := int(at % uint(len(data)+1))
		s, name := newShelf(), dayIn(data)
		s.put(name, string(data[:cut]), false)
		pieces, once := newFollower(s), newFollower(s)
		followed(t, pieces)
		s.add(name, string(data[cut:]))
		followed(t, pieces)
		followed(t, once)
		if diff := cmp.Diff(readBy(once), readBy(pieces)); diff != "" {
			t.Fatalf("cut at %d (-at once +in two pieces):\n%s", cut, diff)
		}
		for _, fault := range once.dayFaults {
			checkInert(t, string(data), fault)
		}
	})
}

// dayIn returns the log in which the first fact belongs, so that there is one.
func dayIn(data []byte) Name {
	for line := range bytes.Lines(data) {
		if fact, err := decodeFact(line, testWorkspace); err == nil {
			return DailyLog(fact.RecordedAt)
		}
	}
	return day1
}

// A reading is what a follower knows of the daily logs.
type reading struct {
	Facts  []Fact
	Faults []*Fault
	Tails  map[Name]string
}

func readBy(f *follower) reading {
	r := reading{Facts: slices.Collect(f.state().Facts()), Faults: f.dayFaults, Tails: map[Name]string{}}
	if len(r.Faults) == 0 {
		r.Faults = nil
	}
	for name, t := range f.days {
		r.Tails[name] = fmt.Sprintf("%+v", *t)
	}
	return r
}

// TestDraftsSurviveTheLog: what Append accepts is read again as it was given, from the
// log and as an import.
func TestDraftsSurviveTheLog(t *testing.T) {
	runes := rapid.OneOf(rapid.RuneFrom([]rune("aZ \t\n\r\x01\x1c\x1f\x7f\"\\<>&\u0085\u2028\ufeff\uffee\ufffd\U0001F600\U0010ffff")), rapid.Rune())
	text := rapid.Map(rapid.StringOfN(runes, 0, 20, -1), func(s string) string { return strings.ReplaceAll(s, "\x00", "") })
	rapid.Check(t, func(t *rapid.T) {
		d := NewDraft(text.Draw(t, "content"))
		d.ID, d.Source = text.Draw(t, "id"), text.Draw(t, "source")
		d.Kind, d.Importance = rapid.SampledFrom(Kinds()).Draw(t, "kind"), rapid.IntRange(1, 5).Draw(t, "importance")
		d.Evidence = rapid.MapOfN(text, text, 0, 4).Draw(t, "evidence")
		d.RecordedAt = time.Unix(rapid.Int64Range(-62135596799, 253402300799).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		if rapid.Bool().Draw(t, "keyed") {
			d.MemoryKey = new(rapid.StringMatching(`[A-Za-z][a-zA-Z0-9ſK]{0,9}([._-][a-z0-9]{1,5}){0,2}`).Draw(t, "key"))
		}
		fact, err := d.fact(testWorkspace)
		if err != nil {
			var invalid *InvalidError
			if !errors.As(err, &invalid) || Collapse(d.Content) != "" && (d.ID == "" || trim(d.ID) != "") {
				t.Fatalf("%+v: %v", d, err)
			}
			return
		}
		if fact.ID == "" {
			fact.ID = randomID()
		}
		b, err := line(fact.record())
		if err != nil || bytes.Count(b, []byte("\n")) != 1 {
			t.Fatalf("%q, %v", b, err)
		}
		read, err := decodeFact(b, testWorkspace)
		if diff := cmp.Diff(fact, read); diff != "" || err != nil || !fact.same(&read, false) {
			t.Fatalf("read as %v (-want +got):\n%s", err, diff)
		}
		imported, workspaceID, err := DecodeDraft(b)
		if err != nil || workspaceID != testWorkspace {
			t.Fatalf("imported for %q, %v", workspaceID, err)
		}
		again, err := imported.fact(testWorkspace)
		if diff := cmp.Diff(fact, again); diff != "" || err != nil {
			t.Fatalf("imported as %v (-want +got):\n%s", err, diff)
		}
	})
}
