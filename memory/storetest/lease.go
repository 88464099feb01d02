package storetest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"docket/memory"
)

// patience is how long the suite waits for what has to happen soon.
const patience = 20 * time.Second

func take(t *testing.T, store memory.Store, create bool) (release func()) {
	t.Helper()
	give, err := store.Lease(context.Background(), create)
	if err != nil {
		t.Fatalf("Lease: %v", err)
	}
	return func() {
		t.Helper()
		if err := give(); err != nil {
			t.Errorf("release: %v", err)
		}
	}
}

func testLeaseCreates(t *testing.T, open Open) {
	store := open()
	take(t, store, true)()
	wantExists(t, store, true)
	wantExists(t, open(), true)
	for _, name := range allNames() {
		wantAbsent(t, store, name)
	}
}

func testLeaseWithoutStore(t *testing.T, open Open) {
	store := open()
	first, second := take(t, store, false), take(t, open(), false)
	wantExists(t, store, false)
	first()
	second()
	wantExists(t, store, false)
}

func testLeaseExcludes(t *testing.T, open Open) {
	holder := open()
	release := take(t, holder, true)
	for name, store := range map[string]memory.Store{"the same": holder, "another": open()} {
		for _, create := range []bool{true, false} {
			begin := time.Now()
			_, err := store.Lease(context.Background(), create)
			var busy *memory.BusyError
			if !errors.As(err, &busy) {
				t.Errorf("Lease of %s store, create %v: %v; want a BusyError", name, create, err)
			}
			if waited := time.Since(begin); waited < 10*time.Millisecond {
				t.Errorf("Lease of %s store gave up after %v", name, waited)
			}
		}
	}
	// A refused attempt must not have ended the lease.
	if err := holder.Append(log, 0, []byte("one\n")); err != nil {
		t.Errorf("Append under the lease: %v", err)
	}
	release()
}

func testLeaseReleased(t *testing.T, open Open) {
	first, second := open(), open()
	for range 3 {
		take(t, first, true)()
		take(t, second, false)()
	}
}

func testLeaseWon(t *testing.T, open Open) {
	first, second := open(), open()
	release := take(t, first, true)
	won := make(chan error, 1)
	go func() {
		give, err := second.Lease(context.Background(), false)
		if err == nil {
			err = give()
		}
		won <- err
	}()
	time.Sleep(20 * time.Millisecond)
	release()
	select {
	case err := <-won:
		if err != nil {
			t.Errorf("Lease of the waiting store: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the waiting store never got the lease")
	}
}

func testLeaseContext(t *testing.T, open Open) {
	first, second := open(), open()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := first.Lease(cancelled, true); !errors.Is(err, context.Canceled) {
		t.Errorf("Lease with a cancelled context: %v", err)
	}
	release := take(t, first, true)
	waiting, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := second.Lease(waiting, false); !errors.Is(err, context.Canceled) {
		t.Errorf("Lease whose context is cancelled while it waits: %v", err)
	}
	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := second.Lease(short, false); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lease whose context ends while it waits: %v", err)
	}
	release()
	take(t, second, false)()
}

// testLeaseCounts lets several stores count in one document: without exclusion,
// counts are lost.
func testLeaseCounts(t *testing.T, open Open) {
	const stores, rounds = 4, 10
	var all sync.WaitGroup
	for range stores {
		store := open()
		all.Go(func() {
			for range rounds {
				if err := count(store); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	wantFile(t, open(), document, strconv.Itoa(stores*rounds))
}

func count(store memory.Store) (err error) {
	release, err := leaseWithin(store, patience)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	data, _, err := store.Read(document, 0)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(string(data)) // 0 where there is no document yet
	return store.Replace(document, []byte(strconv.Itoa(n+1)))
}

// leaseWithin tries again when the store gives up, since it waits only so long.
func leaseWithin(store memory.Store, limit time.Duration) (release func() error, err error) {
	for end := time.Now().Add(limit); ; {
		release, err = store.Lease(context.Background(), true)
		var busy *memory.BusyError
		if !errors.As(err, &busy) || time.Now().After(end) {
			return release, err
		}
	}
}
