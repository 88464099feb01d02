package web

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/templates"
)

// A bench is a served project under test, with a clock of its own.
type bench struct {
	t       *testing.T
	project string // folder
	state   string // the server's own folder
	store   *filestore.Store
	engine  *memory.Engine
	server  *server
	url     string
	log     *syncBuffer
	clock   *clock
}

// A clock stands still unless it is moved.
type clock struct {
	mu  sync.Mutex // guards now
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// syncBuffer collects what the server logs.
type syncBuffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

var today = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// newBench serves an empty project.
func newBench(t *testing.T, changes ...func(*Config)) *bench {
	t.Helper()
	b := &bench{t: t, project: t.TempDir(), state: t.TempDir(), log: &syncBuffer{}, clock: &clock{now: today}}
	b.store, b.engine = openProject(t, b.project, b.clock)
	b.serve(changes...)
	return b
}

func openProject(t *testing.T, dir string, c *clock) (*filestore.Store, *memory.Engine) {
	t.Helper()
	store, err := filestore.Open(dir, filestore.Options{LeaseWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return store, memory.Open(store, memory.Options{Now: c.read})
}

// serve starts a server over the project; a second call is a restart on a new port.
func (b *bench) serve(changes ...func(*Config)) {
	b.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	b.serveOn(listener, changes...)
}

// serveOn returns what ends the server at once, as if its process had died.
func (b *bench) serveOn(listener net.Listener, changes ...func(*Config)) (kill func()) {
	b.t.Helper()
	cfg := Config{
		Projects: []Project{{Name: "billing", Engine: b.engine}},
		Actor:    "team lead",
		StateDir: b.state,
		Log:      slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now:      b.clock.read,
	}
	for _, change := range changes {
		change(&cfg)
	}
	s, err := newServer(cfg, listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		b.t.Fatal(err)
	}
	ts := httptest.NewUnstartedServer(s.handler())
	ts.Listener.Close()
	ts.Listener = listener
	ts.Start()
	b.t.Cleanup(s.close)
	b.t.Cleanup(ts.Close)
	b.server, b.url = s, ts.URL
	return func() { ts.CloseClientConnections(); ts.Close() }
}

func (b *bench) workspace() string { return b.engine.WorkspaceID() }

// record appends facts of one key, all equal in weight, on the given days of 2026.
func (b *bench) record(key, content string, days ...string) []memory.Fact {
	b.t.Helper()
	var drafts []memory.Draft
	for _, day := range days {
		at, err := time.Parse(time.DateOnly, "2026-"+day)
		if err != nil {
			b.t.Fatal(err)
		}
		d := memory.NewDraft(content)
		d.Kind, d.Importance, d.RecordedAt = memory.Decision, 4, at.Add(9*time.Hour)
		d.Evidence = map[string]string{"file": "docs/adr.md"}
		if key != "" {
			d.MemoryKey = &key
		}
		drafts = append(drafts, d)
	}
	facts, err := b.engine.Append(context.Background(), drafts...)
	if err != nil {
		b.t.Fatal(err)
	}
	return facts
}

// distill runs the default policy over everything.
func (b *bench) distill() memory.Result {
	b.t.Helper()
	result, err := b.engine.Distill(context.Background(), memory.Run{Policy: memory.DocketPolicy()})
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// dispute makes an open case on key: one value in force and two that tie against it.
func (b *bench) dispute(key string) memory.Case {
	b.t.Helper()
	b.record(key, "Use SQLite.", "01-01")
	b.distill()
	b.record(key, "Use Postgres.", "01-10", "01-11")
	b.record(key, "Use MySQL.", "01-10", "01-11")
	b.distill()
	return b.open(key)
}

// open returns the open case on key.
func (b *bench) open(key string) memory.Case {
	b.t.Helper()
	for _, c := range b.read().OpenCases() {
		if c.MemoryKey == key {
			return c
		}
	}
	b.t.Fatalf("no open case on %s", key)
	return memory.Case{}
}

func (b *bench) read() *memory.State { return b.engine.State(context.Background()) }

// candidate returns the id of the candidate that says content.
func (b *bench) candidate(c memory.Case, content string) string {
	b.t.Helper()
	for _, candidate := range c.Candidates {
		if candidate.Content == content {
			return candidate.ID
		}
	}
	b.t.Fatalf("%s holds no %q", c.ID, content)
	return ""
}

// decide is the form of a case filled in.
func (b *bench) decide(c memory.Case, content, words string) url.Values {
	b.t.Helper()
	return url.Values{
		string(templates.FieldRevision):    {itoa(c.Revision)},
		string(templates.FieldFingerprint): {c.Fingerprint},
		string(templates.FieldEventID):     {newEventID()},
		string(templates.FieldCandidate):   {b.candidate(c, content)},
		string(templates.FieldRationale):   {words},
	}
}

// recordAs appends one unkeyed fact under an id of the caller's.
func (b *bench) recordAs(id, content string) {
	b.t.Helper()
	d := memory.NewDraft(content)
	d.ID, d.RecordedAt = id, today.AddDate(0, 0, -1)
	if _, err := b.engine.Append(context.Background(), d); err != nil {
		b.t.Fatal(err)
	}
}

// distillUnder runs a policy over one key.
func (b *bench) distillUnder(policy memory.Policy, key string) {
	b.t.Helper()
	if _, err := b.engine.Distill(context.Background(), memory.Run{Policy: policy, Key: key}); err != nil {
		b.t.Fatal(err)
	}
}
