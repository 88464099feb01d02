//go:build unix

package filestore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/memory/filestore"
)

// runTask is what this test binary does as another process: it holds the lease until
// its standard input ends, or counts in a log.
func runTask(task, project string) int {
	var err error
	switch store, openErr := filestore.Open(project, filestore.Options{LeaseWait: 20 * time.Second}); {
	case openErr != nil:
		err = openErr
	case task == "hold":
		err = holdTask(store)
	case task == "count":
		err = countTask(store)
	default:
		err = fmt.Errorf("no task %q", task)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func holdTask(store *filestore.Store) error {
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, release())
}

const countRounds = 10

// countTask appends a line after the end that it read: without exclusion, a line of
// another process would be cut off.
func countTask(store *filestore.Store) error {
	for n := range countRounds {
		release, err := store.Lease(context.Background(), true)
		if err != nil {
			return err
		}
		stamp, err := store.Stat(today)
		if err == nil {
			err = store.Append(today, stamp.Size, fmt.Appendf(nil, "%d %d\n", os.Getpid(), n))
		}
		if err := errors.Join(err, release()); err != nil {
			return err
		}
	}
	return nil
}

func task(t *testing.T, name, project string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "FILESTORE_TASK="+name, "FILESTORE_PROJECT="+project)
	cmd.Stderr = os.Stderr
	return cmd
}

// holder starts a process that holds the lease, and ends it with the test.
func holder(t *testing.T, project string) *exec.Cmd {
	t.Helper()
	cmd := task(t, "hold", project)
	_, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	return cmd
}

// TestStoppedHolder stops the holder: its lease holds, since nobody can tell how
// long it takes to wake up, and the refusal names it.
func TestStoppedHolder(t *testing.T) {
	project := newProject(t)
	other := holder(t, project)
	must(t, other.Process.Signal(syscall.SIGSTOP))
	store := open(t, project, filestore.Options{LeaseWait: shortWait})
	host, err := os.Hostname()
	must(t, err)
	want := fmt.Sprintf("pid %d on %s", other.Process.Pid, host)
	if got := wantBusy(t, store).Holder; got != want {
		t.Errorf("holder is %q, want %q", got, want)
	}
}

// TestKilledHolder measures how long a dead holder's lease lies unused. The figure
// to keep is 100 ms; a busy machine gets a second.
func TestKilledHolder(t *testing.T) {
	project := newProject(t)
	other := holder(t, project)
	store := open(t, project, filestore.Options{LeaseWait: 10 * time.Second})
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
	time.Sleep(200 * time.Millisecond) // until the waiting is at its laziest
	must(t, other.Process.Kill())
	killed := time.Now()
	took := (<-won).Sub(killed)
	t.Logf("won %v after the kill", took)
	if took < 0 || took > time.Second {
		t.Errorf("won %v after the kill", took)
	}
}

func TestProcessesCount(t *testing.T) {
	const processes = 8
	project := newProject(t)
	var all []*exec.Cmd
	for range processes {
		cmd := task(t, "count", project)
		must(t, cmd.Start())
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("a process: %v", err)
		}
	}
	next := map[string]int{}
	for line := range strings.Lines(read(t, open(t, project, filestore.Options{}), today)) {
		var n int
		pid, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := fmt.Sscan(rest, &n); err != nil || n != next[pid] {
			t.Errorf("line %q, want number %d of this process", line, next[pid])
		}
		next[pid]++
	}
	if len(next) != processes {
		t.Errorf("lines of %d processes, want %d", len(next), processes)
	}
	for pid, n := range next {
		if n != countRounds {
			t.Errorf("process %s has %d lines, want %d", pid, n, countRounds)
		}
	}
}
