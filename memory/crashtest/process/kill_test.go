//go:build unix

package process_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"docket/memory/filestore"
)

const (
	killersAtOnce = 2  // each with stores of its own
	killsOfStore  = 10 // then a new one is begun, since the journal grows with each decision
	mostActs      = 3  // that a child is let acknowledge before its end is near
	shortestLife  = time.Millisecond
	longestLife   = 20 * time.Millisecond // from then on
	longestRescue = 8 * time.Millisecond  // with the start of the process
)

// TestKills kills children that append, distill and decide, at random moments, and now
// and then the child that recovers.
func TestKills(t *testing.T) {
	kills, seed := number(t, "kills"), seed(t)
	for i := range killersAtOnce {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			k := &killer{random: rand.New(rand.NewPCG(seed, uint64(i)))}
			for n := range kills / killersAtOnce {
				if n%killsOfStore == 0 {
					k.begin(t)
				}
				k.round(t)
			}
			t.Logf("%+v", k.counts)
			k.counts.check(t, kills/killersAtOnce)
		})
	}
}

// A killer has one store at a time, and its twin.
type killer struct {
	random  *rand.Rand
	project string
	twin    *twin
	serial  int
	counts  counts
}

// counts tell whether the kills struck where they should.
type counts struct {
	Kills, Rescues                 int            // children killed in their acts, and in recovery
	Acknowledged, InFlight         map[string]int // acts by name
	Pending, Torn, BehindMemory    int            // what the kills left
	DoneAnyway, UndoneOrPartlyDone int            // acts in flight
}

// check fails where a run of some length never met what it is for.
func (c *counts) check(t *testing.T, kills int) {
	t.Helper()
	if kills < 100 {
		return
	}
	for _, name := range []string{"append", "distill", "resolve"} {
		if c.Acknowledged[name] == 0 || c.InFlight[name] == 0 {
			t.Errorf("%s: %d were acknowledged and %d in flight", name, c.Acknowledged[name], c.InFlight[name])
		}
	}
	if c.Pending == 0 || c.DoneAnyway == 0 || c.UndoneOrPartlyDone == 0 {
		t.Errorf("no kill left a pending decision, or acts were never, or always, done: %+v", *c)
	}
}

func (k *killer) begin(t *testing.T) {
	k.project, k.serial = t.TempDir(), 0
	store, _ := open(t, k.project, filestore.Options{})
	k.twin = newTwin(newShelf(store.WorkspaceID()))
}

func (k *killer) round(t *testing.T) {
	k.serial++
	c := start(t, task{Name: "act", Project: k.project, Seed: k.random.Uint64(), Serial: k.serial})
	done, inFlight := k.kill(t, c)
	k.counts.add(done, inFlight)
	k.twin.do(t, done...)
	for k.random.IntN(4) == 0 {
		k.rescue(t)
	}
	store, engine, left := recovered(t, k.twin, k.project, "", inFlight)
	k.counts.saw(left)
	if inFlight != nil {
		k.counts.ended(same(k.twin.content(), contentOf(engine.State(t.Context()))))
	}
	settled(t, k.twin, store, engine, inFlight, k.random.IntN(2) == 0)
}

// kill kills a child at a random moment: soon after it has done what it is let do, and
// mostly in the midst of something.
func (k *killer) kill(t *testing.T, c *child) (done []act, inFlight *act) {
	t.Helper()
	acts, life := k.random.IntN(mostActs+1), shortestLife+upTo(k.random, longestLife-shortestLife)
	done, inFlight, err := c.listen(func(n int) {
		if n == acts {
			time.AfterFunc(life, func() { _ = c.Process.Kill() })
		}
	})
	must(t, err)
	_ = c.Wait()
	if !c.killed() {
		t.Fatalf("a child ended by itself: %s", c.ProcessState)
	}
	return done, inFlight
}

// rescue starts a child that recovers the store, and kills it, too.
func (k *killer) rescue(t *testing.T) {
	k.counts.Rescues++
	c := start(t, task{Name: "recover", Project: k.project})
	time.Sleep(upTo(k.random, longestRescue))
	c.kill()
	if !c.killed() && !c.ProcessState.Success() {
		t.Fatalf("recovery: %s", c.ProcessState)
	}
}

func (c *counts) add(done []act, inFlight *act) {
	if c.Acknowledged == nil {
		c.Acknowledged, c.InFlight = map[string]int{}, map[string]int{}
	}
	c.Kills++
	for _, a := range done {
		c.Acknowledged[a.name()]++
	}
	if inFlight != nil {
		c.InFlight[inFlight.name()]++
	}
}

func (c *counts) saw(left wreck) {
	for _, seen := range []struct {
		is    bool
		count *int
	}{{left.pending, &c.Pending}, {left.torn, &c.Torn}, {left.projection, &c.BehindMemory}} {
		if seen.is {
			*seen.count++
		}
	}
}

func (c *counts) ended(undone bool) {
	if undone {
		c.UndoneOrPartlyDone++
	} else {
		c.DoneAnyway++
	}
}
