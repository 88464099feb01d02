package crashtest_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// TestRetries sends each request none to five times; each time the process, the power or
// the disk may fail anywhere. What is sent is there once, or not at all if it was never
// acknowledged, and whoever sends it until it is acknowledged ends in the bytes of a
// clean run.
func TestRetries(t *testing.T) {
	for _, s := range requests() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			o, disk := s.ask(t)
			x := &retrier{oracle: o, run: s.run, random: newRandom(t), changes: changesOf(t, o.root, disk, s)}
			for times := range 6 {
				for range max(5, *images/5) {
					x.send(t, disk.Clone(), times)
				}
			}
			t.Logf("%d sent, %d acknowledged, %d acknowledged again", x.sent, x.acknowledged, x.again)
			if x.again < 10 || x.acknowledged == x.sent {
				t.Error("too few of them were acknowledged, or died")
			}
		})
	}
}

func changesOf(t *testing.T, root string, disk *crashfs.FS, s scenario) int {
	t.Helper()
	disk = disk.Clone()
	if err := s.run(open(t, root, disk)); err != nil {
		t.Fatal(err)
	}
	return len(disk.Lines())
}

type retrier struct {
	*oracle
	run     func(e *memory.Engine) error
	random  *rand.Rand
	changes int // of a clean run

	sent, acknowledged, again int
}

func (x *retrier) send(t *testing.T, disk *crashfs.FS, times int) {
	t.Helper()
	done := false
	var way []string
	for range times {
		e := open(t, x.root, disk)
		how := x.mishap(disk)
		err := x.run(e)
		way = append(way, how)
		x.sent++
		if err == nil {
			x.acknowledged++
			if done {
				x.again++
			}
		}
		done = done || err == nil
		disk = x.next(disk)
		s := open(t, x.root, disk).State(context.Background())
		if faults := s.Faults(); len(faults) > 0 {
			t.Fatalf("%q: %v", way, faults)
		}
		if err := x.judge(viewOf(s), done); err != nil {
			t.Fatalf("%q: %v", way, err)
		}
	}
	x.end(t, disk, times, done, way)
}

// end wants no effect of a request that was not sent, and one of any other.
func (x *retrier) end(t *testing.T, disk *crashfs.FS, times int, done bool, way []string) {
	t.Helper()
	e := open(t, x.root, disk)
	if times == 0 {
		if diff := cmp.Diff(x.before, viewOf(e.State(context.Background()))); diff != "" {
			t.Fatalf("not sent:\n%s", diff)
		}
		return
	}
	if err := load(e); err != nil {
		t.Fatalf("%q: recovery: %v", way, err)
	}
	if !done {
		if err := x.run(e); err != nil {
			t.Fatalf("%q: %v", way, err)
		}
	}
	if diff := cmp.Diff(x.clean, filesOf(disk)); diff != "" {
		t.Fatalf("%q (-clean +got):\n%s", way, diff)
	}
}

// mishap lets nothing happen to the next process, or lets one of its changes go wrong.
func (x *retrier) mishap(disk *crashfs.FS) string {
	if x.random.IntN(3) == 0 {
		return "as it should"
	}
	mode := []crashfs.Mode{crashfs.Gone, crashfs.Gone, crashfs.IOError, crashfs.ShortWrite, crashfs.SyncDropped}[x.random.IntN(5)]
	disk.FailAt(x.random.IntN(x.changes), mode)
	return mode.String()
}

// next returns the disk that the next process finds: after the end of this one, or
// after a loss of power.
func (x *retrier) next(disk *crashfs.FS) *crashfs.FS {
	disk.Restart()
	if x.random.IntN(2) == 0 {
		return disk
	}
	var left []*crashfs.FS
	for image := range disk.Images(x.random, 0) {
		left = append(left, image.Disk)
	}
	return left[x.random.IntN(len(left))]
}
