package crashtest_test

import (
	"context"
	"strings"
	"testing"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// A scenario is one request to a store that setup prepared. The same run is sent again
// after a crash.
type scenario struct {
	name  string
	setup func(t testing.TB, root string, disk *crashfs.FS)
	run   func(e *memory.Engine) error

	// Of a recovery: the store as it was acknowledged, and the request that died.
	acknowledged func(t testing.TB, root string, disk *crashfs.FS)
	request      func(e *memory.Engine) error
}

// by lets an engine prepare the disk.
func by(steps ...func(e *memory.Engine) error) func(t testing.TB, root string, disk *crashfs.FS) {
	return func(t testing.TB, root string, disk *crashfs.FS) {
		t.Helper()
		e := open(t, root, disk)
		for _, step := range steps {
			if err := step(e); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func scenarios() []scenario {
	return append(requests(), recoveries()...)
}

// requests are what a caller is given an answer to.
func requests() []scenario {
	return []scenario{
		{name: "first append", setup: by(), run: func(e *memory.Engine) error {
			return record(e, draft("f1", "", "Keep paths relative.", 5, 40))
		}},
		{name: "append", setup: by(inForce), run: func(e *memory.Engine) error {
			return record(e, draft("f1", "", "Old.", 5, 90))
		}},
		{name: "first append of a day", setup: by(inForce), run: func(e *memory.Engine) error {
			return record(e, draft("f1", "", "New.", 5, 1))
		}},
		{name: "append retry", setup: by(inForce), run: inForceFacts},
		{name: "append behind a torn line", setup: tornDay, run: func(e *memory.Engine) error {
			return record(e, draft("f1", "", "Behind it.", 5, 90))
		}},
		{name: "append behind a line without end", setup: unendedDay, run: func(e *memory.Engine) error {
			return record(e, draft("f1", "", "Behind it.", 5, 90))
		}},
		{name: "append retry of a line without end", setup: unendedDay, run: inForceFacts},
		{name: "import over days", setup: by(inForce), run: importBatch},
		{name: "distill into entries", setup: by(inForce, importBatch), run: distill},
		{name: "distill into a case", setup: by(inForce, challenge), run: distill},
		{name: "distill into entries and a case", setup: by(inForce, challenge, importBatch), run: distill},
		{name: "choose a challenger", setup: by(inForce, challenge, distill), run: chooseChallenger},
		{name: "keep the incumbent", setup: by(inForce, challenge, distill), run: func(e *memory.Engine) error {
			return decide(e, "storage.database", true)
		}},
		{name: "choose where nothing is in force", setup: by(challenge, distill), run: func(e *memory.Engine) error {
			return decide(e, "storage.database", false)
		}},
		{name: "second decision", setup: by(inForce, challenge, distill, chooseChallenger, challengeFormat, distill), run: func(e *memory.Engine) error {
			return decide(e, "api.format", false)
		}},
	}
}

// recoveries are what the next writer does about what was left behind, and what is not
// sent again as it is.
func recoveries() []scenario {
	return []scenario{
		{name: "cut a torn journal", setup: tornLog(memory.JournalLog), run: load},
		{name: "cut a torn audit", setup: tornLog(memory.AuditLog), run: load},
		{name: "rebuild the projection", setup: editedProjection, run: load},
		{
			// By itself it reads the one day alone, and is another fact each time.
			name: "append without an id", setup: unendedDay, acknowledged: unendedDay,
			run:     func(e *memory.Engine) error { return record(e, draft("", "", "Behind it.", 5, 90)) },
			request: func(e *memory.Engine) error { return record(e, draft("new", "", "Behind it.", 5, 90)) },
		},
		diedAfter("prepared"), diedAfter("curated_applied"), diedAfter("conflict_closed"), diedAfter("audit_appended"),
	}
}

func inForceFacts(e *memory.Engine) error {
	return record(e,
		draft("z1", "z.other", "Another domain.", 5, 90),
		draft("a1", "storage.database", "Use SQLite.", 5, 90))
}

// inForce leaves SQLite in force.
func inForce(e *memory.Engine) error {
	if err := inForceFacts(e); err != nil {
		return err
	}
	return distill(e)
}

// challenge records two equal challengers.
func challenge(e *memory.Engine) error {
	return record(e,
		draft("p1", "storage.database", "Use Postgres.", 4, 80), draft("p2", "storage.database", "Use Postgres.", 4, 79),
		draft("m1", "storage.database", "Use MySQL.", 4, 80), draft("m2", "storage.database", "Use MySQL.", 4, 79))
}

// challengeFormat records two equal proposals of a domain without an entry.
func challengeFormat(e *memory.Engine) error {
	return record(e,
		draft("j1", "api.format", "Answer in JSON.", 4, 70), draft("j2", "api.format", "Answer in JSON.", 4, 69),
		draft("x1", "api.format", "Answer in XML.", 4, 70), draft("x2", "api.format", "Answer in XML.", 4, 69))
}

func chooseChallenger(e *memory.Engine) error { return decide(e, "storage.database", false) }

// importBatch records facts of four days, two of them there already.
func importBatch(e *memory.Engine) error {
	return record(e,
		draft("i1", "", "Keep paths relative.", 5, 90), draft("i2", "", "Never rebase main.", 5, 90),
		draft("i3", "", "Quote all shell arguments.", 5, 80),
		draft("i4", "build.tool", "Use make.", 5, 75), draft("i5", "", "Too young.", 5, 2), draft("i6", "", "Keep paths relative.", 3, 75))
}

// tornDay leaves half a line behind in the log that is appended to. It is longer than the
// line that comes, and each end of it is a JSON value.
func tornDay(t testing.TB, root string, disk *crashfs.FS) {
	by(inForce)(t, root, disk)
	edit(t, disk, dayOf(90), func(text string) string {
		return text + `{"content": "` + strings.Repeat("1", 1000)
	})
}

// unendedDay leaves the last line of that log without its end.
func unendedDay(t testing.TB, root string, disk *crashfs.FS) {
	by(inForce)(t, root, disk)
	edit(t, disk, dayOf(90), func(text string) string { return strings.TrimSuffix(text, "\n") })
}

func dayOf(daysAgo int) memory.Name { return memory.DailyLog(now.AddDate(0, 0, -daysAgo)) }

// edit changes a file of the store in its place.
func edit(t testing.TB, disk *crashfs.FS, name memory.Name, change func(text string) string) {
	t.Helper()
	if err := disk.Edit(inFolder(name), change(filesOf(disk)[string(name)])); err != nil {
		t.Fatal(err)
	}
}

func tornLog(name memory.Name) func(t testing.TB, root string, disk *crashfs.FS) {
	return func(t testing.TB, root string, disk *crashfs.FS) {
		by(inForce, challenge, distill, chooseChallenger)(t, root, disk)
		edit(t, disk, name, func(text string) string { return text + text[:len(text)/3] })
	}
}

func editedProjection(t testing.TB, root string, disk *crashfs.FS) {
	by(inForce)(t, root, disk)
	edit(t, disk, memory.Projection, func(text string) string { return text + "- By hand.\n" })
}

// diedAfter is the recovery of a decision whose process died just behind that phase's line.
func diedAfter(phase string) scenario {
	acknowledged := by(inForce, challenge, distill)
	return scenario{
		name: "recover after " + phase, run: load, acknowledged: acknowledged, request: chooseChallenger,
		setup: func(t testing.TB, root string, disk *crashfs.FS) {
			acknowledged(t, root, disk)
			dieAfter(t, root, disk, phase, chooseChallenger)
		},
	}
}

// dieAfter lets the process die in a decision, just behind that phase's line.
func dieAfter(t testing.TB, root string, disk *crashfs.FS, phase string, decision func(e *memory.Engine) error) {
	t.Helper()
	reached := func(disk *crashfs.FS) int {
		return strings.Count(filesOf(disk)[string(memory.JournalLog)], `"phase": "`+phase+`"`)
	}
	trial := disk.Clone()
	trial.Record()
	by(decision)(t, root, trial)
	for n, moment := range trial.Moments() {
		if reached(moment) > reached(disk) {
			disk.FailAt(n, crashfs.Gone)
			break
		}
	}
	if err := decision(open(t, root, disk)); err == nil || !disk.Fired() {
		t.Fatalf("nothing died after %s: %v", phase, err)
	}
	disk.Restart()
	if _, pending := open(t, root, disk).State(context.Background()).Pending(); !pending {
		t.Fatalf("a crash after %s leaves nothing to recover", phase)
	}
}
