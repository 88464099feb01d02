//go:build unix

package process_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/memory"
)

// A client does one operation at a time. It ends the process that does it now and then.
type client interface {
	do(t *testing.T, op operation) outcome
	can(op operation) bool
}

// How often a process is killed in an operation: once in so many.
const (
	engineKills  = 60
	commandKills = 20
)

// An engineClient has a child with an engine of its own.
type engineClient struct {
	project string
	random  *rand.Rand
	child   *child
}

func (c *engineClient) can(operation) bool { return true }

func (c *engineClient) do(t *testing.T, op operation) (o outcome) {
	if c.child == nil {
		c.child = start(t, task{Name: "serve", Project: c.project})
	}
	process := c.child.Process
	if c.random.IntN(engineKills) == 0 {
		timer := time.AfterFunc(upTo(c.random, 3*time.Millisecond), func() { _ = process.Kill() })
		defer timer.Stop()
	}
	err := json.NewEncoder(c.child.stdin).Encode(op)
	if err == nil {
		err = c.child.said.Decode(&o)
	}
	if err == nil {
		return o
	}
	c.child.kill()
	if !c.child.killed() {
		return outcome{Error: fmt.Sprintf("a child ended by itself: %s: %v", c.child.ProcessState, err)}
	}
	c.child = nil
	return outcome{Unknown: true}
}

// A commandClient starts the program anew for each operation.
type commandClient struct {
	binary, project string
	random          *rand.Rand
}

func (c *commandClient) can(operation) bool { return true }

func (c *commandClient) do(t *testing.T, op operation) outcome {
	command := program(c.binary, c.project, c.args(op)...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Start(); err != nil {
		return outcome{Error: err.Error()}
	}
	if c.random.IntN(commandKills) == 0 {
		timer := time.AfterFunc(upTo(c.random, 30*time.Millisecond), func() { _ = command.Process.Kill() })
		defer timer.Stop()
	}
	err := command.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return c.read(op, stdout.Bytes())
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled():
		return outcome{Unknown: true}
	case strings.Contains(stderr.String(), `"code":"busy"`):
		return outcome{Busy: true}
	case strings.Contains(stderr.String(), `"code":"not_open"`):
		return outcome{Decided: true}
	}
	return outcome{Error: fmt.Sprintf("docket %q: %v: %s", c.args(op), err, stderr.String())}
}

// program makes a command of the docket program in a project.
func program(binary, project string, args ...string) *exec.Cmd {
	command := exec.Command(binary, args...)
	command.Dir = project
	command.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(project, "state"))
	command.SysProcAttr = diesWithParent()
	return command
}

func (c *commandClient) args(op operation) []string {
	switch {
	case op.Append != nil:
		d := op.Append
		return []string{"record", "--json", "--id", d.ID, "--kind", string(d.Kind), "--importance", strconv.Itoa(d.Importance),
			"--source", d.Source, "--recorded-at", memory.FormatTime(d.RecordedAt), d.Content}
	case op.Resolve != nil:
		r := op.Resolve
		return []string{"resolve", "--json", "--actor", r.Actor, r.ConflictID, strconv.Itoa(r.Revision), r.CandidateID, r.EventID, r.Rationale}
	case op.Distill:
		return []string{"distill", "--json", "--as-of", memory.FormatTime(historyEnd())}
	case op.ReadCase != "":
		return []string{"conflicts", "--json", "--status", "all"}
	}
	return []string{"facts", "--json", "--limit", "0"}
}

// read takes an outcome from what the program printed.
func (c *commandClient) read(op operation, stdout []byte) (o outcome) {
	if op.ReadCase == "" && !op.ReadLog {
		return o
	}
	var records []struct {
		FactID     string `json:"fact_id"`
		ConflictID string `json:"conflict_id"`
		EventID    string `json:"resolution_event_id"`
	}
	if err := json.Unmarshal(stdout, &records); err != nil {
		return outcome{Error: fmt.Sprintf("docket %q: %v", c.args(op), err)}
	}
	for _, r := range records {
		if op.ReadLog {
			o.read(r.FactID)
		} else if r.ConflictID == op.ReadCase {
			o.Event = r.EventID
		}
	}
	return o
}
