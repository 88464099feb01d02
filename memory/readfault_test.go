package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// TestReadErrors lets each read of the disk fail, one after the other, while a store is
// opened, read and distilled. What cannot be read is never taken for what is not there:
// there is an error or a fault, or all that the store holds; and upon an error nothing
// was written, or, in what is read behind the first write, what the next run makes whole.
func TestReadErrors(t *testing.T) {
	base := t.TempDir()
	setupTie(t, openFaulty(t, base, nil))
	clean := copyOf(t, base)
	if err := distillFaulty(openFaulty(t, clean, nil)); err != nil {
		t.Fatal(err)
	}
	r := &readBreaker{
		base: base, shown: viewOf(t, base),
		before: readFolder(t, storeIn(base)), after: readFolder(t, storeIn(clean)),
	}
	for name, try := range map[string]func(*testing.T, int) bool{"open": r.open, "state": r.state, "distill": r.distill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for ; try(t, n); n++ {
			}
			if t.Logf("%d reads", n); n < 3 {
				t.Errorf("only %d reads failed", n)
			}
		})
	}
}

type readBreaker struct {
	base          string
	shown         view // in base
	before, after map[string]string
}

// broken opens a store over a disk on which nothing is broken yet.
func broken(t *testing.T, dir string) (*memory.Engine, *faultfs.FS) {
	t.Helper()
	disk := faultfs.New(filestore.OS(), dir)
	return openFaulty(t, dir, disk), disk
}

// told reports whether err says that the disk refused to be read, be it by the file.
func told(err error) bool {
	fault := new(memory.Fault)
	return errors.Is(err, faultfs.ErrInjected) || errors.As(err, &fault) && fault.Code == memory.CodeIO
}

func (r *readBreaker) open(t *testing.T, n int) (fired bool) {
	disk := faultfs.New(filestore.OS(), r.base)
	disk.FailReadAt(n)
	_, err := filestore.Open(r.base, filestore.Options{Identity: identity, FS: disk})
	if disk.Fired() != told(err) {
		t.Errorf("read %d: fired %t, %v", n, disk.Fired(), err)
	}
	return disk.Fired()
}

// state also reads again, when the disk is well: nothing is left out for good.
func (r *readBreaker) state(t *testing.T, n int) (fired bool) {
	e, disk := broken(t, r.base)
	disk.FailReadAt(n)
	s := e.State(t.Context())
	fired = disk.Fired()
	// What failed once may have been read at a second look.
	if faulty := len(s.Faults()) > 0; faulty && !fired || !faulty && !cmp.Equal(r.shown, seen(s)) {
		t.Errorf("read %d: fired %t, faults %v, and %+v", n, fired, s.Faults(), seen(s))
	}
	disk.FailReadAt(-1)
	again := e.State(t.Context())
	if diff := cmp.Diff(r.shown, seen(again)); diff != "" || len(again.Faults()) > 0 {
		t.Errorf("read %d: and read again: %v\n%s", n, again.Faults(), diff)
	}
	if lines := disk.Lines(); len(lines) > 0 {
		t.Errorf("read %d: a reader changed the disk: %q", n, lines)
	}
	return fired
}

func (r *readBreaker) distill(t *testing.T, n int) (fired bool) {
	dir := copyOf(t, r.base)
	e, disk := broken(t, dir)
	disk.FailReadAt(n)
	result, err := e.Distill(context.Background(), memory.Run{Policy: memory.DocketPolicy()})
	fired = disk.Fired()
	disk.FailReadAt(-1)
	got := readFolder(t, storeIn(dir))
	// What fails in looking for leftovers is passed over: nothing reads them.
	if err == nil && (len(result.Cases) == 0 || !cmp.Equal(got, r.after)) {
		t.Errorf("read %d: no error, and another outcome: %+v\n%s", n, result, cmp.Diff(r.after, got))
	}
	if err != nil && !told(err) {
		t.Errorf("read %d: another error: %v", n, err)
	}
	written := slices.ContainsFunc(disk.Lines(), func(line string) bool { return strings.HasPrefix(line, "create") })
	if err != nil && !written && !cmp.Equal(got, r.before) {
		t.Errorf("read %d: %v, and something was written:\n%s", n, err, cmp.Diff(r.before, got))
	}
	if err := distillFaulty(e); err != nil {
		t.Errorf("read %d: the same engine again: %v", n, err)
	}
	if diff := cmp.Diff(r.after, readFolder(t, storeIn(dir))); diff != "" {
		t.Errorf("read %d: run again (-clean +got):\n%s", n, diff)
	}
	return fired
}
