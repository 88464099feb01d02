package crashtest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// TestErrors lets change 0, 1, 2, … of each scenario answer with each error, until a run
// succeeds. The caller gets a named error and no acknowledgement; what it is told as
// recorded is on the disk; after a failed sync the engine only reads, and never syncs
// that file again; and whatever happened, the next process finds the store sound, also
// after a loss of power, and the request sent again ends in the bytes of a clean run.
func TestErrors(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			o, disk := s.ask(t)
			x := &breaker{oracle: o, run: s.run, start: o.mustView(t, disk), random: newRandom(t)}
			modes := []crashfs.Mode{crashfs.SyncDropped, crashfs.ShortWrite, crashfs.IOError, crashfs.NoSpace, crashfs.DoneFailed}
			if raced {
				modes = modes[:1]
			}
			for _, mode := range modes {
				for n := 0; x.breakAt(t, disk.Clone(), n, mode); n++ {
				}
			}
			t.Logf("%d errors, %d of them of a sync, %d told as recorded", x.fired, x.sealed, x.recorded)
			if x.fired < 4*len(modes) {
				t.Errorf("only %d errors", x.fired)
			}
		})
	}
}

type breaker struct {
	*oracle
	run    func(e *memory.Engine) error
	start  view // before the run
	random *rand.Rand

	fired, sealed, recorded int
}

// breakAt reports whether the run came as far as change n.
func (x *breaker) breakAt(t *testing.T, disk *crashfs.FS, n int, mode crashfs.Mode) bool {
	t.Helper()
	e := open(t, x.root, disk)
	disk.FailAt(n, mode)
	err := x.run(e)
	if !disk.Fired() {
		if err != nil {
			t.Fatalf("no error was made, and %v", err)
		}
		return false
	}
	x.fired++
	lines := disk.Lines()
	where := fmt.Sprintf("%v at change %d (%s): %v", mode, n, lines[n], err)
	var pending *memory.PendingError
	told := errors.As(err, &pending)
	if told {
		x.recorded++
	}
	if err != nil && !errors.Is(err, crashfs.ErrInjected) {
		t.Fatalf("%s: another error", where)
	}
	if errno := errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENOSPC); err != nil && !errno {
		t.Fatalf("%s: the error does not say what the disk said", where)
	}
	if swallowed := strings.HasPrefix(lines[n], "remove "); err == nil && !swallowed {
		t.Fatalf("%s: an error of the disk, and none to the caller", where)
	}
	if shown := x.decided(t, disk); err != nil && shown && !told {
		t.Fatalf("%s: the decision is recorded, and the caller is not told", where)
	}
	failedSync := strings.HasPrefix(lines[n], "sync")
	if failedSync != errors.Is(err, memory.ErrSealed) {
		t.Fatalf("%s: sealed, and no sync failed, or the reverse", where)
	}
	if err := x.goesOn(t, disk, e, failedSync); err != nil {
		t.Fatalf("%s: the same engine: %v", where, err)
	}
	disk.Restart()
	if failedSync {
		x.sealed++
		x.unplug(t, disk, told, where)
	}
	if err := x.survives(t, found{disk: disk, acknowledged: err == nil || told || !failedSync}); err != nil {
		t.Fatalf("%s: opened again: %v", where, err)
	}
	return true
}

// decided reports whether a decision that was not even recorded before the run is now.
func (x *breaker) decided(t *testing.T, disk *crashfs.FS) bool {
	t.Helper()
	now := open(t, x.root, disk.Clone()).State(context.Background())
	return len(x.start.Adjudications) < len(now.Adjudications())
}

// goesOn uses the engine of a request that was answered with an error: it does it again,
// or, sealed, reads and does nothing else.
func (x *breaker) goesOn(t *testing.T, disk *crashfs.FS, e *memory.Engine, sealed bool) error {
	t.Helper()
	if !sealed {
		if err := x.request(e); err != nil {
			return err
		}
		if diff := cmp.Diff(x.clean, filesOf(disk)); diff != "" {
			return fmt.Errorf("done again (-clean +got):\n%s", diff)
		}
		return nil
	}
	before := disk.Lines()
	for name, request := range map[string]func(e *memory.Engine) error{
		"the request": x.request, "load": load, "distill": distill,
		"append": func(e *memory.Engine) error { return record(e, draft("s", "", "Sealed.", 3, 1)) },
	} {
		if err := request(e); !errors.Is(err, memory.ErrSealed) {
			return fmt.Errorf("%s after a failed sync: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, disk.Lines()); diff != "" {
		return fmt.Errorf("a sealed store changes the disk:\n%s", diff)
	}
	if again := disk.SyncedAgain(); len(again) > 0 {
		return fmt.Errorf("synced again after a failure: %q", again)
	}
	s := e.State(context.Background())
	if faults := s.Faults(); len(faults) > 0 {
		return fmt.Errorf("a sealed store cannot be read: %v", faults)
	}
	return x.judge(viewOf(s), false)
}

// unplug takes the power away after a failed sync: at once, so that what the kernel forgot
// is not on the disk, and after the next process did the request again.
func (x *breaker) unplug(t *testing.T, disk *crashfs.FS, told bool, where string) {
	t.Helper()
	for image := range disk.Images(x.random, *images/4) {
		f := found{disk: image.Disk, acknowledged: told, damaged: image.Damaged}
		if err := x.survives(t, f); err != nil {
			t.Fatalf("%s: and the power lost: %v\n%q", where, err, image.Fates)
		}
	}
}
