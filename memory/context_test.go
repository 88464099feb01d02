package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

const (
	titleText   = "# Workspace Memory\n\nDerived from append-only project facts. Edit the source log or policy, not this view."
	recentTitle = "# Recent Workspace Facts\n\n"
)

// contextEntries and contextFacts are the samples of the table below.
func contextEntries() []Entry {
	entry := func(kind Kind, content string, occurrences, day int) Entry {
		e := Entry{
			Key: "k-" + content, Kind: kind, Content: content, LastSeen: testDay(day), Occurrences: occurrences, Status: StatusActive,
			EvidenceIDs: make([]string, occurrences), MemoryKey: "key." + content,
		}
		return e
	}
	old := entry(Decision, "old", 0, 1)
	old.Status = StatusSuperseded
	return []Entry{entry(Convention, "c", 2, 1), entry(Decision, "b", 1, 2), old, entry(Decision, "a", 1, 3)}
}

func contextFacts() []Fact {
	fact := func(id string, kind Kind, importance, day int) Fact {
		return Fact{ID: id, Kind: kind, Content: "a fact of some length, é " + id, Importance: importance, RecordedAt: testDay(day)}
	}
	return []Fact{fact("x", Outcome, 3, 1), fact("y", Decision, 2, 2), fact("z", Pitfall, 3, 2)}
}

func TestBuildContext(t *testing.T) {
	const (
		lineA, lineB, lineC = "- a (seen 1x; evidence: 1)", "- b (seen 1x; evidence: 1)", "- c (seen 2x; evidence: 2)"
		factX, factY, factZ = "- [outcome] a fact of some length, é x (2026-01-01)", "- [decision] a fact of some length, é y (2026-01-02)", "- [pitfall] a fact of some length, é z (2026-01-02)"
		memories            = titleText + "\n\n## Decisions\n\n" + lineA + "\n" + lineB + "\n\n## Conventions\n\n" + lineC
		recent              = recentTitle + factX + "\n" + factY + "\n" + factZ
		whole               = memories + "\n\n" + recent
		oneLess             = memories + "\n\n" + recentTitle + factX + "\n" + factZ + "\n\n(left out to fit: 0 memories, 1 recent facts)"
		noFacts             = memories + "\n\n(left out to fit: 0 memories, 3 recent facts)"
		noB                 = titleText + "\n\n## Decisions\n\n" + lineA + "\n\n## Conventions\n\n" + lineC + "\n\n(left out to fit: 1 memories, 3 recent facts)"
		noDecisions         = titleText + "\n\n## Conventions\n\n" + lineC + "\n\n(left out to fit: 2 memories, 3 recent facts)"
		bare                = titleText + "\n\n(left out to fit: 3 memories, 3 recent facts)"
	)
	count := utf8.RuneCountInString
	for _, c := range []struct {
		name, memory string
		curated      bool
		entries      []Entry
		recent       []Fact
		budget       int
		want         string
		fell         string
	}{
		{"nothing at all", "", false, nil, nil, 0, "(no workspace memory yet)", ""},
		{"a blank MEMORY.md", " \n\u2028\x1f", false, nil, nil, 0, "(no workspace memory yet)", ""},
		{"nothing at all, and a budget", "", false, nil, nil, 1, "(no workspace memory yet)", ""},
		{"no entry", "", true, nil, nil, 0, titleText, ""},
		{"facts alone", "", false, nil, contextFacts(), 0, recent, ""},
		{"both", RenderMemory(contextEntries()), true, contextEntries(), contextFacts(), 0, whole, ""},
		{"what is rendered counts", "another\n", true, contextEntries(), nil, 0, memories, ""},
		{"just enough", "", true, contextEntries(), contextFacts(), count(whole), whole, ""},
		{"one too little", "", true, contextEntries(), contextFacts(), count(whole) - 1, oneLess, "y"},
		{"the least important fact first", "", true, contextEntries(), contextFacts(), count(oneLess), oneLess, "y"},
		{"then the older, then the heading", "", true, contextEntries(), contextFacts(), count(noFacts), noFacts, "y x z"},
		{"then memories", "", true, contextEntries(), contextFacts(), count(noFacts) - 1, noB, "y x z k-b"},
		{"and their heading", "", true, contextEntries(), contextFacts(), count(noB) - 1, noDecisions, "y x z k-b k-a"},
		{"all that can fall", "", true, contextEntries(), contextFacts(), count(noDecisions) - 1, bare, "y x z k-b k-a k-c"},
		{"too long all the same", "", true, contextEntries(), contextFacts(), 1, bare, "y x z k-b k-a k-c"},
		{"MEMORY.md as found", "\n own *words* \n", false, contextEntries(), contextFacts()[:1], 0, "own *words*\n\n" + recentTitle + factX, ""},
		{"which does not shrink", "\n own *words* \n", false, contextEntries(), contextFacts()[:1], 1, "own *words*\n\n(left out to fit: 0 memories, 1 recent facts)", "x"},
		{"facts alone, none left", "", false, nil, contextFacts()[:1], 1, "(left out to fit: 0 memories, 1 recent facts)", "x"},
	} {
		got := BuildContext(c.memory, c.curated, c.entries, c.recent, c.budget)
		if diff := cmp.Diff(c.want, got.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		var fell []string
		for _, l := range got.LeftOut {
			fell = append(fell, l.ID)
		}
		if strings.Join(fell, " ") != c.fell || got.Characters != count(got.Text) {
			t.Errorf("%s: %q fell, and %d characters of %d", c.name, fell, got.Characters, count(got.Text))
		}
	}
}

func TestLeftOutSaysWhatItWas(t *testing.T) {
	got := BuildContext("", true, contextEntries()[:1], contextFacts()[:1], 1).LeftOut
	want := []LeftOut{
		{Text: "- [outcome] a fact of some length, é x (2026-01-01)", ID: "x"},
		{Memory: true, Text: "- c (seen 2x; evidence: 2)", ID: "k-c", MemoryKey: "key.c"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// naiveContext builds the text anew after each line that falls.
func naiveContext(memory string, curated bool, entries []Entry, recent []Fact, budget int) Context {
	var fallen []LeftOut
	active := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Status != StatusActive })
	recent = slices.Clone(recent)
	for {
		c := Context{LeftOut: fallen, Memories: len(active), Facts: len(recent)}
		var parts []string
		if curated {
			memory = RenderMemory(active)
		} else {
			c.Memories = 0
		}
		if text := strings.TrimSpace(memory); text != "" {
			parts = append(parts, text)
		}
		if len(recent) > 0 {
			text := "# Recent Workspace Facts\n"
			for _, f := range recent {
				text += "\n" + recentLine(f)
			}
			parts = append(parts, text)
		}
		if n := len(fallen); n > 0 {
			facts := len(slices.DeleteFunc(slices.Clone(fallen), func(l LeftOut) bool { return l.Memory }))
			parts = append(parts, fmt.Sprintf("(left out to fit: %d memories, %d recent facts)", n-facts, facts))
		}
		if len(parts) == 0 {
			parts = []string{"(no workspace memory yet)"}
		}
		c.Text = strings.Join(parts, "\n\n")
		c.Characters = len([]rune(c.Text))
		if budget == 0 || c.Characters <= budget || len(recent) == 0 && (!curated || len(active) == 0) {
			return c
		}
		if len(recent) > 0 {
			i := lowest(recent, func(f Fact) string {
				return fmt.Sprintf("%d %s %s", f.Importance, f.RecordedAt.Format("2006-01-02 15:04:05.000000"), f.ID)
			})
			fallen = append(slices.Clip(fallen), LeftOut{Text: recentLine(recent[i]), ID: recent[i].ID})
			recent = slices.Delete(recent, i, i+1)
		} else {
			i := lowest(active, func(e Entry) string {
				return fmt.Sprintf("%09d %s %s", e.Occurrences, e.LastSeen.Format("2006-01-02 15:04:05.000000"), e.Key)
			})
			fallen = append(slices.Clip(fallen), LeftOut{true, MemoryLine(active[i]), active[i].Key, active[i].MemoryKey})
			active = slices.Delete(active, i, i+1)
		}
	}
}

func recentLine(f Fact) string {
	return "- [" + string(f.Kind) + "] " + f.Content + " (" + f.RecordedAt.Format(time.DateOnly) + ")"
}

// lowest returns the place of the item with the least rank.
func lowest[T any](items []T, rank func(T) string) int {
	best := 0
	for i := range items {
		if rank(items[i]) < rank(items[best]) {
			best = i
		}
	}
	return best
}

func TestContextAgreesWithItsWording(t *testing.T) {
	content := rapid.StringOfN(rapid.SampledFrom([]rune("ab é\U0001F600e\u0301#<[")), 1, 30, -1).Filter(func(s string) bool { return Collapse(s) != "" })
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		return testDay(rapid.IntRange(1, 3).Draw(t, "day")).Add(time.Duration(rapid.IntRange(0, 2).Draw(t, "µs")) * time.Microsecond)
	})
	entry := rapid.Custom(func(t *rapid.T) Entry {
		n := rapid.IntRange(1, 12).Draw(t, "occurrences")
		return Entry{
			Kind: rapid.SampledFrom(Kinds()[:3]).Draw(t, "kind"), Content: Collapse(content.Draw(t, "content")), LastSeen: moment.Draw(t, "seen"),
			Occurrences: n, EvidenceIDs: make([]string, n), Status: rapid.SampledFrom([]Status{StatusActive, StatusActive, StatusSuperseded}).Draw(t, "status"),
		}
	})
	fact := rapid.Custom(func(t *rapid.T) Fact {
		return Fact{
			Kind: rapid.SampledFrom(Kinds()).Draw(t, "kind"), Content: Collapse(content.Draw(t, "content")), RecordedAt: moment.Draw(t, "time"),
			Importance: rapid.IntRange(1, 5).Draw(t, "importance"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		entries, recent := rapid.SliceOfN(entry, 0, 12).Draw(t, "entries"), rapid.SliceOfN(fact, 0, 8).Draw(t, "recent")
		for i := range entries {
			entries[i].Key = fmt.Sprintf("k%02d", len(entries)-i)
		}
		for i := range recent {
			recent[i].ID = fmt.Sprintf("f%d", i)
		}
		slices.SortFunc(recent, func(f, g Fact) int { return f.compare(&g) })
		curated := rapid.Bool().Draw(t, "curated")
		memory := rapid.SampledFrom([]string{"", " \n", "own words", "\n# Mine\n\n- é\n"}).Draw(t, "memory")
		full := naiveContext(memory, curated, entries, recent, 0)
		budget := rapid.IntRange(0, full.Characters+2).Draw(t, "budget")
		want := naiveContext(memory, curated, entries, recent, budget)
		got := BuildContext(memory, curated, entries, recent, budget)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("budget %d (-want +got):\n%s", budget, diff)
		}
	})
}

func TestEngineContext(t *testing.T) {
	ctx := context.Background()
	s := newShelf()
	fact := func(id, key string, day int) Fact {
		f := testFact(id, day)
		f.MemoryKey = key
		return f
	}
	s.log(t, DailyLog(testDay(1)), "broken\n") // so old that it is never read
	s.log(t, DailyLog(testDay(2)), fact("b", "", 2), fact("keyed", "a.key", 2), fact("a", "", 2))
	s.log(t, DailyLog(testDay(3)), fact("c", "", 3), fact("newest", "a.key", 3))
	e := Open(s, Options{})
	const heading, factA, factB, factC = recentTitle, "- [decision] Use a. (2026-01-02)", "- [decision] Use b. (2026-01-02)", "- [decision] Use c. (2026-01-03)"
	for recent, want := range map[int]string{
		0: "(no workspace memory yet)", 1: heading + factC, 2: heading + factB + "\n" + factC, 3: heading + factA + "\n" + factB + "\n" + factC,
	} {
		got, err := e.Context(ctx, recent, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Text); diff != "" {
			t.Errorf("%d recent facts (-want +got):\n%s", recent, diff)
		}
	}
	if _, err := e.Context(ctx, 4, 0); CodeOf(err) != CodeCorrupt {
		t.Errorf("a broken log is read as %v", err)
	}
	for _, c := range [][2]int{{-1, 0}, {0, -1}} {
		if _, err := e.Context(ctx, c[0], c[1]); CodeOf(err) != CodeInvalid {
			t.Errorf("%d recent facts in %d characters: %v", c[0], c[1], err)
		}
	}
}
