package crashtest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// TestTornAppend cuts an append at each of its bytes: what stood before it is kept, it is
// there whole or not at all, and the next append is not glued to it. In the short run
// the middle of the largest is cut at each fifth byte.
func TestTornAppend(t *testing.T) {
	for _, test := range []struct {
		name string
		size int // of the evidence, in bytes
		next int // at which cuts the next append is tried, in the short run
	}{{"1 B", 1, 1}, {"4096 B", 4096, 7}, {"64 KiB", 64 << 10, 61}} {
		if raced && test.size > 1 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			x, cuts := newTear(t, test.size), 0
			for n := range len(x.line) + 1 {
				if n%11 > 0 && n > 5000 && n < len(x.line)-1000 && !long() {
					continue
				}
				cuts++
				x.read(t, n)
				if n%test.next == 0 || n >= len(x.line)-1 || long() {
					x.goOn(t, n)
				}
			}
			t.Logf("%d cuts of a line of %d bytes", cuts, len(x.line))
		})
	}
}

// A tear is a log that ends in a part of a line.
type tear struct {
	root         string
	disk         *crashfs.FS
	engine       *memory.Engine // follows the disk all along
	draft        memory.Draft
	before, line string
}

func newTear(t *testing.T, size int) *tear {
	t.Helper()
	x := &tear{root: newRoot(t)}
	x.disk = crashfs.New(x.root)
	by(inForceFacts)(t, x.root, x.disk)
	x.before = filesOf(x.disk)[string(dayOf(90))]
	x.draft = draft("torn", "", "x", 3, 90)
	x.draft.Evidence = map[string]string{"log": strings.Repeat("1", size)}
	if size > 100 {
		x.draft.Evidence["odd"] = strings.Repeat("1\"é{}\u2028", 20)
	}
	whole := x.disk.Clone()
	by(func(e *memory.Engine) error { return record(e, x.draft) })(t, x.root, whole)
	x.line = strings.TrimPrefix(filesOf(whole)[string(dayOf(90))], x.before)
	x.engine = open(t, x.root, x.disk)
	return x
}

// read cuts the line to n bytes and reads the log anew.
func (x *tear) read(t *testing.T, n int) {
	t.Helper()
	if err := x.disk.Save(inFolder(dayOf(90)), x.before+x.line[:n]); err != nil {
		t.Fatal(err)
	}
	s := x.engine.State(context.Background())
	want := 2
	if n >= len(x.line)-1 {
		want = 3 // whole, perhaps without its end
	}
	if s.Len() != want || len(s.Faults()) > 0 {
		t.Fatalf("cut to %d bytes of %d: %d facts, faults %v", n, len(x.line), s.Len(), s.Faults())
	}
}

// goOn lets a new process append to the log, and send the torn record again.
func (x *tear) goOn(t *testing.T, n int) {
	t.Helper()
	disk := x.disk.Clone()
	e := open(t, x.root, disk)
	if err := record(e, draft("next", "", "Not glued.", 3, 90), x.draft); err != nil {
		t.Fatalf("cut to %d bytes: %v", n, err)
	}
	for name, e := range map[string]*memory.Engine{"open": e, "reopened": open(t, x.root, disk)} {
		s := e.State(context.Background())
		if s.Len() != 4 || len(s.Faults()) > 0 {
			t.Fatalf("cut to %d bytes, written again, %s: %d facts, faults %v", n, name, s.Len(), s.Faults())
		}
	}
}

// TestTornJournal cuts the journal of a finished decision, in the long run at each byte:
// whatever of it is gone, the decision stands, and the next writer leaves it whole.
func TestTornJournal(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	disk := crashfs.New(root)
	by(inForce, challenge, distill, chooseChallenger)(t, root, disk)
	want, journal := viewOf(open(t, root, disk).State(context.Background())), filesOf(disk)[string(memory.JournalLog)]
	prepared, cuts := strings.Index(journal, "\n"), 0
	for n := range len(journal) {
		if n%13 > 0 && n < prepared-100 && !long() || raced && n%61 > 0 {
			continue
		}
		cuts++
		d := disk.Clone()
		edit(t, d, memory.JournalLog, func(text string) string { return text[:n] })
		e := open(t, root, d)
		if diff := cmp.Diff(want, viewOf(e.State(context.Background()))); diff != "" {
			t.Fatalf("cut to %d bytes:\n%s", n, diff)
		}
		if err := load(e); err != nil {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		got := filesOf(d)[string(memory.JournalLog)]
		if n > prepared && got != journal || n <= prepared && got != "" {
			t.Fatalf("cut to %d bytes: the journal is %q", n, got)
		}
	}
	t.Logf("%d cuts", cuts)
}

// TestTornAudit cuts the one line of the audit at each byte while its decision is still
// pending.
func TestTornAudit(t *testing.T) {
	t.Parallel()
	root := newRoot(t)
	disk := crashfs.New(root)
	diedAfter("audit_appended").setup(t, root, disk)
	audit := filesOf(disk)[string(memory.AuditLog)]
	for n := range len(audit) {
		d := disk.Clone()
		edit(t, d, memory.AuditLog, func(text string) string { return text[:n] })
		if err := load(open(t, root, d)); err != nil {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		if got := filesOf(d)[string(memory.AuditLog)]; got != audit {
			t.Fatalf("cut to %d bytes: the audit is %q", n, got)
		}
	}
	t.Logf("%d cuts", len(audit))
}
