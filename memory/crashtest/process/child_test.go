//go:build unix

package process_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
)

// childMark is set in the environment of a child.
const childMark = "DOCKET_PROCESS_TEST"

// A task is what a child is told to do: the first value on its standard input.
type task struct {
	Name     string
	Project  string
	Identity string        // "" for the project's path
	Wait     time.Duration // for the lease; 0 for the store's own
	Seed     uint64        // of act
	Serial   int           // of act: what no other child of the store has
	Acts     []act         // of perform
	Rounds   int           // of count
}

// A message is what a child says while it acts.
type message struct {
	Ready bool   `json:",omitempty"` // what follows are acts
	Try   *act   `json:",omitempty"` // the act that it now begins
	Done  bool   `json:",omitempty"` // the act returned nil
	Error string `json:",omitempty"`
}

// runTask is the main function of a child. It returns the exit status.
func runTask() int {
	// strace counts the calls of each thread by itself: all of ours come from this one.
	runtime.LockOSThread()
	input := json.NewDecoder(os.Stdin)
	var told task
	err := input.Decode(&told)
	if err == nil {
		err = told.run(input)
	}
	if err != nil {
		_ = say(message{Error: err.Error()})
		return 1
	}
	return 0
}

func (k task) run(input *json.Decoder) error {
	store, err := filestore.Open(k.Project, filestore.Options{Identity: k.Identity, LeaseWait: k.Wait})
	if err != nil {
		return err
	}
	engine := memory.Open(store, memory.Options{})
	switch k.Name {
	case "serve":
		return serveTask(engine, input)
	case "hold":
		return holdTask(store)
	}
	go endWithParent()
	switch k.Name {
	case "act":
		return actTask(engine, newScript(k.Seed, k.Serial))
	case "perform":
		return performTask(engine, k.Acts)
	case "recover":
		return engine.Recover(context.Background())
	case "count":
		return countTask(engine, k.Rounds)
	}
	return fmt.Errorf("no task %q", k.Name)
}

func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(3)
}

// actTask makes up acts until it is killed.
func actTask(engine *memory.Engine, s *script) error {
	if err := say(message{Ready: true}); err != nil {
		return err
	}
	for {
		if err := announced(engine, s.next(engine.State(context.Background()))); err != nil {
			return err
		}
	}
}

// performTask does given acts, and has then survived.
func performTask(engine *memory.Engine, acts []act) error {
	if err := say(message{Ready: true}); err != nil {
		return err
	}
	for _, a := range acts {
		if err := announced(engine, a); err != nil {
			return err
		}
	}
	return nil
}

func announced(engine *memory.Engine, a act) error {
	if err := say(message{Try: &a}); err != nil {
		return err
	}
	if err := a.do(engine); err != nil {
		return fmt.Errorf("%s: %w", a.name(), err)
	}
	return say(message{Done: true})
}

// A child is a process that this test started.
type child struct {
	*exec.Cmd
	stdin io.WriteCloser
	said  *json.Decoder
}

// start starts a child with a task, under the command before, if there is one. The
// child ends with the test at the latest.
func start(t *testing.T, told task, before ...string) *child {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	args := append(before, self)
	c := &child{Cmd: exec.Command(args[0], args[1:]...)}
	c.Env = append(os.Environ(), childMark+"=1")
	c.Stderr = os.Stderr
	c.SysProcAttr = diesWithParent()
	c.stdin, err = c.StdinPipe()
	must(t, err)
	stdout, err := c.StdoutPipe()
	must(t, err)
	c.said = json.NewDecoder(stdout)
	must(t, c.Start())
	t.Cleanup(func() { c.kill() })
	_ = json.NewEncoder(c.stdin).Encode(told) // one that is dead by then is found out when it is listened to
	return c
}

// kill ends the child at once and waits for it. It may be called twice.
func (c *child) kill() {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// listen returns the acts that were acknowledged, the one that was announced and not
// acknowledged, and an error that the child named itself. It returns when the child and
// all who hold its output are dead. heard, if there is one, is called after each
// acknowledgement, and before the first with 0.
func (c *child) listen(heard func(n int)) (done []act, inFlight *act, err error) {
	for {
		var m message
		if err := c.said.Decode(&m); err != nil {
			// A kill may tear a message: then the act was not begun, or not acknowledged.
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return done, inFlight, fmt.Errorf("listen to a child: %w", err)
			}
			return done, inFlight, nil
		}
		switch {
		case m.Error != "":
			return done, inFlight, errors.New(m.Error)
		case m.Try != nil:
			inFlight = m.Try
		case m.Done:
			done, inFlight = append(done, *inFlight), nil
		}
		if heard != nil && (m.Ready || m.Done) {
			heard(len(done))
		}
	}
}

// killed reports whether a signal SIGKILL ended the child.
func (c *child) killed() bool {
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
