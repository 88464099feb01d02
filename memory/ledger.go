package memory

import (
	"slices"
	"sync"
)

// A ledger holds every fact read so far in the order in which they were read. It
// only grows, so that many States can share one: each sees the first so many facts
// and none that came later. Facts that are no longer in the logs need a new ledger.
type ledger struct {
	mu    sync.RWMutex // guards all below
	facts []Fact
	byID  map[string]int   // position in facts
	byKey map[string][]int // positions in facts, by memory key
}

func newLedger() *ledger {
	return &ledger{byID: map[string]int{}, byKey: map[string][]int{}}
}

// add takes in a fact that the ledger does not hold and returns its position.
func (l *ledger) add(f Fact) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := len(l.facts)
	l.facts = append(l.facts, f)
	l.byID[f.ID] = at
	if f.MemoryKey != "" {
		l.byKey[f.MemoryKey] = append(l.byKey[f.MemoryKey], at)
	}
	return at
}

// view returns the first n facts. They never change; the caller must not either.
func (l *ledger) view(n int) []Fact {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.facts[:n:n]
}

// find returns the fact of that id among the first n.
func (l *ledger) find(id string, n int) (Fact, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	at, ok := l.byID[id]
	if !ok || at >= n {
		return Fact{}, false
	}
	return l.facts[at], true
}

// keyed returns the facts of a memory key among the first n, in no order.
func (l *ledger) keyed(key string, n int) []Fact {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var facts []Fact
	for _, at := range l.byKey[key] {
		if at < n {
			facts = append(facts, l.facts[at])
		}
	}
	return facts
}

// keys returns every memory key among the first n facts, in no order.
func (l *ledger) keys(n int) []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var keys []string
	for key, at := range l.byKey {
		if at[0] < n {
			keys = append(keys, key)
		}
	}
	return keys
}

// extend adds the facts at the positions from..to to an order by (time, id). An
// order given out earlier is never disturbed: facts that come last are appended
// behind what it can see, any other arrival makes a new slice.
func (l *ledger) extend(order []int, from, to int) []int {
	facts := l.view(to)
	fresh := make([]int, 0, to-from)
	for at := from; at < to; at++ {
		fresh = append(fresh, at)
	}
	compare := func(a, b int) int { return facts[a].compare(&facts[b]) }
	slices.SortFunc(fresh, compare)
	if len(order) == 0 || len(fresh) == 0 || compare(order[len(order)-1], fresh[0]) < 0 {
		return append(order, fresh...)
	}
	merged := make([]int, 0, len(order)+len(fresh))
	for len(order) > 0 && len(fresh) > 0 {
		if compare(order[0], fresh[0]) < 0 {
			merged, order = append(merged, order[0]), order[1:]
		} else {
			merged, fresh = append(merged, fresh[0]), fresh[1:]
		}
	}
	return append(append(merged, order...), fresh...)
}
