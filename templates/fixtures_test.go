package templates

import (
	"fmt"
	"time"

	"docket/memory"
)

// The fixtures are one project at one moment. say is put around every text that a
// fact, an actor or a reader wrote, so that the same pages can be made hostile.
type fixtures struct {
	say func(string) string
}

func plain(s string) string { return s }

func at(day string, hour int) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.Add(time.Duration(hour)*time.Hour + 5*time.Minute)
}

func (x fixtures) page(nav Nav, title string) Page {
	return Page{
		Title:      title,
		Workspace:  Workspace{ID: "8f2c1d0e9b7a6543", Name: x.say("billing-service")},
		Workspaces: []Workspace{{ID: "8f2c1d0e9b7a6543", Name: x.say("billing-service")}},
		Nav:        nav,
		Counts:     Counts{Desk: 11, Memory: 42, Timeline: 1284, Adjudications: 17},
		Origin:     "http://127.0.0.1:8420",
		Actor:      x.say("team lead"),
		Now:        at("2026-01-15", 12),
	}
}

func (x fixtures) fact(id, day, source, content string, evidence map[string]string) memory.Fact {
	for name, value := range evidence {
		evidence[name] = x.say(value)
	}
	return memory.Fact{
		ID: id, WorkspaceID: "8f2c1d0e9b7a6543", RecordedAt: at(day, 9), Kind: memory.Decision,
		Content: x.say(content), Source: x.say(source), Importance: 4, Evidence: evidence, SchemaVersion: 2,
		MemoryKey: "storage.database", File: "daily/" + day + ".jsonl", Line: 3,
	}
}

func found(facts ...memory.Fact) []Evidence {
	evidence := make([]Evidence, len(facts))
	for i, f := range facts {
		evidence[i] = Evidence{ID: f.ID, Fact: f, Found: true}
	}
	return evidence
}

func (x fixtures) candidates() []CandidateView {
	candidate := func(id, content string, importance, weighed int, incumbent bool, evidence ...Evidence) CandidateView {
		ids := make([]string, len(evidence))
		for i, e := range evidence {
			ids[i] = e.ID
		}
		return CandidateView{
			Candidate: memory.Candidate{
				ID: id, Kind: memory.Decision, Content: x.say(content), EvidenceIDs: ids, Occurrences: len(ids),
				MaximumImportance: importance, FirstSeen: at("2026-01-01", 9), LastSeen: at("2026-01-11", 9),
				Incumbent: incumbent,
			},
			Weighed: weighed, Evidence: evidence,
		}
	}
	sqlite := found(x.fact("f1", "2026-01-01", "agent", "Use SQLite.", map[string]string{"file": "storage.py", "line": "12"}))
	postgres := found(
		x.fact("f3", "2026-01-11", "agent", "Use Postgres.", map[string]string{"file": "deploy/db.tf:40"}),
		x.fact("f2", "2026-01-10", "user", "Use Postgres.", map[string]string{"file": "docs/adr/7.md", "ticket": "OPS-12"}))
	mysql := found(
		x.fact("f5", "2026-01-11", "agent", "Use MySQL.", map[string]string{"file": "ops/迁移.md", "line": "3"}),
		x.fact("f4", "2026-01-10", "agent", "use mysql.", map[string]string{"file": "ops/notes.md", "line": "88"}))
	return []CandidateView{
		candidate("candidate-0000000000000001", "Use SQLite.", 5, 5, true, sqlite...),
		candidate("candidate-0000000000000002", "Use Postgres.", 4, 4, false, postgres...),
		candidate("candidate-0000000000000003", "Use MySQL.", 3, 4, false, mysql...),
	}
}

func (x fixtures) openCase() memory.Case {
	c := memory.Case{
		ID: "conflict-88436f98aa01bb02", WorkspaceID: "8f2c1d0e9b7a6543", MemoryKey: "storage.database", Revision: 2,
		Fingerprint: fmt.Sprintf("%064x", 4711), Status: memory.StatusOpen, ActiveEntryKey: "00000000000000a2",
		ObservedFactIDs: []string{"f1", "f2", "f3", "f4", "f5"}, DetectedAt: at("2026-01-11", 10),
	}
	for _, candidate := range x.candidates() {
		c.Candidates = append(c.Candidates, candidate.Candidate)
	}
	return c
}

func (x fixtures) resolvedCase() memory.Case {
	c := x.openCase()
	c.Status, c.ResolvedAt = memory.StatusResolved, at("2026-01-14", 15)
	c.SelectedCandidateID = "candidate-0000000000000002"
	c.ResolutionEventID, c.ResolutionActor = "review/7c1e", x.say("second lead")
	c.ResolutionRationale = x.say("Production requires extensions.")
	c.ResultingActiveEntryKey = "00000000000000a3"
	return c
}

func (x fixtures) supersededCase() memory.Case {
	c := x.openCase()
	c.Status, c.SupersededAt = memory.StatusSuperseded, at("2026-01-14", 15)
	return c
}

func (x fixtures) entry(revision int, content string) memory.Entry {
	e := memory.Entry{
		Key: fmt.Sprintf("%015da%d", 0, revision)[1:], Kind: memory.Decision, Content: x.say(content),
		FirstSeen: at("2026-01-01", 9), LastSeen: at("2026-01-11", 9), EvidenceIDs: []string{"f1"}, Occurrences: 1,
		MemoryKey: "storage.database", Revision: revision, Status: memory.StatusActive,
	}
	return e
}

func (x fixtures) adjudication() memory.Adjudication {
	return memory.Adjudication{
		EventID: "review/7c1e", WorkspaceID: "8f2c1d0e9b7a6543", ConflictID: "conflict-88436f98aa01bb02", CaseRevision: 1,
		SelectedCandidateID: "candidate-0000000000000001", Actor: x.say("team lead"),
		Rationale:  x.say("Keep it simple until we have a second writer."),
		ResolvedAt: at("2026-01-06", 14), PriorActiveEntryKey: "00000000000000a1", ResultingActiveEntryKey: "00000000000000a2",
		EvidenceIDs: []string{"f1"}, File: "conflict-adjudications.jsonl", Line: 4,
	}
}

func (x fixtures) caseView() CaseView {
	inForce, before := x.entry(2, "Use SQLite."), x.entry(1, "Use flat files.")
	young := x.fact("f6", "2026-01-14", "agent", "Use DuckDB.", nil)
	earlier := x.resolvedCase()
	earlier.ID, earlier.Revision = "conflict-00436f98aa01bb01", 1
	return CaseView{
		Case: x.openCase(), Candidates: x.candidates(), InForce: &inForce, Before: &before, Chain: 2,
		Standing: &Standing{
			EventID: "review/7c1e", Actor: x.say("team lead"), At: at("2026-01-06", 14),
			Rationale: x.say("Keep it simple until we have a second writer."),
			Since:     []memory.Fact{x.fact("f3", "2026-01-11", "agent", "Use Postgres.", nil), x.fact("f4", "2026-01-10", "agent", "use mysql.", nil)},
		},
		Earlier:   []memory.Case{earlier},
		Uncounted: []Uncounted{{young, Fate{Is: FateYoung, Days: 12}}},
		Recency:   memory.Day, Position: 1, Of: 3, Waits: at("2026-01-11", 10),
		Form: Form{EventID: "web:0123456789abcdef"},
	}
}

// foreseen is one of each change, and one more of the first.
func (x fixtures) foreseen() []memory.Foreseen {
	keyed, again, free, question := x.entry(1, "Use flat files."), x.entry(3, "Use Postgres."), x.freestanding(), x.openCase()
	return []memory.Foreseen{
		{Days: 0, Change: memory.ChangeMoves, Case: &question},
		{Days: 1, Change: memory.ChangePromotes, Entry: &keyed},
		{Days: 1, Change: memory.ChangePromotes, Entry: &free},
		{Days: 6, Change: memory.ChangeAsks, Case: &question},
		{Days: 30, Change: memory.ChangeSupersedes, Entry: &again},
	}
}

func (x fixtures) deskView() DeskView {
	view := DeskView{
		Facts: 1284, Decided: 7, LastRun: at("2026-01-15", 9),
		ThisWeek: 2,
		Agents:   &Agents{Memories: 42, Facts: 6, Characters: 3180, Budget: 12000},
		Outlook:  Outlook{Foreseen: x.foreseen()},
	}
	row := func(key string, hours, revision int, inForce string, others ...string) DeskCase {
		c := memory.Case{
			ID: "conflict-" + key, MemoryKey: key, Revision: revision, Status: memory.StatusOpen,
			DetectedAt: at("2026-01-15", 12-hours),
		}
		if inForce != "" {
			c.Candidates = append(c.Candidates, memory.Candidate{ID: "c0", Content: x.say(inForce), Occurrences: 1, Incumbent: true})
		}
		for i, other := range others {
			c.Candidates = append(c.Candidates, memory.Candidate{ID: fmt.Sprint("c", i+1), Content: x.say(other), Occurrences: 2})
		}
		return DeskCase{Case: c, Waits: c.DetectedAt}
	}
	changed := []DeskCase{
		row("storage.database", 98, 2, "Use SQLite.", "Use Postgres.", "Use MySQL."),
		row("deploy.target", 70, 3, "Fly.", "自建机房。", "Render."),
	}
	changed[0].Since = 3
	changed[1].DecidedBefore = true
	fresh := []DeskCase{
		row("cache.engine", 50, 1, "Use Redis.", "Use Memcached.", "用本地缓存。"),
		row("runtime.go-version", 48, 1, "", "Go 1.25.", "Go 1.26."),
	}
	fresh[0].Behind = 2
	aside := row("docs.language", 2, 1, "English.", "中文优先。", "Both.")
	aside.Reason = x.say("ask the docs team first")
	view.Groups = []DeskGroup{
		{GroupChanged, 2, changed}, {GroupNew, 2, fresh}, {GroupAside, 1, []DeskCase{aside}},
	}
	view.Waiting, view.Matches, view.Pages, view.Changed, view.Oldest = 5, 5, 1, 2, changed[0].Case.DetectedAt
	view.Sources = []string{x.say("agent"), x.say("user")}
	return view
}
