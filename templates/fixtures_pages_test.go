package templates

import (
	"net/http"

	"docket/memory"

	"github.com/a-h/templ"
)

// A shot is one page with its view.
type shot struct {
	name string
	page Page
	body templ.Component
}

func (x fixtures) shots() []shot {
	var all []shot
	add := func(name string, p Page, body func(Page) templ.Component) {
		all = append(all, shot{name, p, body(p)})
	}
	x.addDesks(add)
	x.addCases(add)
	x.addRefusals(add)
	x.addMemory(add)
	x.addDomains(add)
	x.addTimelines(add)
	x.addFacts(add)
	x.addAdjudications(add)
	x.addPreviews(add)
	x.addHealth(add)
	x.addProblems(add)
	return all
}

type adder func(string, Page, func(Page) templ.Component)

func (x fixtures) addDesks(add adder) {
	desk := func(v DeskView) func(Page) templ.Component {
		return func(p Page) templ.Component { return Desk(p, v) }
	}
	p := x.page(NavDesk, DeskTitle)
	add("desk", p, desk(x.deskView()))
	add("desk-new", p, desk(DeskView{}))
	add("desk-quiet", p, desk(DeskView{Facts: 12}))
	add("desk-decided", p, desk(DeskView{Facts: 12, Decided: 3, ThisWeek: 1, LastRun: at("2026-01-14", 9)}))

	v := x.deskView()
	v.Filter = DeskFilter{Text: x.say("Use"), Key: "storage.", Kind: "decision", Source: v.Sources[0], Age: "1", Sort: SortNewest, Page: 2}
	v.Groups, v.Matches, v.Pages, v.Outlook = v.Groups[:1], 2, 2, Outlook{}
	listed := p
	listed.List, listed.KeysOff = "key=storage.", true
	add("desk-filtered", listed, desk(v))
	v.Filter.Kind, v.Filter.Source, v.Filter.Age = "outcome", x.say("gone"), "3"
	v.Groups, v.Matches, v.Pages, v.Outlook = nil, 0, 1, Outlook{Late: true}
	add("desk-no-match", listed, desk(v))
	v = x.deskView()
	v.MarksFault = &MarksFault{File: "/state/" + x.say("readers.db"), Held: true}
	v.Groups = []DeskGroup{{GroupWaiting, 1, v.Groups[0].Cases[:1]}}
	add("desk-without-marks", p, desk(v))
	add("forecast", x.page(NavDesk, ForecastTitle), func(p Page) templ.Component {
		return Forecast(p, Outlook{Foreseen: x.foreseen()[:4]})
	})
	x.addMarkNotices(add, desk(x.deskView()))

	p.Workspaces = append(p.Workspaces, Workspace{ID: "1", Name: x.say("web-shop")})
	p.Notice = &Notice{
		Is: NoticeDecided, Adjudication: x.adjudication(), MemoryKey: "queue.retry-limit", Content: x.say("Five tries."),
	}
	add("desk-decided-notice", p, desk(x.deskView()))
	p.Notice = &Notice{Is: NoticeRun, Report: memory.Report{
		Scanned: 900, Eligible: 12, Created: 3, Updated: 4, Superseded: 1, Skipped: 30, Stale: 2, Conflicts: 5, QueuedConflicts: 2,
	}}
	add("desk-run-notice", p, desk(x.deskView()))

	p.Notice, p.Counts.Desk, p.Pending = nil, Unknown, "review/7c1e"
	p.Faults = []*memory.Fault{
		{Code: memory.CodeCorrupt, File: "conflicts.json", Reason: x.say("the fingerprint of a case does not match")},
		{Code: memory.CodeScope, File: "daily/2026-01-03.jsonl", Line: 12, Reason: x.say("another workspace_id")},
	}
	add("desk-faults", p, desk(DeskView{Unreadable: true, Facts: 12, Decided: 3, Outlook: Outlook{Unknown: true}}))
}

func (x fixtures) addMarkNotices(add adder, desk func(Page) templ.Component) {
	p := x.page(NavDesk, DeskTitle)
	p.Notice = &Notice{Is: NoticeMarked, Act: ActAside, Marked: []Marked{
		{Case: x.openCase(), Came: MarkedDone}, {Case: x.resolvedCase(), Came: MarkedClosed},
		{Case: x.supersededCase(), Came: MarkedMoved, Later: "conflict-99436f98aa01bb03"},
		{Case: memory.Case{ID: x.say("no case")}, Came: MarkedUnknown},
	}, Next: "conflict-99436f98aa01bb03"}
	add("desk-marked", p, desk)
	p.Notice = &Notice{Is: NoticeMarked, Act: ActSeen}
	add("desk-marked-nothing", p, desk)
	p.Notice = &Notice{Is: NoticeMarksFault, MarksFault: MarksFault{File: "/state/" + x.say("readers.db")}}
	add("desk-not-marked", p, desk)
}

func (x fixtures) addCases(add adder) {
	v := x.caseView()
	p := x.page(NavDesk, CaseTitle(v.Case))
	show := func(v CaseView) func(Page) templ.Component {
		return func(p Page) templ.Component { return Case(p, v) }
	}
	add("case", p, show(v))
	v.Mark = CaseMark{Is: GroupSeen, At: at("2026-01-14", 9)}
	add("case-seen", p, show(v))
	v.Mark = CaseMark{Is: GroupAside, At: at("2026-01-14", 9), Reason: x.say("ask the docs team first")}
	add("case-aside", p, show(v))
	v.Mark = CaseMark{Is: GroupNew}

	v.Behind, v.Standing, v.Candidates = 2, nil, x.candidates()
	v.Candidates[1].Evidence[0] = Evidence{ID: "f3"}
	add("case-behind", p, show(v))

	free := x.caseView()
	free.InForce, free.Before, free.Standing, free.Chain, free.Earlier, free.Uncounted = nil, nil, nil, 0, nil, nil
	free.Candidates = free.Candidates[1:]
	free.Case.Candidates, free.Case.ActiveEntryKey = free.Case.Candidates[1:], ""
	add("case-nothing-in-force", p, show(free))

	closed := x.caseView()
	closed.Case = x.resolvedCase()
	after := x.entry(3, "Use Postgres.")
	closed.InForce = &after
	add("case-resolved", x.page(NavDesk, CaseTitle(closed.Case)), show(closed))

	gone := x.caseView()
	gone.Case, gone.Position = x.supersededCase(), 0
	later := x.openCase()
	later.ID, later.Revision = "conflict-99436f98aa01bb03", 3
	gone.Later = &later
	add("case-superseded", x.page(NavDesk, CaseTitle(gone.Case)), show(gone))
}

// typed is what a reader wrote: it begins with a line break and must come back so.
const typed = "\nProduction requires PostgreSQL extensions,\nand </textarea> the second writer arrives in May.\n"

func (x fixtures) addRefusals(add adder) {
	refused := func(name string, change func(*CaseView), r Refusal) {
		v := x.caseView()
		v.Form.Choice, v.Form.Words = "candidate-0000000000000002", x.say(typed)
		v.Refusal = &r
		if change != nil {
			change(&v)
		}
		add("refused-"+name, x.page(NavDesk, CaseTitle(v.Case)), func(p Page) templ.Component { return Case(p, v) })
	}
	postgres := x.candidates()[1].Evidence[0].Fact
	refused("stale", func(v *CaseView) { v.Candidates[1].Evidence[0].New = true }, Refusal{
		Is: RefusedStale, SeenRevision: 1, Unchanged: 3,
		Changes: []Change{
			{Is: FactAdded, Fact: postgres, For: x.say("Use Postgres.")},
			{Is: FactAdded, Fact: x.fact("f6", "2026-01-15", "agent", "Use DuckDB.", nil), Fate: Fate{Is: FateYoung, Days: 30}},
			{Is: FactRemoved, Fact: x.fact("f7", "2026-01-02", "agent", "Use LMDB.", nil)},
			{Is: ValueAdded, Now: x.say("Use MySQL.")},
			{Is: ValueRemoved, Was: x.say("Use LMDB.")},
			{Is: InForceChanged, Was: "", Now: x.say("Use SQLite.")},
		},
	})
	refused("stale-choice-gone", func(v *CaseView) { v.Form.Choice = "candidate-0000000000000009" }, Refusal{
		Is: RefusedStale, SeenRevision: 2, Unchanged: 5, LostWords: x.say("Use LMDB."),
	})
	refused("settled", func(v *CaseView) { v.Case = x.supersededCase() }, Refusal{Is: RefusedSettled, SeenRevision: 2})
	refused("decided", func(v *CaseView) { v.Case = x.resolvedCase() }, Refusal{Is: RefusedDecided, SeenRevision: 2})
	refused("invalid", func(v *CaseView) { v.Form.Choice = "" }, Refusal{Is: RefusedInvalid, SeenRevision: 2, Problems: []FieldProblem{
		{Field: FieldCandidate, Why: ProblemMissing},
		{Field: FieldRationale, Why: ProblemLong, Limit: 1000, Has: 1204},
	}})
	refused("reused", nil, Refusal{Is: RefusedReused, SeenRevision: 2})
	refused("reused-decided", func(v *CaseView) { v.Case = x.resolvedCase() }, Refusal{Is: RefusedReused, SeenRevision: 2})
	refused("busy", nil, Refusal{Is: RefusedBusy, SeenRevision: 2})
	refused("unwritable", nil, Refusal{Is: RefusedUnwritable, SeenRevision: 2})
	refused("fault", nil, Refusal{Is: RefusedFault, SeenRevision: 2})
	refused("pending", nil, Refusal{Is: RefusedPending, SeenRevision: 2})
}

func (x fixtures) addPreviews(add adder) {
	p := x.page(NavPreview, PreviewTitle)
	context := memory.Context{
		Text: "# Workspace Memory\n\n- " + x.say("Use SQLite.") + "\n", Characters: 3180, Memories: 42, Facts: 6,
		LeftOut: []memory.LeftOut{
			{Text: x.say("- [outcome] It ran. (2026-01-01)"), ID: "f/8"},
			{Memory: true, Text: x.say("- Use SQLite. (seen 1x; evidence: 1)"), ID: "00000000000000a2", MemoryKey: "storage.database"},
		},
	}
	html := "<h1>Workspace Memory</h1>\n<p>Derived from append-only project facts. Edit the source log or policy, not this view.</p>\n" +
		"<h2>Decisions</h2>\n<ul>\n<li>Opaque cursors in every list call. (seen 2x; evidence: 2)</li>\n" +
		"<li>Go 1.26 for all services; <code>GOTOOLCHAIN=local</code> in CI. (seen 4x; evidence: 4)</li>\n</ul>\n"
	add("preview", p, func(p Page) templ.Component {
		return Preview(p, PreviewView{HTML: html, Context: context, Budget: 12000, OnDisk: true})
	})
	add("preview-raw", p, func(p Page) templ.Component {
		return Preview(p, PreviewView{Tab: TabRaw, Raw: context.Text, Context: context, Budget: 12000, OnDisk: true, Differs: true})
	})
	add("preview-context", p, func(p Page) templ.Component {
		return Preview(p, PreviewView{Tab: TabContext, Context: context, OnDisk: true})
	})
	add("preview-unread", p, func(p Page) templ.Component { return Preview(p, PreviewView{Unread: true, Broken: true, Raw: "# M"}) })
	add("preview-unknown", p, func(p Page) templ.Component { return Preview(p, PreviewView{Unknown: true, Broken: true}) })
	add("preview-empty", p, func(p Page) templ.Component { return Preview(p, PreviewView{Broken: true}) })
}

func (x fixtures) addProblems(add adder) {
	nobody := Page{Title: SignInTitle, Now: at("2026-01-15", 12)}
	add("sign-in", nobody, func(p Page) templ.Component { return SignIn(p, SignInView{Next: "/w/1/", Failed: true}) })
	nobody.Title = SignedOutTitle
	add("signed-out", nobody, func(p Page) templ.Component {
		return SignedOut(p, SignedOutView{Words: x.say(typed), Choice: x.say("Use Postgres."), Back: "/w/1/cases/conflict-1"})
	})
	p := x.page(NavNone, ProblemTitle(http.StatusNotFound))
	add("problem-404", p, func(p Page) templ.Component {
		return Problem(p, ProblemView{Status: http.StatusNotFound, RequestID: "r-1", Back: "/w/1/"})
	})
	p.Title = ProblemTitle(http.StatusServiceUnavailable)
	add("problem-unread", p, func(p Page) templ.Component {
		return Problem(p, ProblemView{Status: http.StatusServiceUnavailable, Unread: true, RequestID: "r-1", Words: x.say(typed)})
	})
}
