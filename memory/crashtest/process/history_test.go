//go:build unix

package process_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

// What a history is made by.
const (
	engineClients  = 5
	commandClients = 2 // and one that uses a server
	historyCases   = 16
	pollPause      = 3 * time.Millisecond
	verifyEvery    = 10 // polls
)

// TestHistories has processes append, read and decide at once, on one case and on
// different ones, kills some of them, and holds what each was answered against models of
// a log and of registers.
func TestHistories(t *testing.T) {
	seed, operations := seed(t), number(t, "operations")
	binary := filepath.Join(t.TempDir(), "docket")
	if out, err := exec.Command("go", "build", "-o", binary, "docket").CombinedOutput(); err != nil {
		t.Fatalf("build docket: %v: %s", err, out)
	}
	for i := range number(t, "histories") {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			h := newHistory(t, binary, seed+uint64(i))
			h.record(t, operations)
			checkLinear(t, placed(h.events, h.finish(t)), h.conflictIDs())
			h.report(t)
		})
	}
}

// A history is one store and what clients did to it.
type history struct {
	project string
	seed    uint64
	cases   []memory.Case
	clients []client
	begun   time.Time

	next   atomic.Int64 // operation
	mu     sync.Mutex   // guards events
	events []event
	polls  atomic.Int64
}

// newHistory makes a store with open cases, and the clients.
func newHistory(t *testing.T, binary string, seed uint64) *history {
	t.Helper()
	h := &history{project: fastFolder(t), seed: seed}
	store, engine := open(t, h.project, filestore.Options{})
	var facts []memory.Draft
	for i := range historyCases {
		for n, value := range []string{"left", "right", "left", "right"} {
			key := fmt.Sprintf("way.%d", i)
			fact := memory.NewDraft("Go " + value + ".")
			fact.ID, fact.Kind, fact.Importance, fact.MemoryKey = fmt.Sprintf("%s-%d", key, n), memory.Decision, 4, &key
			fact.RecordedAt = historyDay().AddDate(0, 0, -1)
			facts = append(facts, fact)
		}
	}
	for _, a := range []act{{Append: facts}, {Distill: &memory.Run{AsOf: historyEnd(), Policy: memory.DocketPolicy()}}} {
		must(t, a.do(engine))
	}
	if h.cases = engine.State(t.Context()).OpenCases(); len(h.cases) != historyCases {
		t.Fatalf("%d cases", len(h.cases))
	}
	for i := range engineClients {
		h.clients = append(h.clients, &engineClient{project: h.project, random: h.random(i)})
	}
	for i := range commandClients {
		h.clients = append(h.clients, &commandClient{binary: binary, project: h.project, random: h.random(engineClients + i)})
	}
	h.clients = append(h.clients, newServer(t, binary, h.project, store.WorkspaceID()))
	return h
}

// fastFolder returns a folder in memory where there is one: what is tried is how
// processes meet, which they do more often where they wait for no disk.
func fastFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "docket-history-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func (h *history) random(client int) *rand.Rand { return rand.New(rand.NewPCG(h.seed, uint64(client))) }

// record lets the clients do operations until there are that many.
func (h *history) record(t *testing.T, operations int) {
	t.Helper()
	h.begun = time.Now()
	polling, stop := context.WithCancel(t.Context())
	var pollers, clients sync.WaitGroup
	pollers.Go(func() { h.poll(t, polling) })
	for i, c := range h.clients {
		clients.Go(func() { h.act(t, i, c, operations) })
	}
	clients.Wait()
	stop()
	pollers.Wait()
}

// act does operations until there are enough. A decision of unknown outcome is sent again.
func (h *history) act(t *testing.T, number int, c client, operations int) {
	random := h.random(100 + number)
	for n := h.next.Add(1); int(n) <= operations && !t.Failed(); n = h.next.Add(1) {
		op := h.choose(random, c, number, int(n), operations)
		for h.do(t, number, c, op).Unknown && op.Resolve != nil {
			h.next.Add(1)
		}
	}
}

func (h *history) do(t *testing.T, number int, c client, op operation) outcome {
	e := event{client: number, op: op, called: time.Since(h.begun)}
	e.outcome = c.do(t, op)
	e.returned = time.Since(h.begun)
	if e.outcome.Error != "" {
		t.Errorf("client %d: %s: %s", number, describe(op, ""), e.outcome.Error)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
	return e.outcome
}

// choose makes up the n-th operation. All clients go through the cases together.
func (h *history) choose(random *rand.Rand, c client, number, n, operations int) operation {
	at := h.cases[(n-1)*len(h.cases)/operations]
	if random.IntN(4) == 0 {
		at = h.cases[random.IntN(len(h.cases))]
	}
	for {
		op := h.any(random, at, number, n)
		if c.can(op) {
			return op
		}
	}
}

func (h *history) any(random *rand.Rand, at memory.Case, number, n int) operation {
	switch p := random.IntN(100); {
	case p < 50:
		return operation{Append: h.fact(random, n)}
	case p < 62:
		return operation{ReadLog: true}
	case p < 75:
		return operation{ReadCase: at.ID}
	case p < 78:
		return operation{Distill: true}
	}
	actor := fmt.Sprintf("client-%d", number)
	if number == len(h.clients)-1 {
		actor = "server"
	}
	return operation{Resolve: &memory.Resolution{
		ConflictID: at.ID, Revision: at.Revision, Fingerprint: at.Fingerprint, Actor: actor,
		CandidateID: at.Candidates[random.IntN(len(at.Candidates))].ID,
		EventID:     fmt.Sprintf("event-%d", n), Rationale: fmt.Sprintf("Because of %d.", n),
	}}
}

// fact returns a fact without a key. One in ten is for MEMORY.md.
func (h *history) fact(random *rand.Rand, n int) *memory.Draft {
	fact := memory.NewDraft(fmt.Sprintf("Number %d was tried.", n))
	fact.ID, fact.RecordedAt = fmt.Sprintf("%s%d", factMark, n), historyDay()
	if random.IntN(10) == 0 {
		fact.Kind, fact.Importance = memory.Pitfall, 5
	}
	return &fact
}

// poll reads again and again, as a page does. What a reader saw, it must see again.
func (h *history) poll(t *testing.T, ctx context.Context) {
	_, engine := open(t, h.project, filestore.Options{})
	facts, decided := 0, 0
	for ctx.Err() == nil && !t.Failed() {
		state := engine.State(context.Background())
		if err := whole(state); err != nil {
			t.Errorf("a reader saw: %v", err)
		}
		if state.Len() < facts || len(state.Adjudications()) < decided {
			t.Errorf("a reader saw %d facts and %d adjudications after %d and %d", state.Len(), len(state.Adjudications()), facts, decided)
		}
		facts, decided = state.Len(), len(state.Adjudications())
		if h.polls.Add(1)%verifyEvery == 0 {
			h.verify(t, engine)
		}
		time.Sleep(pollPause)
	}
}

// verify checks the store beside its writers: it may note what they are about to do, and
// find no fault.
func (h *history) verify(t *testing.T, engine *memory.Engine) {
	findings, err := engine.Verify(context.Background())
	if err != nil {
		t.Errorf("a reader verified: %v", err)
	}
	for _, f := range findings {
		if f.Severity == memory.SeverityFault {
			t.Errorf("a reader found %s:%d: %s", f.File, f.Line, f.What)
		}
	}
}

// finish looks at the store when all is over, and returns what it says: nothing was lost,
// and what the models cannot see is in order.
func (h *history) finish(t *testing.T) *memory.State {
	t.Helper()
	store, engine := open(t, h.project, filestore.Options{})
	must(t, engine.Recover(t.Context()))
	sound(t, store, engine)
	state := engine.State(t.Context())
	for _, e := range h.events {
		if e.op.Append == nil || e.outcome.Unknown || e.outcome.Busy {
			continue
		}
		if _, ok := state.Fact(e.op.Append.ID); !ok {
			t.Errorf("%s was acknowledged and is lost", e.op.Append.ID)
		}
	}
	last := len(h.clients)
	for _, op := range append(h.readCases(), operation{ReadLog: true}) {
		h.do(t, last, engineOf{engine}, op)
	}
	for range 2 { // the second finds nothing to do, or finishes what a killed run left
		must(t, act{Distill: &memory.Run{AsOf: historyEnd(), Policy: memory.DocketPolicy()}}.do(engine))
	}
	h.checkEntries(t, engine.State(t.Context()))
	sound(t, store, engine)
	return state
}

// checkEntries fails unless each fact that is worth an entry is evidence of one.
func (h *history) checkEntries(t *testing.T, state *memory.State) {
	t.Helper()
	for fact := range state.Facts() {
		if fact.Kind == memory.Pitfall && len(state.Uses(fact.ID).Entries) != 1 {
			t.Errorf("fact %s is evidence of %d entries", fact.ID, len(state.Uses(fact.ID).Entries))
		}
	}
}

func (h *history) readCases() (ops []operation) {
	for _, id := range h.conflictIDs() {
		ops = append(ops, operation{ReadCase: id})
	}
	return ops
}

func (h *history) conflictIDs() (ids []string) {
	for _, c := range h.cases {
		ids = append(ids, c.ID)
	}
	return ids
}

// engineOf is the client of this process.
type engineOf struct{ engine *memory.Engine }

func (c engineOf) can(operation) bool                    { return true }
func (c engineOf) do(_ *testing.T, op operation) outcome { return op.run(c.engine) }

// report logs what the history was made of, and fails where one of long enough never met
// what it is for.
func (h *history) report(t *testing.T) {
	t.Helper()
	count := func(is func(e event) bool) (n int) {
		for _, e := range h.events {
			if is(e) {
				n++
			}
		}
		return n
	}
	unknown := count(func(e event) bool { return e.outcome.Unknown })
	busy := count(func(e event) bool { return e.outcome.Busy })
	refused := count(func(e event) bool { return e.outcome.Decided })
	byServer := count(func(e event) bool { return e.client == len(h.clients)-1 })
	byCommand := count(func(e event) bool { return e.client >= engineClients && e.client < len(h.clients)-1 })
	t.Logf("%d operations in %v: %d by commands, %d by the server, %d unknown, %d busy, %d refused; %d polls",
		len(h.events), h.events[len(h.events)-1].returned.Round(time.Millisecond), byCommand, byServer, unknown, busy, refused, h.polls.Load())
	if len(h.events) > 500 && (byServer == 0 || byCommand == 0 || refused == 0 || h.polls.Load() == 0) {
		t.Error("somebody had nothing to do")
	}
	if busy > len(h.events)/20 {
		t.Errorf("%d of %d operations found the store busy", busy, len(h.events))
	}
}
