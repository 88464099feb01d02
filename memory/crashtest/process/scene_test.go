//go:build unix

package process_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// identity is that of stores that are copied from folder to folder.
const identity = "/somewhere/project"

// A scene is a store, and acts on it: the same again and again.
type scene struct {
	twin *twin // what the store is before the acts
	acts []act
}

// newScene makes a store with two open cases, and acts that a store in use sees: an
// append to the day's log, a decision, an append that begins two logs, a distillation
// that changes all documents, and a decision about what it queued.
// Whoever wrote last died in it: the logs that grow are torn.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := newBlankScene(t)
	s.acts = nil
	script := newScript(1, 1)
	s.twin.do(t, act{Append: script.remark()})
	for len(s.twin.engine.State(t.Context()).OpenCases()) < 2 {
		script.n++
		s.twin.do(t, act{Append: script.tie()}, script.distill())
	}
	ahead := s.twin.fork()
	add := func(a act) {
		ahead.do(t, a)
		s.acts = append(s.acts, a)
		script.n++
	}
	cases := func() []memory.Case { return ahead.engine.State(t.Context()).OpenCases() }
	script.n++
	add(act{Append: script.remark()})
	add(script.resolve(cases()[0]))
	script.serial += 30 // ten days later
	add(act{Append: script.tie()})
	add(script.distill())
	add(script.resolve(cases()[len(cases())-1]))
	for _, log := range []memory.Name{memory.DailyLog(s.acts[0].Append[0].RecordedAt), memory.AuditLog, memory.JournalLog} {
		s.twin.shelf.files[log] = append(s.twin.shelf.files[log], `{"torn": "`...)
	}
	return s
}

// newBlankScene has no store yet, and the append that creates it.
func newBlankScene(t *testing.T) *scene {
	t.Helper()
	store, _ := open(t, t.TempDir(), filestore.Options{Identity: identity})
	return &scene{twin: newTwin(newShelf(store.WorkspaceID())), acts: []act{{Append: newScript(1, 1).remark()}}}
}

// lay puts a store's files into a project's folder.
func (s *shelf) lay(t *testing.T, project string) {
	t.Helper()
	store, _ := open(t, project, filestore.Options{Identity: identity})
	if len(s.files) == 0 {
		return
	}
	must(t, os.MkdirAll(filepath.Join(store.Folder(), "daily"), 0o700))
	for name, data := range s.files {
		must(t, os.WriteFile(filepath.Join(store.Folder(), filepath.FromSlash(string(name))), data, 0o600))
	}
}

// unfinished returns the store of the scene as it is when the writer of its first
// decision dies after each of its writes, from the commit point on; w is what it was
// before, with all acts done that come earlier.
func (s *scene) unfinished(t *testing.T) (w *twin, images []*shelf, decision act) {
	t.Helper()
	w = s.twin.fork()
	for _, decision = range s.acts {
		if decision.Resolve != nil {
			break
		}
		w.do(t, decision)
	}
	for n := 1; ; n++ {
		dying := w.fork()
		dying.shelf.left = n
		err := decision.do(dying.engine)
		if err == nil {
			return w, images, decision
		}
		dying.shelf.left = 0
		if pending := new(memory.PendingError); errors.As(err, &pending) {
			images = append(images, dying.shelf)
		}
	}
}
