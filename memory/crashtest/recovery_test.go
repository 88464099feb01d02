package crashtest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory/filestore/crashfs"
)

// deep is how often a recovery is cut short before one may end.
func deep() int {
	if raced {
		return 1
	}
	return 3
}

// TestCrashInRecovery lets a decision die at each of its boundaries, its recovery too,
// and the recovery of that, by the death of the process or with a loss of power, every
// subset of what was not synced kept. Each way must end in the same bytes. The long run
// tries three more decisions.
func TestCrashInRecovery(t *testing.T) {
	for _, s := range requests() {
		decision := s.name == "choose a challenger" || long() &&
			(s.name == "keep the incumbent" || s.name == "choose where nothing is in force" || s.name == "second decision")
		if !decision {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			o, disk := s.ask(t)
			x := &explorer{oracle: o, t: t, random: newRandom(t), before: settled(disk), after: o.clean}
			disk.Record()
			if err := s.run(open(t, o.root, disk)); err != nil {
				t.Fatal(err)
			}
			for n, moment := range disk.Moments() {
				x.way = []string{fmt.Sprintf("the decision at %d", n)}
				x.crash(moment, deep(), false)
			}
			t.Logf("%d different recoveries", x.recoveries)
			if x.recoveries < 100 {
				t.Errorf("only %d recoveries", x.recoveries)
			}
		})
	}
}

// settled returns the files that a writer leaves who finds nothing to do. An empty log
// is none.
func settled(disk *crashfs.FS) map[string]string {
	files := filesOf(disk)
	for name, text := range files {
		if text == "" || strings.HasSuffix(name, ".tmp") {
			delete(files, name)
		}
	}
	return files
}

// An explorer follows the ways that recoveries can take.
type explorer struct {
	*oracle
	t             testing.TB
	random        *rand.Rand
	before, after map[string]string
	recoveries    int
	way           []string
}

// crash goes on from a disk of a dead process, as it is and without power. sure says that
// the decision was on the disk before.
func (x *explorer) crash(moment *crashfs.FS, left int, sure bool) {
	if !x.isNew("moment", left, moment.Digest()) {
		return
	}
	x.recover(moment, left, sure)
	for image := range moment.Images(x.random, 0) {
		x.recover(image.Disk, left, sure)
	}
}

func (x *explorer) isNew(what string, left int, digest string) bool {
	key := fmt.Sprint(what, left, digest)
	seen := x.judged[key]
	x.judged[key] = true
	return !seen
}

// recover lets a recovery run to its end, and die at each of its boundaries.
func (x *explorer) recover(found *crashfs.FS, left int, sure bool) {
	x.t.Helper()
	if !x.isNew("found", left, found.Digest()) {
		return
	}
	if now := x.isSure(found); sure && !now {
		x.t.Fatalf("%q: the decision was on the disk and is not", x.way)
	} else {
		sure = now
	}
	x.recoveries++
	disk := found.Clone()
	disk.Record()
	if err := load(open(x.t, x.root, disk)); err != nil {
		x.t.Fatalf("%q: %v", x.way, err)
	}
	got := settled(disk)
	if diff := cmp.Diff(x.after, got); diff != "" && (sure || !cmp.Equal(x.before, got)) {
		x.t.Fatalf("%q (sure: %v) (-after +got):\n%s", x.way, sure, diff)
	}
	if left == 0 {
		return
	}
	way := x.way
	for n, moment := range disk.Moments() {
		x.way = append(way[:len(way):len(way)], fmt.Sprintf("recovery at %d", n))
		x.crash(moment, left-1, sure)
	}
	x.way = way
}

// isSure reports whether the decision is on the disk, whatever happens.
func (x *explorer) isSure(disk *crashfs.FS) bool {
	s := open(x.t, x.root, disk.Synced().Disk).State(context.Background())
	return len(s.Adjudications()) == len(x.oracle.after.Adjudications)
}
