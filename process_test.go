package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"docket/memory/filestore"
)

// docket starts the program in a project's folder and returns what it said.
func docket(t *testing.T, project string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	cmd := command(t, project, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), complaint.String()
}

func command(t *testing.T, project string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "docket", args...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(project, "state"))
	return cmd
}

// question is a case as conflicts --json lists it, as far as the tests need it.
type question struct {
	ID         string `json:"conflict_id"`
	MemoryKey  string `json:"memory_key"`
	Revision   int    `json:"revision"`
	Candidates []struct {
		ID string `json:"candidate_id"`
	} `json:"candidates"`
}

// questions makes a project with n open cases.
func questions(t *testing.T, n int) (project string, open []question) {
	t.Helper()
	project = t.TempDir()
	var lines strings.Builder
	for i := range n {
		for _, value := range []string{"left", "right"} {
			for day := 10; day <= 11; day++ {
				fmt.Fprintf(&lines, `{"content": "Go %s.", "kind": "decision", "importance": 4, "memory_key": "way.%d", "recorded_at": "2026-01-%dT12:00:00Z"}`+"\n",
					value, i, day)
			}
		}
	}
	facts := filepath.Join(project, "facts.jsonl")
	if err := os.WriteFile(facts, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import", facts}, {"distill", "--as-of", "2026-03-01T00:00:00Z"}} {
		if status, _, stderr := docket(t, project, args...); status != 0 {
			t.Fatalf("docket %s: exit status %d: %s", args, status, stderr)
		}
	}
	_, stdout, stderr := docket(t, project, "conflicts", "--json")
	if err := json.Unmarshal([]byte(stdout), &open); err != nil || len(open) != n {
		t.Fatalf("%d conflicts, want %d: %v: %s%s", len(open), n, err, stdout, stderr)
	}
	return project, open
}

// decide starts one process that chooses the candidate at that position.
func (q question) decide(t *testing.T, project string, choice int, event string) (status int, complaint string) {
	status, _, stderr := docket(t, project, "resolve", "--json", q.ID, fmt.Sprint(q.Revision), q.Candidates[choice].ID, event, "Because of", event)
	return status, stderr
}

// adjudications returns the event ids on record.
func adjudications(t *testing.T, project string) (events []string) {
	t.Helper()
	status, stdout, stderr := docket(t, project, "adjudications", "--json")
	var records []struct {
		EventID string `json:"event_id"`
	}
	if err := json.Unmarshal([]byte(stdout), &records); status != 0 || err != nil {
		t.Fatalf("exit status %d, %v: %s%s", status, err, stdout, stderr)
	}
	for _, record := range records {
		events = append(events, record.EventID)
	}
	return events
}

// verified fails unless the store is in order.
func verified(t *testing.T, project string) {
	t.Helper()
	if status, stdout, _ := docket(t, project, "verify", "--json"); status != 0 || strings.TrimSpace(stdout) != `{"findings":[]}` {
		t.Errorf("verify: exit status %d: %s", status, stdout)
	}
}

func TestProcessesDecideOneCase(t *testing.T) {
	project, open := questions(t, 1)
	const processes = 4
	statuses, complaints := make([]int, processes), make([]string, processes)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			statuses[i], complaints[i] = open[0].decide(t, project, i%2, fmt.Sprintf("event:%d", i))
		})
	}
	group.Wait()
	var winner string
	for i, status := range statuses {
		switch {
		case status == 0 && winner == "":
			winner = fmt.Sprintf("event:%d", i)
		case status != 4 || !strings.Contains(complaints[i], `"code":"not_open"`):
			t.Errorf("process %d: exit status %d: %s", i, status, complaints[i])
		}
	}
	if events := adjudications(t, project); len(events) != 1 || events[0] != winner {
		t.Errorf("%q on record, won by %q", events, winner)
	}
	verified(t, project)
}

func TestProcessesDecideDifferentCases(t *testing.T) {
	const processes = 4
	project, open := questions(t, processes)
	var group sync.WaitGroup
	for i := range processes {
		group.Go(func() {
			if status, complaint := open[i].decide(t, project, i%2, fmt.Sprintf("event:%d", i)); status != 0 {
				t.Errorf("process %d: exit status %d: %s", i, status, complaint)
			}
		})
	}
	group.Wait()
	if events := adjudications(t, project); len(events) != processes {
		t.Errorf("%q on record, want %d", events, processes)
	}
	if status, stdout, _ := docket(t, project, "conflicts", "--json"); status != 0 || stdout != "[]\n" {
		t.Errorf("conflicts are left: %s", stdout)
	}
	verified(t, project)
}

func TestBusyStoreIsNamed(t *testing.T) {
	t.Parallel() // the process waits for the lease as long as it may
	project, _ := questions(t, 0)
	store, err := filestore.Open(project, filestore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	release, err := store.Lease(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	status, _, stderr := docket(t, project, "record", "--json", "Too late.")
	holder := fmt.Sprintf("pid %d", os.Getpid())
	if status != 7 || !strings.Contains(stderr, `"code":"busy"`) || !strings.Contains(stderr, holder) {
		t.Errorf("exit status %d: %s, want 7 and %s", status, stderr, holder)
	}
	// verify takes no lease.
	verified(t, project)
}

// A server is a docket that serves, and the page that its URL leads to.
type server struct {
	*exec.Cmd
	url    string
	output *bufio.Reader
	log    *bytes.Buffer
}

// start runs a command that serves, and waits for its URL.
func start(t *testing.T, project string, args ...string) *server {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a signal here")
	}
	s := &server{Cmd: command(t, project, args...), log: &bytes.Buffer{}}
	s.Stderr = s.log
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Kill() })
	s.output = bufio.NewReader(out)
	line, err := s.output.ReadString('\n')
	if err != nil {
		s.Wait()
		t.Fatalf("no URL: %v: %s", err, s.log)
	}
	s.url = strings.TrimSpace(line)
	return s
}

// page fetches what the URL leads to, as a browser would.
func (s *server) page(t *testing.T) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Jar: jar, Timeout: 30 * time.Second}
	response, err := client.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v", s.url, response.Status, err)
	}
	return string(body)
}

// end asks the server to stop and expects that it does so in order.
func (s *server) end(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := s.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(s.output)
	if err != nil || len(rest) > 0 {
		t.Errorf("printed after the URL: %q, %v", rest, err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("%v ended it with %v: %s", signal, err, s.log)
	}
}

func TestServe(t *testing.T) {
	project, open := questions(t, 1)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		s := start(t, project, "serve", "--addr", "127.0.0.1:0")
		if page := s.page(t); !strings.Contains(page, open[0].MemoryKey) {
			t.Errorf("the desk does not show %s", open[0].MemoryKey)
		}
		s.end(t, signal)
	}
}

func TestDemoIsMadeOnceAndServed(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "demo")
	args := []string{"demo", "--dir", dir, "--addr", "127.0.0.1:0", "--now", "2026-08-07T12:00:00Z"}
	s := start(t, home, args...)
	if page := s.page(t); !strings.Contains(page, "storage.database") {
		t.Error("the desk does not show storage.database")
	}
	s.end(t, os.Interrupt)
	verified(t, dir)
	before := contents(t, dir)
	s = start(t, home, args...)
	s.end(t, os.Interrupt)
	if after := contents(t, dir); after != before {
		t.Error("a second demo changed the files of the first")
	}
	if left, err := filepath.Glob(filepath.Join(home, ".docket-demo-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// contents returns the files of a folder and what they hold, but for the lease, in
// which each holder writes its name.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == ".lease" {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s\n%s\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
