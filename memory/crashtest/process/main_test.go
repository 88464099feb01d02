//go:build unix

package process_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// TestMain lets the test binary be a child: a process with a task.
func TestMain(m *testing.M) {
	if os.Getenv(childMark) != "" {
		os.Exit(runTask())
	}
	flag.Int("kills", 300, "how many children are killed at random moments")
	flag.Int("histories", 5, "how many histories are recorded and checked")
	flag.Int("operations", 1000, "operations of one history")
	flag.Uint64("seed", 0, "the seed of what is random, 0 for a new one")
	flag.Parse()
	os.Exit(m.Run())
}

// number returns the value of one of the flags above.
func number(t *testing.T, name string) int {
	t.Helper()
	n, ok := flag.Lookup(name).Value.(flag.Getter).Get().(int)
	if !ok {
		t.Fatalf("flag %s is no number", name)
	}
	return n
}

// seed returns the seed of this run, and prints it.
func seed(t *testing.T) uint64 {
	t.Helper()
	s, ok := flag.Lookup("seed").Value.(flag.Getter).Get().(uint64)
	if !ok {
		t.Fatal("flag seed is no number")
	}
	if s == 0 {
		s = rand.Uint64()
	}
	t.Logf("-seed %d", s)
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// upTo returns a random time of at most most.
func upTo(random *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(most) + 1))
}

// say sends one message to the parent. It is one write, or a kill tears it.
func say(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	_, err = os.Stdout.Write(append(data, '\n'))
	return err
}
