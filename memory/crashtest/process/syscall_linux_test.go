package process_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// calls are the kinds of system call with which the store changes the disk, or takes the
// lease. strace leaves out one with a "?" that this processor does not have.
func calls() []string {
	return []string{
		"write", "fsync", "ftruncate", "?rename,?renameat,?renameat2", "?mkdir,mkdirat", "fchmod", "flock",
		"?unlink,unlinkat", "openat",
	}
}

// longRun is the number of kills from which on a run may take its time.
const longRun = 1000

// mostCalls bounds the calls of one kind that a child may need.
const mostCalls = 5000

// TestSystemCalls kills a child at its n-th call of each kind, for every n, while it
// performs the acts of a scene, and kills the recovery at a random call of that kind.
func TestSystemCalls(t *testing.T) {
	trace := tracer(t)
	seed := seed(t)
	scenes := map[string]*scene{"in use": newScene(t), "blank": newBlankScene(t)}
	for i, call := range calls() {
		for name, s := range scenes {
			if call == "openat" && name == "in use" && number(t, "kills") < longRun {
				continue // half of all calls; nothing changes between two of them
			}
			t.Run(name+"/"+call, func(t *testing.T) {
				t.Parallel()
				a := &assassin{scene: s, trace: trace, call: call, random: rand.New(rand.NewPCG(seed, uint64(i)))}
				a.strikeAll(t)
				a.check(t, a.kills)
				t.Logf("%d children were killed, and %d that recovered", a.kills, a.rescues)
			})
		}
	}
}

// TestSystemCallsOfRecovery kills the recovery of a pending decision at every call.
func TestSystemCallsOfRecovery(t *testing.T) {
	trace := tracer(t)
	s := newScene(t)
	for _, call := range calls() {
		if call == "openat" {
			continue // nothing changes between two of them
		}
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			a := &assassin{scene: s, trace: trace, call: call}
			a.strikeRecovery(t)
			a.check(t, a.rescues)
			t.Logf("%d children were killed", a.rescues)
		})
	}
}

// tracer returns the words that start another command under strace. Without it the test
// is skipped, but in CI it fails.
func tracer(t *testing.T) []string {
	t.Helper()
	without := t.Skipf
	if os.Getenv("CI") != "" {
		without = t.Fatalf
	}
	path, err := exec.LookPath("strace")
	if err != nil {
		without("strace is not there, no system call was watched: %v", err)
	}
	trace := []string{path, "-f", "-qq", "-o", "/dev/null"}
	if out, err := exec.Command(path, append(trace[1:], "true")...).CombinedOutput(); err != nil {
		without("strace may not trace here, no system call was watched: %v: %s", err, out)
	}
	return trace
}

// An assassin kills children at calls of one kind.
type assassin struct {
	*scene
	trace          []string
	call           string
	random         *rand.Rand
	kills, rescues int
}

// check fails where no child was killed though each needs such calls: strace did not do
// as it was told.
func (a *assassin) check(t *testing.T, kills int) {
	t.Helper()
	if kills == 0 && slices.Contains([]string{"write", "fsync", "openat"}, a.call) {
		t.Errorf("no child was killed at %s", a.call)
	}
}

// start starts a child that dies at its n-th call. It has one processor: strace stops it
// at every call of every thread.
func (a *assassin) start(t *testing.T, told task, n int) *child {
	t.Helper()
	return start(t, told, append(a.trace, "-E", "GOMAXPROCS=1",
		"-e", "trace="+a.call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", a.call, n))...)
}

// run has a child do its task, or die at its n-th call. strace dies as its child did.
func (a *assassin) run(t *testing.T, told task, n int) (done []act, inFlight *act, survived bool) {
	t.Helper()
	c := a.start(t, told, n)
	done, inFlight, err := c.listen(nil)
	if err != nil {
		t.Fatalf("%s at %s %d: %v", told.Name, a.call, n, err)
	}
	_ = c.Wait()
	if survived = c.ProcessState.Success(); !survived && !c.killed() {
		t.Fatalf("%s at %s %d: %s", told.Name, a.call, n, c.ProcessState)
	}
	return done, inFlight, survived
}

// strikeAll kills at the first call, at the second, and so on, until a child survives.
func (a *assassin) strikeAll(t *testing.T) {
	for n := 1; n < mostCalls; n++ {
		project := t.TempDir()
		a.twin.shelf.lay(t, project)
		done, inFlight, survived := a.run(t, task{Name: "perform", Project: project, Identity: identity, Acts: a.acts}, n)
		w := a.twin.fork()
		w.do(t, done...)
		if !survived {
			a.kills++
			a.strikeAnew(t, project)
		}
		store, engine, _ := recovered(t, w, project, identity, inFlight)
		settled(t, w, store, engine, inFlight, a.random.IntN(2) == 0)
		if survived && len(done) != len(a.acts) {
			t.Fatalf("a child survived %s %d with %d of %d acts done", a.call, n, len(done), len(a.acts))
		}
		if survived {
			return
		}
	}
	t.Fatalf("no child survived %d calls", mostCalls)
}

// strikeAnew kills the recovery, too, and perhaps the recovery from that.
func (a *assassin) strikeAnew(t *testing.T, project string) {
	for a.random.IntN(2) == 0 {
		if _, _, survived := a.run(t, task{Name: "recover", Project: project, Identity: identity}, 1+a.random.IntN(40)); survived {
			return
		}
		a.rescues++
	}
}

// strikeRecovery kills the recovery of the decision act, left pending at each place in
// turn, at its first call, its second, and so on, until it survives.
func (a *assassin) strikeRecovery(t *testing.T) {
	w, images, decision := a.unfinished(t)
	for i, image := range images {
		if i%3 > 0 && number(t, "kills") < longRun {
			continue
		}
		for n := 1; ; n++ {
			if n > mostCalls {
				t.Fatalf("no recovery survived %d calls", mostCalls)
			}
			project := t.TempDir()
			image.lay(t, project)
			_, _, survived := a.run(t, task{Name: "recover", Project: project, Identity: identity}, n)
			_, engine, left := recovered(t, w, project, identity, &decision)
			if _, ok := engine.State(t.Context()).Adjudication(decision.Resolve.EventID); !ok || survived && left.pending {
				t.Fatalf("%s %d: the decision was not finished", a.call, n)
			}
			if survived {
				break
			}
			a.rescues++
		}
	}
}
