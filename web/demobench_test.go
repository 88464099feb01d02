package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/demo"
	"docket/memory/filestore"
)

// demoNow is the moment that the example of the tests stands at.
var demoNow = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// demoIdentity is what the example's records are of, wherever its copies are.
const demoIdentity = "/srv/billing"

// A model is the worked example, made once; tests work on copies of it.
type model struct {
	once   sync.Once
	folder string
	err    error
}

var example model

func (m *model) make() {
	if m.folder, m.err = os.MkdirTemp("", "docket-example-"); m.err != nil {
		return
	}
	var store *filestore.Store
	if store, m.err = filestore.Open(m.folder, filestore.Options{Identity: demoIdentity}); m.err != nil {
		return
	}
	engine := memory.Open(store, memory.Options{Now: func() time.Time { return demoNow }})
	m.err = demo.Write(context.Background(), engine, demoNow)
}

// remove takes the example away again, if it was made.
func (m *model) remove() {
	if m.folder != "" {
		os.RemoveAll(m.folder)
	}
}

// newDemo serves a copy of the worked example.
func newDemo(t *testing.T, changes ...func(*Config)) *bench {
	t.Helper()
	example.once.Do(example.make)
	if example.err != nil {
		t.Fatal(example.err)
	}
	b := &bench{t: t, project: filepath.Join(t.TempDir(), "billing"), state: t.TempDir(), log: &syncBuffer{}, clock: &clock{now: demoNow}}
	if err := errors.Join(os.CopyFS(b.project, os.DirFS(example.folder)), private(b.project)); err != nil {
		t.Fatal(err)
	}
	b.openDemo()
	b.serve(changes...)
	return b
}

// private sets the modes that a copy loses.
func private(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		mode := fs.FileMode(0o600)
		if err == nil && entry.IsDir() {
			mode = 0o700
		}
		return errors.Join(err, os.Chmod(path, mode))
	})
}

// openDemo opens the copy as another process would.
func (b *bench) openDemo() {
	b.t.Helper()
	store, err := filestore.Open(b.project, filestore.Options{Identity: demoIdentity, LeaseWait: 2 * time.Second})
	if err != nil {
		b.t.Fatal(err)
	}
	b.store, b.engine = store, memory.Open(store, memory.Options{Now: b.clock.read})
}

// say appends one fact on key that is as old as the days tell.
func (b *bench) say(key, content string, days int, source, file string) memory.Fact {
	b.t.Helper()
	d := memory.NewDraft(content)
	d.Kind, d.Importance, d.Source = memory.Decision, 3, source
	d.RecordedAt = b.clock.read().AddDate(0, 0, -days)
	d.MemoryKey = &key
	d.Evidence = map[string]string{"file": file, "line": "7"}
	facts, err := b.engine.Append(context.Background(), d)
	if err != nil {
		b.t.Fatal(err)
	}
	return facts[0]
}

// casePath is where the open case on key is.
func (b *bench) casePath(key string) string {
	b.t.Helper()
	return fmt.Sprintf("/w/%s/cases/%s", b.workspace(), b.open(key).ID)
}

// at is a path in the workspace.
func (b *bench) at(path string) string { return "/w/" + b.workspace() + "/" + path }
