package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/memory"
)

func TestRunsAreRemembered(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	log := newRunLog(dir, "w")
	if _, ok := log.last(); ok {
		t.Error("a run that never was")
	}
	at := today
	for i, key := range []string{"", "storage.database", "", "cache.engine"} {
		run := pastRun{ID: itoa(i), At: at.Add(time.Duration(i) * time.Hour), Key: key, Report: memory.Report{Scanned: i}}
		if err := log.add(run); err != nil {
			t.Fatal(err)
		}
	}
	if run, _ := log.last(); run.ID != "2" || run.Report.Scanned != 2 {
		t.Errorf("last run %+v, want the last of the whole workspace", run)
	}
	if err := os.WriteFile(log.path, append(read(t, log.path), `{"at": "torn`...), 0o600); err != nil {
		t.Fatal(err)
	}
	again := newRunLog(dir, "w")
	run, ok := again.last()
	if !ok || !run.At.Equal(at.Add(2*time.Hour)) {
		t.Errorf("after a restart: %+v", run)
	}
	if run.ID != "" {
		t.Error("a run whose report is not known has a name")
	}
	if other := newRunLog(dir, "other"); !other.newest.At.IsZero() {
		t.Error("another workspace has the run too")
	}
}

func TestRunLogStaysSmall(t *testing.T) {
	log := newRunLog(t.TempDir(), "w")
	line := `{"at":"2026-01-01T00:00:00Z","report":{}}` + "\n"
	if err := os.WriteFile(log.path, []byte(strings.Repeat(line, runLogLimit/len(line)+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := log.add(pastRun{At: today}); err != nil {
		t.Fatal(err)
	}
	data := read(t, log.path)
	if len(data) > runLogLimit*2/3 || !strings.HasPrefix(string(data), line) {
		t.Errorf("%d bytes, beginning with %.60q", len(data), data)
	}
	if run, _ := newRunLog(filepath.Dir(log.path), "w").last(); !run.At.Equal(today) {
		t.Errorf("last run %+v", run)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRememberedRunHasNoReport holds that a run of somebody else is known by its time
// alone, and that no address makes the desk tell what it did.
func TestRememberedRunHasNoReport(t *testing.T) {
	b := newBench(t)
	if err := RememberRun(b.state, b.workspace(), today.Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.serve()
	for _, path := range []string{"", "?ran=%20"} {
		page := b.get(b.path(path)).body
		if !strings.Contains(page, "2 days ago") || strings.Contains(page, `id="notice"`) {
			t.Errorf("%q: the run is not told, or more of it than is known", path)
		}
	}
	if text := string(read(t, filepath.Join(b.state, runsFolder, b.workspace()+".jsonl"))); strings.Contains(text, "report") {
		t.Errorf("a report was made up: %s", text)
	}
}
