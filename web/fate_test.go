package web

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/memory"
	"docket/memory/filestore"
	"docket/templates"
)

func TestFates(t *testing.T) {
	b := newBench(t, func(c *Config) {
		c.Policy = memory.DocketPolicy()
		c.Policy.MinimumImportance = 5 // so that a fact of ours needs a second one
	})
	record := func(key, content string, days ...string) string { return b.record(key, content, days...)[0].ID }
	want := map[string]templates.Fate{}
	said := func(day string) time.Time {
		at, err := time.Parse(time.DateOnly, "2026-"+day)
		if err != nil {
			t.Fatal(err)
		}
		return at.Add(9 * time.Hour)
	}
	counts := func(day string) time.Time { return said(day).Add(time.Microsecond) }

	want[record("", "Said once.", "01-01")] = templates.Fate{Is: templates.FateUnconfirmed, More: 1}
	want[record("", "Said twice.", "01-01", "01-02")] = templates.Fate{Is: templates.FateDue, Next: memory.FatePromoted}
	want[record("", "Too young.", "02-01")] = templates.Fate{Is: templates.FateYoung, Days: 2, From: counts("03-03")}
	want[record("", "Said today.", "03-01")] = templates.Fate{Is: templates.FateYoung, Days: 30, From: counts("03-31")}
	want[record("", "Said once, and lately.", "01-01", "02-10")] = templates.Fate{Is: templates.FateUnconfirmed, More: 1, From: counts("03-12")}
	b.recordAs("outcome", "It went well.")
	want["outcome"] = templates.Fate{Is: templates.FateOutcome}

	old := record("a.key", "Old.", "01-03", "01-04")
	b.distillUnder(b.server.cfg.Policy, "a.key")
	older := record("a.key", "Older.", "01-01", "01-02")
	want[older] = templates.Fate{Is: templates.FateOlder, Said: said("01-02"), After: said("01-04")}
	want[record("a.key", "Lone.", "01-09")] = templates.Fate{Is: templates.FateUnconfirmed, More: 1}
	want[record("a.key", "OLD.", "01-02")] = templates.Fate{Is: templates.FateDue, Next: memory.FateMerged}
	first, _ := b.read().Active("a.key")
	want[old] = templates.Fate{Is: templates.FateInMemory, Revision: 1, EntryKey: first.Key}

	was := record("b.key", "Was.", "01-01", "01-02")
	b.distillUnder(b.server.cfg.Policy, "b.key")
	is := record("b.key", "Is.", "01-05", "01-06")
	b.distillUnder(b.server.cfg.Policy, "b.key")
	want[record("b.key", "Strong.", "01-07", "01-08", "01-09")] = templates.Fate{Is: templates.FateDue, Next: memory.FatePromoted}
	want[record("b.key", "Weak.", "01-07", "01-08")] = templates.Fate{Is: templates.FateOlder, Said: said("01-08"), After: said("01-09")} // once that is in force
	chain := b.read().Chain("b.key")
	want[was] = templates.Fate{Is: templates.FateSuperseded, Revision: 1, EntryKey: chain[0].Key}
	want[is] = templates.Fate{Is: templates.FateInMemory, Revision: 2, EntryKey: chain[1].Key}

	one := record("c.key", "One.", "01-01", "01-02", "01-03")
	two := record("c.key", "Two.", "01-01", "01-02", "01-03")
	weak := record("c.key", "Three.", "01-01", "01-02")
	b.distillUnder(b.server.cfg.Policy, "c.key")
	c := b.open("c.key")
	want[one] = templates.Fate{Is: templates.FateInCase, CaseID: c.ID}
	want[two] = want[one]
	want[weak] = templates.Fate{Is: templates.FateWeaker, Rival: "Two."} // of two that are equal the one of the later id

	got := map[string]templates.Fate{}
	state := b.read()
	fates := b.server.fates(state)
	for id := range want {
		fact, ok := state.Fact(id)
		if !ok {
			t.Fatalf("no fact %s", id)
		}
		got[id] = fates.of(fact)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	if answer := b.post(b.resolveURL(c), b.decide(c, "One.", "Because.")); answer.status != 303 {
		t.Fatal(answer.status)
	}
	state = b.read()
	fact, _ := state.Fact(two)
	if diff := cmp.Diff(templates.Fate{Is: templates.FateDecidedAgainst, CaseID: c.ID, More: 2}, b.server.fates(state).of(fact)); diff != "" {
		t.Error(diff)
	}

	b.damage("curated.json")
	state = b.read()
	if diff := cmp.Diff(templates.Fate{}, b.server.fates(state).of(fact)); diff != "" {
		t.Errorf("told from a file that cannot be read: %s", diff)
	}
}

// A fact that is due enters memory, or a case, with the next run; one that waits does
// not. Whatever else a fate says, the rules say otherwise nowhere.
func TestFatesForetellTheNextRun(t *testing.T) {
	t.Parallel()
	due, waiting := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := &server{cfg: Config{Policy: memory.DocketPolicy(), Now: func() time.Time { return today }}}
		if rapid.Bool().Draw(t, "seed") {
			s.cfg.Policy = memory.SeedPolicy()
		}
		engine := newMemoryEngine(t)
		ctx := context.Background()
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(1, 6).Draw(t, "facts") {
				d := memory.NewDraft(rapid.SampledFrom([]string{"One.", "Two.", "three.", "Three."}).Draw(t, "content"))
				d.Kind = rapid.SampledFrom(memory.Kinds()).Draw(t, "kind")
				d.Importance = rapid.IntRange(3, 5).Draw(t, "importance")
				d.Source = rapid.SampledFrom([]string{"agent", "user"}).Draw(t, "source")
				d.RecordedAt = today.AddDate(0, 0, -rapid.IntRange(28, 34).Draw(t, "days")).Add(-time.Hour)
				if rapid.Bool().Draw(t, "keyed") {
					key := "a.key"
					d.MemoryKey = &key
				}
				if _, err := engine.Append(ctx, d); err != nil {
					t.Fatal(err)
				}
			}
			before := engine.State(ctx)
			fates := s.fates(before)
			if _, err := engine.Distill(ctx, memory.Run{AsOf: today, Policy: s.cfg.Policy}); err != nil {
				t.Fatal(err)
			}
			after := s.fates(engine.State(ctx))
			for fact := range before.Facts() {
				fate := fates.of(fact)
				_, used := after.used(fact)
				switch fate.Is {
				case templates.FateDue:
					due++
					if !used {
						t.Fatalf("%+v was due, and nothing became of it", fact)
					}
				case templates.FateUnconfirmed, templates.FateYoung, templates.FateOutcome:
					waiting++
					if used {
						t.Fatalf("%+v was told to wait: %+v, and was taken", fact, fate)
					}
				}
			}
			for _, c := range engine.State(ctx).OpenCases() {
				if rapid.Bool().Draw(t, "decide") {
					_, err := engine.Resolve(ctx, memory.Resolution{
						ConflictID: c.ID, Revision: c.Revision, EventID: newEventID(), Actor: "lead", Rationale: "x",
						CandidateID: rapid.SampledFrom(c.Candidates).Draw(t, "candidate").ID,
					})
					if err != nil && memory.CodeOf(err) != memory.CodeStale {
						t.Fatal(err)
					}
				}
			}
		}
	})
	if due == 0 || waiting == 0 {
		t.Errorf("%d due, %d waiting: the test saw too little", due, waiting)
	}
}

// newMemoryEngine returns an engine over a project of its own.
func newMemoryEngine(t *rapid.T) *memory.Engine {
	dir, err := os.MkdirTemp("", "fates-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	store, err := filestore.Open(dir, filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return memory.Open(store, memory.Options{Now: func() time.Time { return today }})
}

func TestChainOrder(t *testing.T) {
	b := newBench(t)
	c := b.dispute("storage.database")
	if answer := b.post(b.resolveURL(c), b.decide(c, "Use Postgres.", "Extensions.")); answer.status != 303 {
		t.Fatal(answer.status)
	}
	b.record("storage.database", "Use LMDB.", "01-20", "01-21")
	b.distill()
	var got []string
	for _, link := range b.server.chainOf(b.read(), "storage.database") {
		if link.Case != nil {
			got = append(got, "case "+itoa(link.Case.Case.Revision)+" "+link.Case.Chosen)
		} else {
			got = append(got, "revision "+itoa(link.Revision.Entry.Revision)+" "+link.Revision.Entry.Content)
		}
	}
	want := []string{"case 2 ", "revision 2 Use Postgres.", "case 1 Use Postgres.", "revision 1 Use SQLite."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
