package templates

import (
	"time"

	"github.com/a-h/templ"

	"docket/memory"
)

func (x fixtures) addHealth(add adder) {
	health := func(name string, mark HealthMark, v HealthView) {
		p := x.page(NavHealth, HealthTitle(v))
		p.Health = mark
		add(name, p, func(p Page) templ.Component { return Health(p, v) })
	}
	well := HealthCheck{
		At: at("2026-01-15", 11), Took: 1240 * time.Millisecond,
		Facts: 1284, Entries: 57, Cases: 31, Adjudications: 17, Transactions: 17,
	}
	health("health-never", HealthMark{}, HealthView{})
	health("health-ok", HealthMark{Checked: true}, HealthView{Last: &well})
	noted := well
	noted.Notes, noted.Findings = 1, []memory.Finding{x.finding(memory.SeverityNote, "MEMORY.md", 7, "it is not what curated.json says", "The next command that writes rebuilds it.")}
	health("health-notes", HealthMark{Checked: true}, HealthView{Last: &noted})
	health("health-faults", HealthMark{Checked: true, Faults: 3}, HealthView{Last: x.faulty(well)})
	health("health-running", HealthMark{}, HealthView{Running: &HealthProgress{Since: at("2026-01-15", 11), File: "daily/2026-01-11.jsonl", Percent: 42}})
	health("health-running-again", HealthMark{Checked: true}, HealthView{Last: &well, Running: &HealthProgress{Since: at("2026-01-15", 11), Percent: 100}})
	health("health-failed", HealthMark{}, HealthView{Last: &HealthCheck{At: at("2026-01-15", 11), Took: 90 * time.Second, Failed: true}})

	p := x.page(NavDesk, DeskTitle)
	p.Sealed, p.Pending = true, "review/7c1e"
	add("desk-sealed", p, func(p Page) templ.Component { return Desk(p, x.deskView()) })
}

func (x fixtures) finding(severity memory.Severity, file string, line int, what, why string) memory.Finding {
	return memory.Finding{File: file, Line: line, What: x.say(what), Why: why, Severity: severity}
}

// faulty is a check that found more than is shown, in a log that could not be read whole.
func (x fixtures) faulty(c HealthCheck) *HealthCheck {
	const restore = "Restore it from a copy; do not delete evidence."
	c.Facts, c.Faults, c.Notes = memory.Uncounted, 3, 2
	c.Findings = []memory.Finding{
		x.finding(memory.SeverityFault, "curated.json", 1204, "the key of entry \"00000000000000a2\" does not follow from what it says", "Its content was edited by hand."),
		x.finding(memory.SeverityFault, "daily/2026-01-11.jsonl", 3, "invalid JSON", restore),
		x.finding(memory.SeverityFault, "daily/2026-01-11.jsonl", 9, "has no content", restore),
		x.finding(memory.SeverityNote, "notes.txt", 0, "a file that is not of the layout", "It is left alone."),
	}
	return &c
}
