package crashtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// A view is all that a reader can tell apart, as JSON by id.
type view struct {
	Facts, Entries, Cases, Adjudications map[string]string
}

func viewOf(s *memory.State) view {
	v := view{Facts: map[string]string{}, Entries: map[string]string{}, Cases: map[string]string{}, Adjudications: map[string]string{}}
	for f := range s.Facts() {
		v.Facts[f.ID] = encode(f)
	}
	for _, e := range s.Entries() {
		v.Entries[e.Key] = encode(e)
	}
	for _, c := range s.Cases() {
		v.Cases[c.ID] = encode(c)
	}
	for _, a := range s.Adjudications() {
		v.Adjudications[a.EventID] = encode(a)
	}
	return v
}

func encode(record any) string {
	data, err := json.Marshal(record)
	if err != nil {
		panic(err) // a value of the domain can always be encoded
	}
	return string(data)
}

// documents returns the view without its facts.
func (v view) documents() view { v.Facts = nil; return v }

// An oracle judges what is found on a disk on which one request was sent: was it
// acknowledged, it is there; was it not, it is there, or it is not.
type oracle struct {
	root          string
	request       func(e *memory.Engine) error
	before, after view
	clean         map[string]string // the files after a request without a crash
	judged        map[string]bool   // what was found before, which is judged once
	broken        int               // how many of them held a fault that a loss of power may leave
}

// ask prepares a disk, and an oracle that knows what the request is to make of it.
func (s scenario) ask(t testing.TB) (*oracle, *crashfs.FS) {
	t.Helper()
	root := newRoot(t)
	disk := crashfs.New(root)
	s.setup(t, root, disk)
	o := &oracle{root: root, request: s.run, judged: map[string]bool{}}
	o.before = o.mustView(t, disk)
	if s.request != nil {
		o.request = s.request
		acknowledged := crashfs.New(root)
		s.acknowledged(t, root, acknowledged)
		o.before = o.mustView(t, acknowledged)
	}
	clean := disk.Clone()
	if err := s.run(open(t, root, clean)); err != nil {
		t.Fatal(err)
	}
	o.after, o.clean = o.mustView(t, clean), filesOf(clean)
	return o, disk
}

func (o *oracle) mustView(t testing.TB, disk *crashfs.FS) view {
	t.Helper()
	s := open(t, o.root, disk.Clone()).State(context.Background())
	if faults := s.Faults(); len(faults) > 0 {
		t.Fatalf("the scenario has faults: %v", faults)
	}
	return viewOf(s)
}

// judge says what is wrong with a view.
func (o *oracle) judge(got view, acknowledged bool) error {
	if acknowledged {
		return differ("acknowledged, and it is not there", o.after, got)
	}
	for id, fact := range got.Facts {
		if o.after.Facts[id] != fact {
			return fmt.Errorf("a fact that nobody sent: %s", fact)
		}
	}
	for id, fact := range o.before.Facts {
		if got.Facts[id] != fact {
			return fmt.Errorf("a fact that was acknowledged is lost: %s", fact)
		}
	}
	if cmp.Equal(got.documents(), o.before.documents()) || cmp.Equal(got.documents(), o.after.documents()) {
		return nil
	}
	halfway := o.before // of a distillation: conflicts.json is written first
	halfway.Cases = o.after.Cases
	if decision := !cmp.Equal(o.before.Adjudications, o.after.Adjudications); decision {
		return differ("half of a decision", o.after.documents(), got.documents())
	}
	return differ("neither before nor after, nor between the two documents", halfway.documents(), got.documents())
}

func differ(what string, want, got view) error {
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("%s (-want +got):\n%s", what, diff)
	}
	return nil
}

// found is a disk after a crash, and what of it may be broken.
type found struct {
	disk         *crashfs.FS
	acknowledged bool
	damaged      map[string]bool // files of which an unsynced part is garbage
}

// survives opens the disk as the next process does and holds it against what was
// acknowledged; recovers it; sends the request again, and wants the bytes of a run
// without a crash, also after another loss of power.
func (o *oracle) survives(t testing.TB, f found) error {
	key := fmt.Sprint(f.acknowledged, len(f.damaged), f.disk.Digest())
	if o.judged[key] {
		return nil
	}
	o.judged[key] = true
	disk := f.disk.Clone()
	e := open(t, o.root, disk)
	mended := len(e.State(context.Background()).Faults()) > 0
	if mended {
		o.broken++
		if err := o.damage(t, disk, e, f); err != nil {
			return err
		}
		e = open(t, o.root, disk)
	}
	if err := o.judge(viewOf(e.State(context.Background())), f.acknowledged); err != nil {
		return err
	}
	if err := sound(e); err != nil {
		return err
	}
	if err := o.recovers(e, f.acknowledged); err != nil {
		return fmt.Errorf("recovery: %w", err)
	}
	if err := o.request(e); err != nil {
		return fmt.Errorf("sent again: %w", err)
	}
	files := filesOf(disk)
	for name := range f.damaged { // garbage may begin with an end of line, and blank lines are none
		if name = strings.TrimPrefix(name, folder+"/"); strings.HasSuffix(name, ".jsonl") {
			files[name] = strings.ReplaceAll(files[name], "\n\n", "\n")
		}
	}
	if diff := cmp.Diff(o.clean, files); diff != "" && !mended {
		return fmt.Errorf("sent again (-clean +got):\n%s", diff)
	}
	again := open(t, o.root, disk.Synced().Disk).State(context.Background())
	if faults := again.Faults(); len(faults) > 0 {
		return fmt.Errorf("sent again, and then the power lost: %v", faults)
	}
	return differ("sent again, and then the power lost", o.after, viewOf(again))
}

// recovers lets the next writer in, and looks at MEMORY.md.
func (o *oracle) recovers(e *memory.Engine, acknowledged bool) error {
	s, err := e.Load(context.Background(), allParts()...)
	if err != nil {
		return err
	}
	if text, there := s.Memory(); there != s.HasCurated() || text != s.Rendered() {
		return fmt.Errorf("MEMORY.md is %q, and curated.json says %q", text, s.Rendered())
	}
	return o.judge(viewOf(s), acknowledged)
}

// sound wants that Verify finds no fault.
func sound(e *memory.Engine) error {
	findings, err := e.Verify(context.Background())
	for _, f := range findings {
		if f.Severity == memory.SeverityFault {
			return fmt.Errorf("verify: %+v", f)
		}
	}
	return err
}

// damage is the one place in which a Fault is accepted after a loss of power: garbage in
// the unsynced part of a log cannot be told from a line that somebody broke. It is named
// by file and line, all that was acknowledged is still shown, nothing is written, and
// when the named lines are deleted the store is sound.
func (o *oracle) damage(t testing.TB, disk *crashfs.FS, e *memory.Engine, f found) error {
	s := e.State(context.Background())
	for _, fault := range s.Faults() {
		if !f.damaged[inFolder(memory.Name(fault.File))] || fault.Line == 0 {
			return fmt.Errorf("an unexpected fault: %v", fault)
		}
	}
	if err := o.shows(viewOf(s)); err != nil {
		return err
	}
	before := filesOf(disk)
	var fault *memory.Fault
	if err := load(e); !errors.As(err, &fault) {
		return fmt.Errorf("%v, and a writer was let in: %v", s.Faults(), err)
	}
	for _, fault := range s.Faults() {
		if before[fault.File] != filesOf(disk)[fault.File] {
			return fmt.Errorf("%s was written over", fault.File)
		}
	}
	for range 1000 {
		faults := open(t, o.root, disk).State(context.Background()).Faults()
		if len(faults) == 0 {
			return nil
		}
		deleteLines(t, disk, faults)
	}
	return errors.New("deleting the named lines does not mend the store")
}

// shows wants that all is there that was acknowledged before the request.
func (o *oracle) shows(got view) error {
	for id, fact := range o.before.Facts {
		if got.Facts[id] != fact {
			return fmt.Errorf("an acknowledged fact is not shown: %s", fact)
		}
	}
	for id, a := range o.before.Adjudications {
		if got.Adjudications[id] != a {
			return fmt.Errorf("an acknowledged decision is not shown: %s", a)
		}
	}
	for key := range o.before.Entries {
		if _, ok := got.Entries[key]; !ok {
			return fmt.Errorf("the entry %s is not shown", key)
		}
	}
	return nil
}

func deleteLines(t testing.TB, disk *crashfs.FS, faults []*memory.Fault) {
	t.Helper()
	byFile := map[string][]int{}
	for _, fault := range faults {
		byFile[fault.File] = append(byFile[fault.File], fault.Line)
	}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		edit(t, disk, memory.Name(file), func(text string) string {
			var kept strings.Builder
			n := 0
			for line := range strings.Lines(text) {
				if n++; !slices.Contains(byFile[file], n) {
					kept.WriteString(line)
				}
			}
			return kept.String()
		})
	}
}
