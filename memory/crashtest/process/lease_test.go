//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

const (
	contenders     = 16
	countRounds    = 25
	holdersKilled  = 15
	holdersStopped = 25
)

// countTask appends facts, one at a time, and acknowledges each.
func countTask(engine *memory.Engine, rounds int) error {
	if err := say(message{Ready: true}); err != nil {
		return err
	}
	for n := range rounds {
		fact := memory.NewDraft("Counted.")
		fact.ID, fact.RecordedAt = fmt.Sprintf("%d-%d", os.Getpid(), n), historyDay()
		if err := announced(engine, act{Append: []memory.Draft{fact}}); err != nil {
			return err
		}
	}
	return nil
}

// holdTask holds the lease until its input ends.
func holdTask(store *filestore.Store) error {
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		return err
	}
	if err := say(message{Ready: true}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, release())
}

// ready waits until the child says that it is.
func (c *child) ready(t *testing.T) {
	t.Helper()
	var m message
	if err := c.said.Decode(&m); err != nil || !m.Ready {
		t.Fatalf("a child is not ready: %q: %v", m.Error, err)
	}
}

// TestContenders has many processes append at once: no line takes the place of another.
func TestContenders(t *testing.T) {
	project := t.TempDir()
	var children []*child
	for range contenders {
		children = append(children, start(t, task{Name: "count", Project: project, Wait: time.Minute, Rounds: countRounds}))
	}
	acknowledged := make([][]act, contenders)
	var group sync.WaitGroup
	for i, c := range children {
		group.Go(func() {
			c.ready(t)
			var err error
			if acknowledged[i], _, err = c.listen(nil); err != nil {
				t.Error(err)
			}
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	store, engine := open(t, project, filestore.Options{})
	must(t, engine.Recover(t.Context()))
	sound(t, store, engine)
	state := engine.State(t.Context())
	if state.Len() != contenders*countRounds {
		t.Errorf("%d facts, want %d", state.Len(), contenders*countRounds)
	}
	for _, a := range slices.Concat(acknowledged...) {
		if _, ok := state.Fact(a.Append[0].ID); !ok {
			t.Errorf("%s was acknowledged and is lost", a.Append[0].ID)
		}
	}
}

// busyWith fails unless the error is the refusal that names the child, after the wait.
func busyWith(t *testing.T, err error, c *child, wait, took time.Duration) {
	t.Helper()
	host, hostErr := os.Hostname()
	must(t, hostErr)
	want := fmt.Sprintf("pid %d on %s", c.Process.Pid, host)
	if busy := new(memory.BusyError); !errors.As(err, &busy) || busy.Holder != want {
		t.Fatalf("%v, want busy with %s", err, want)
	}
	if took < wait || took > wait+2*time.Second {
		t.Errorf("busy after %v, told to wait %v", took, wait)
	}
}

// TestStoppedHolder stops the holder of the lease. Every kind of act is refused and names
// it; nothing is written behind its back, and all goes on when it does.
func TestStoppedHolder(t *testing.T) {
	const wait = 150 * time.Millisecond
	s := newScene(t)
	project := t.TempDir()
	s.twin.shelf.lay(t, project)
	store, engine := open(t, project, filestore.Options{Identity: identity, LeaseWait: wait})
	must(t, engine.Recover(t.Context()))
	holder := start(t, task{Name: "hold", Project: project, Identity: identity})
	holder.ready(t)
	must(t, holder.Process.Signal(syscall.SIGSTOP))
	for _, a := range s.acts[:4] {
		begun := time.Now()
		err := a.do(engine)
		busyWith(t, err, holder, wait, time.Since(begun))
	}
	if d := diff(s.twin.content(), contentOf(engine.State(t.Context()))); d != "" {
		t.Errorf("something was written without the lease (-want +got):\n%s", d)
	}
	must(t, holder.Process.Signal(syscall.SIGCONT))
	must(t, holder.stdin.Close())
	must(t, holder.Wait())
	for _, a := range s.acts {
		must(t, a.do(engine))
	}
	s.twin.do(t, s.acts...)
	settled(t, s.twin, store, engine, nil, false)
}

// TestStoppedWriters stops a child in the midst of its acts, again and again, and tries
// for its lease: it is refused, or the child was between two acts. The child then goes
// on as if nothing had been, and is killed at last.
func TestStoppedWriters(t *testing.T) {
	const wait = 30 * time.Millisecond
	random := rand.New(rand.NewPCG(seed(t), 0))
	project := t.TempDir()
	store, engine := open(t, project, filestore.Options{LeaseWait: wait})
	w := newTwin(newShelf(store.WorkspaceID()))
	c := start(t, task{Name: "act", Project: project, Seed: random.Uint64(), Serial: 1})
	c.ready(t)
	var done []act
	var inFlight *act
	var heard error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		done, inFlight, heard = c.listen(nil)
	}()
	held := 0
	for range holdersStopped {
		time.Sleep(upTo(random, 5*time.Millisecond))
		must(t, c.Process.Signal(syscall.SIGSTOP))
		begun := time.Now()
		release, err := store.Lease(t.Context(), false)
		busy := new(memory.BusyError)
		switch {
		case err == nil:
			must(t, release())
		case errors.As(err, &busy) && strings.HasPrefix(busy.Holder, fmt.Sprintf("pid %d ", os.Getpid())):
			// It has the lock and stood still before it signed: ours are the words before its own.
			held++
		default:
			busyWith(t, err, c, wait, time.Since(begun))
			held++
		}
		if err := whole(engine.State(t.Context())); err != nil {
			t.Errorf("while the writer stood still: %v", err)
		}
		must(t, c.Process.Signal(syscall.SIGCONT))
	}
	must(t, c.Process.Kill())
	<-ended
	must(t, heard)
	t.Logf("stopped %d times, %d of them with the lease, over %d acts", holdersStopped, held, len(done))
	if held == 0 || len(done) == 0 {
		t.Errorf("the lease was held %d times, and %d acts were done", held, len(done))
	}
	w.do(t, done...)
	store, engine, _ = recovered(t, w, project, "", inFlight)
	settled(t, w, store, engine, inFlight, true)
}

// TestKilledHolder measures how long a dead holder's lease lies unused: wonWithin in the
// median, and a second at most, since a busy machine may stop us at any time.
func TestKilledHolder(t *testing.T) {
	project := t.TempDir()
	store, _ := open(t, project, filestore.Options{LeaseWait: time.Minute})
	random := rand.New(rand.NewPCG(seed(t), 0))
	var took []time.Duration
	for range holdersKilled {
		holder := start(t, task{Name: "hold", Project: project})
		holder.ready(t)
		won := make(chan time.Time, 1)
		go func() {
			release, err := store.Lease(context.Background(), false)
			won <- time.Now()
			if err != nil {
				t.Errorf("Lease: %v", err)
				return
			}
			_ = release()
		}()
		time.Sleep(60*time.Millisecond + upTo(random, 60*time.Millisecond)) // until the waiting is at its laziest
		killed := time.Now()
		must(t, holder.Process.Kill())
		took = append(took, (<-won).Sub(killed))
	}
	slices.Sort(took)
	median, most := took[len(took)/2], took[len(took)-1]
	t.Logf("won after %v in the median, %v at most, of %d", median, most, len(took))
	if took[0] < 0 || median > wonWithin || most > time.Second {
		t.Errorf("won after %v", took)
	}
}
