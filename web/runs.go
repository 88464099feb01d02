package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"docket/memory"
)

// runLogLimit is the size in bytes at which the older half of a run log is dropped.
const runLogLimit = 1 << 20

// A pastRun is one distillation of this server.
type pastRun struct {
	ID     string        `json:"-"` // names it in an address, for as long as its report is known
	At     time.Time     `json:"at"`
	Key    string        `json:"memory_key,omitempty"` // set where one domain was distilled alone
	Report memory.Report `json:"-"`
}

// A runLog remembers when this server distilled a workspace. It is Docket's own state,
// beside the sessions' secret and never in a project: losing it loses nothing that the
// project does not have.
type runLog struct {
	path string

	mu     sync.Mutex // guards newest and the file
	newest pastRun    // the latest run of the whole workspace; zero for none
}

// runsFolder is the folder under the state folder that holds the run logs.
const runsFolder = "runs"

// RememberRun has the servers that use stateDir know of a distillation of a whole
// workspace that none of them ran.
func RememberRun(stateDir, workspaceID string, at time.Time) error {
	err := newRunLog(filepath.Join(stateDir, runsFolder), workspaceID).add(pastRun{At: at.UTC().Truncate(time.Second)})
	if err != nil {
		return fmt.Errorf("remember a run: %w", err)
	}
	return nil
}

// newRunLog returns the run log of a workspace under dir. One that cannot be read
// counts as empty.
func newRunLog(dir, workspace string) *runLog {
	l := &runLog{path: filepath.Join(dir, workspace+".jsonl")}
	data, err := os.ReadFile(l.path)
	if err != nil {
		return l
	}
	for line := range bytes.Lines(data) {
		var run pastRun
		if json.Unmarshal(line, &run) == nil && run.Key == "" && !run.At.IsZero() {
			l.newest = run
		}
	}
	return l
}

// last returns the latest run of the whole workspace, if there was one. Its report is
// known only to the process that ran it.
func (l *runLog) last() (pastRun, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newest, !l.newest.At.IsZero()
}

// add remembers a run. It holds in this process even where the file cannot be written.
func (l *runLog) add(run pastRun) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if run.Key == "" {
		l.newest = run
	}
	line, err := runLine(run)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	if err := l.trim(); err != nil {
		return err
	}
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// runLine is a run as the file keeps it, for people and for later versions. A run
// without an id has no report that is known.
func runLine(run pastRun) ([]byte, error) {
	if run.ID == "" {
		line, err := json.Marshal(run)
		return append(line, '\n'), err
	}
	report, err := json.Marshal(run.Report)
	if err != nil {
		return nil, fmt.Errorf("run report: %w", err)
	}
	line, err := json.Marshal(struct {
		pastRun
		Report json.RawMessage `json:"report"`
	}{run, report})
	return append(line, '\n'), err
}

// trim drops the older half of a file that has grown too long.
func (l *runLog) trim() error {
	info, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() < runLogLimit {
		return nil
	}
	data, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	_, younger, _ := bytes.Cut(data[len(data)/2:], []byte("\n"))
	return os.WriteFile(l.path, younger, 0o600)
}
