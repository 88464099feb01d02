package templates

import (
	"docket/memory"

	"github.com/a-h/templ"
)

// chain is three revisions of one domain.
func (x fixtures) chain() (first, second, third memory.Entry) {
	first, second, third = x.entry(1, "Use flat files."), x.entry(2, "Use flat files, one a customer."), x.entry(3, "Use SQLite.")
	first.Status, first.SupersededBy = memory.StatusSuperseded, second.Key
	second.Status, second.Supersedes, second.SupersededBy = memory.StatusSuperseded, first.Key, third.Key
	third.Supersedes = second.Key
	return first, second, third
}

func (x fixtures) freestanding() memory.Entry {
	return memory.Entry{
		Key: "00000000000000b1", Kind: memory.Convention, Content: x.say("日志使用 UTC 时间。"), FirstSeen: at("2025-12-01", 9),
		LastSeen: at("2026-01-02", 9), EvidenceIDs: []string{"f8", "f9"}, Occurrences: 2, Revision: 1, Status: memory.StatusActive,
	}
}

func (x fixtures) addMemory(add adder) {
	_, _, third := x.chain()
	decision := x.adjudication()
	show := func(v MemoryView) func(Page) templ.Component {
		return func(p Page) templ.Component { return Memory(p, v) }
	}
	p := x.page(NavMemory, MemoryTitle)
	add("memory", p, show(MemoryView{Sections: []MemorySection{
		{memory.Decision, []MemoryRow{{Entry: third, Decision: &decision, CaseID: "conflict-88436f98aa01bb02"}}},
		{memory.Convention, []MemoryRow{{Entry: x.freestanding()}}},
	}}))
	add("memory-empty", p, show(MemoryView{}))
	add("memory-unreadable", p, show(MemoryView{Unreadable: true}))
}

func (x fixtures) addDomains(add adder) {
	first, second, third := x.chain()
	free, decision, open := x.freestanding(), x.adjudication(), x.openCase()
	evidence := found(x.fact("f1", "2026-01-01", "agent", "Use SQLite.", map[string]string{"file": "storage.py", "line": "12"}))
	domain := DomainView{
		MemoryKey: "storage.database", Active: &third, Facts: 11, FirstSeen: at("2025-12-01", 9), Decisions: 1,
		Uncounted: []Uncounted{{x.fact("f6", "2026-01-14", "agent", "Use DuckDB.", nil), Fate{Is: FateUnconfirmed, More: 1}}},
		Line:      x.say("- Use SQLite. (seen 1x; evidence: 1)"),
		Links: []Link{
			{Case: &CaseLink{Case: open}},
			{Revision: &RevisionView{Entry: third, Was: &second, Decision: &decision, Evidence: evidence}},
			{Case: &CaseLink{Case: x.resolvedCase(), Chosen: x.say("Use SQLite.")}},
			{Revision: &RevisionView{Entry: second, Was: &first, Until: at("2026-01-06", 9), Evidence: evidence}},
			{Revision: &RevisionView{Entry: first, Until: at("2026-01-02", 9), Evidence: []Evidence{{ID: "gone"}}}},
		},
	}
	add("domain", x.page(NavMemory, DomainTitle("storage.database")), func(p Page) templ.Component { return Domain(p, domain) })
	add("domain-empty", x.page(NavMemory, DomainTitle("a.b")), func(p Page) templ.Component {
		return Domain(p, DomainView{MemoryKey: "a.b", Facts: 1})
	})
	add("entry", x.page(NavMemory, EntryTitle(second)), func(p Page) templ.Component {
		return Entry(p, EntryView{
			RevisionView: RevisionView{Entry: second, Until: at("2026-01-06", 9), Evidence: evidence, Decision: &decision},
			Supersedes:   &first, SupersededBy: &third, Cases: []memory.Case{open},
		})
	})
	add("entry-unkeyed", x.page(NavMemory, EntryTitle(free)), func(p Page) templ.Component {
		return Entry(p, EntryView{RevisionView: RevisionView{Entry: free, Evidence: []Evidence{{ID: "f8"}, {ID: "f9"}}}})
	})
}

// facts are one with a key and one that is never promoted.
func (x fixtures) facts() (keyed, outcome memory.Fact) {
	keyed = x.fact("f/1", "2026-01-14", "agent", "Use DuckDB.", map[string]string{"file": "a.go", "line": "7", "note": "n"})
	outcome = x.fact("f10", "2026-01-15", "agent", "迁移测试全部通过，耗时 42 秒。", nil)
	outcome.Kind, outcome.MemoryKey = memory.Outcome, ""
	return keyed, outcome
}

func (x fixtures) addTimelines(add adder) {
	f, outcome := x.facts()
	fault := &memory.Fault{Code: memory.CodeCorrupt, File: "daily/2026-01-14.jsonl", Line: 12, Reason: x.say("unexpected end of string")}
	rows := []TimelineRow{{Fact: f, Fate: Fate{Is: FateUnconfirmed, More: 1}}, {Fault: fault}}
	for _, fate := range []Fate{
		{Is: FateInMemory, Revision: 2, EntryKey: "00000000000000a2"}, {Is: FateInMemory, EntryKey: "00000000000000b1"},
		{Is: FateSuperseded, Revision: 1, EntryKey: "00000000000000a1"}, {Is: FateInCase, CaseID: "conflict-1"},
		{Is: FateDecidedAgainst, CaseID: "conflict-1"}, {Is: FateYoung, Days: 1}, {Is: FateDue}, {Is: FateOlder}, {Is: FateWeaker}, {},
	} {
		rows = append(rows, TimelineRow{Fact: f, Fate: fate})
	}
	view := TimelineView{
		Facts: 1284, First: true, Older: "c2",
		Days: []Day{
			{at("2026-01-15", 0), []TimelineRow{{Fact: outcome, Fate: Fate{Is: FateOutcome}}}},
			{at("2026-01-14", 0), rows},
		},
	}
	show := func(v TimelineView) func(Page) templ.Component {
		return func(p Page) templ.Component { return Timeline(p, v) }
	}
	p := x.page(NavTimeline, TimelineTitle)
	add("timeline", p, show(view))
	view.Filter, view.First, view.Newer = Filter{Text: x.say("Use"), Kind: "decision", Key: "storage.database"}, false, "c1"
	add("timeline-filtered", p, show(view))
	add("timeline-none", p, show(TimelineView{Facts: 1284, First: true, Filter: Filter{Text: x.say("nothing")}}))
	add("timeline-bad", p, show(TimelineView{Facts: 1284, First: true, Filter: Filter{Key: x.say("No Key"), Bad: "key"}}))
	add("timeline-empty", p, show(TimelineView{First: true}))
	add("timeline-unreadable", p, show(TimelineView{First: true, Unreadable: true}))
	add("timeline-unreadable-filtered", p, show(TimelineView{Facts: 12, First: true, Unreadable: true, Filter: Filter{Text: x.say("nothing")}}))
}

func (x fixtures) addFacts(add adder) {
	f, outcome := x.facts()
	add("fact", x.page(NavTimeline, FactTitle(f)), func(p Page) templ.Component {
		return Fact(p, FactView{
			Fact: f, Fate: Fate{Is: FateInCase, CaseID: "conflict-1"}, JSON: "{\n  \"content\": \"" + x.say("Use DuckDB.") + "\"\n}\n",
			Entries: []memory.Entry{x.entry(2, "Use SQLite.")}, Cases: []memory.Case{x.openCase()},
		})
	})
	add("fact-unused", x.page(NavTimeline, FactTitle(outcome)), func(p Page) templ.Component {
		return Fact(p, FactView{Fact: outcome, Fate: Fate{Is: FateOutcome}, JSON: "{}"})
	})
}

func (x fixtures) addAdjudications(add adder) {
	row := AdjudicationRow{x.adjudication(), "storage.database", x.say("Use SQLite.")}
	lost := AdjudicationRow{Adjudication: x.adjudication()}
	lost.Adjudication.PriorActiveEntryKey = lost.Adjudication.ResultingActiveEntryKey
	add("adjudications", x.page(NavAdjudications, AdjudicationsTitle), func(p Page) templ.Component {
		return Adjudications(p, AdjudicationsView{Rows: []AdjudicationRow{row, lost}})
	})
	add("adjudications-empty", x.page(NavAdjudications, AdjudicationsTitle), func(p Page) templ.Component {
		return Adjudications(p, AdjudicationsView{})
	})
	resolved, before := x.resolvedCase(), x.entry(1, "Use flat files.")
	add("adjudication", x.page(NavAdjudications, AdjudicationTitle(row.Adjudication)), func(p Page) templ.Component {
		return Adjudication(p, AdjudicationView{AdjudicationRow: row, Case: &resolved, Candidates: x.candidates(), Before: &before})
	})
	add("adjudication-unread", x.page(NavAdjudications, AdjudicationTitle(row.Adjudication)), func(p Page) templ.Component {
		return Adjudication(p, AdjudicationView{AdjudicationRow: lost})
	})
}
