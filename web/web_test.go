package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"docket/memory"
)

// start runs a server as main does and returns its printed URL. stop ends it and
// returns what Run returned.
func start(t *testing.T, cfg Config) (printed *url.URL, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	cfg.Ready = func(url string) { ready <- url }
	go func() { ended <- Run(ctx, cfg) }()
	stop = func() error {
		cancel()
		select {
		case err := <-ended:
			ended <- err
			return err
		case <-time.After(20 * time.Second):
			return errors.New("the server does not end")
		}
	}
	t.Cleanup(func() { stop() })
	select {
	case text := <-ready:
		printed, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return printed, stop
	case err := <-ended:
		ended <- err
		t.Fatalf("the server ended: %v", err)
	}
	return nil, nil
}

func runConfig(t *testing.T) Config {
	t.Helper()
	_, engine := openProject(t, t.TempDir(), &clock{now: today})
	return Config{
		Addr: "127.0.0.1:0", Actor: "team lead", StateDir: filepath.Join(t.TempDir(), "state"),
		Projects: []Project{{Name: "billing", Engine: engine}},
	}
}

func TestRunServesUntilItIsTold(t *testing.T) {
	printed, stop := start(t, runConfig(t))
	client := &http.Client{Jar: newJar(t)}
	response, err := client.Get(printed.String())
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), "billing") {
		t.Errorf("the printed URL leads to %d at %s", response.StatusCode, response.Request.URL)
	}
	if response.Request.URL.RawQuery != "" || !strings.HasPrefix(response.Request.URL.Path, "/w/") {
		t.Errorf("the reader stays at %s", response.Request.URL)
	}
	if err := stop(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if _, err := http.Get(printed.String()); err == nil {
		t.Error("it still answers")
	}
}

func TestRunRefuses(t *testing.T) {
	good := runConfig(t)
	taken, stop := start(t, good)
	defer stop()
	for name, change := range map[string]func(*Config){
		"every interface":      func(c *Config) { c.Addr = "0.0.0.0:0" },
		"every IPv6 interface": func(c *Config) { c.Addr = "[::]:0" },
		"no host":              func(c *Config) { c.Addr = ":0" },
		"a public address":     func(c *Config) { c.Addr = "192.0.2.1:0" },
		"no address":           func(c *Config) { c.Addr = "nonsense" },
		"a taken port":         func(c *Config) { c.Addr = taken.Host },
		"no actor":             func(c *Config) { c.Actor = " " },
		"no project":           func(c *Config) { c.Projects = nil },
		"a project twice":      func(c *Config) { c.Projects = append(c.Projects, c.Projects[0]) },
		"a policy of nonsense": func(c *Config) { c.Policy = memory.DocketPolicy(); c.Policy.RepeatThreshold = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			cfg.Ready = func(url string) { t.Errorf("serves at %s", url) }
			change(&cfg)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			if err := Run(ctx, cfg); err == nil || ctx.Err() != nil {
				t.Errorf("%v, want a refusal", err)
			}
		})
	}
}

func TestRunBeyondTheLoopbackIsAskedFor(t *testing.T) {
	cfg := runConfig(t)
	cfg.Addr, cfg.AllowRemote = "0.0.0.0:0", true
	printed, _ := start(t, cfg)
	if printed.Hostname() != "127.0.0.1" {
		t.Errorf("printed %s, which cannot be opened", printed)
	}
}

func TestRunFinishesRequestsAtWork(t *testing.T) {
	cfg := runConfig(t)
	printed, stop := start(t, cfg)
	r, w := io.Pipe()
	answered := make(chan int, 1)
	request, err := http.NewRequest(http.MethodPost, "http://"+printed.Host+"/sign-out", r)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			answered <- 0
			return
		}
		response.Body.Close()
		answered <- response.StatusCode
	}()
	if _, err := io.WriteString(w, "a=1"); err != nil { // returns once it was sent
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // until the server has it at work
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	time.Sleep(50 * time.Millisecond)
	w.Close()
	if status := <-answered; status != http.StatusSeeOther {
		t.Errorf("answered %d, want the answer of a server that goes on", status)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

func TestDistillEvery(t *testing.T) {
	b := newBench(t)
	b.record("storage.database", "Use SQLite.", "01-01")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan bool)
		go func() { b.server.distillEvery(ctx, time.Hour); close(ended) }()
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		if n := strings.Count(b.log.String(), "msg=distilled"); n != 0 {
			t.Errorf("%d runs before the first hour is over", n)
		}
		time.Sleep(2*time.Hour + time.Minute)
		synctest.Wait()
		if n := strings.Count(b.log.String(), "msg=distilled"); n != 3 {
			t.Errorf("%d runs in three hours", n)
		}
		cancel()
		<-ended
	})
	if len(b.read().Entries()) != 1 {
		t.Error("nothing was distilled")
	}
	if run, ok := b.server.projects[b.workspace()].runs.last(); !ok || run.Report.Scanned != 1 {
		t.Errorf("last run %+v", run)
	}
}

func TestDistillNowShowsItsReport(t *testing.T) {
	b := newBench(t)
	desk := "/w/" + b.workspace() + "/"
	if page := b.get(desk).body; !strings.Contains(page, "No run by this server yet") {
		t.Error("the desk tells of a run that never was")
	}
	b.record("storage.database", "Use SQLite.", "01-01")
	answer := b.post(desk+"distill", nil)
	if answer.status != http.StatusSeeOther {
		t.Fatal(answer.status)
	}
	if page := b.get(answer.header.Get("Location")); !strings.Contains(page.body, `id="notice"`) || strings.Contains(page.body, "No run by this server yet") {
		t.Error("the desk does not show the report")
	}
	r := b.request(http.MethodPost, desk+"distill", nil, b.cookie())
	r.Header.Set("HX-Request", "true")
	if page := b.do(r); page.status != http.StatusOK || !strings.Contains(page.body, `id="notice"`) || strings.Contains(page.body, "<html") {
		t.Errorf("by htmx: %d, or no fragment with the report", page.status)
	}
	b.serve()
	if page := b.get(desk).body; strings.Contains(page, "No run by this server yet") {
		t.Error("a restart forgets the run")
	}
}

func TestSeveralProjects(t *testing.T) {
	other := newBench(t)
	b := newBench(t, func(c *Config) {
		c.Projects = append(c.Projects, Project{Name: "search", Engine: other.engine})
	})
	c := other.dispute("storage.database")
	if got := b.get("/").header.Get("Location"); got != "/w/"+b.workspace()+"/" {
		t.Errorf("/ leads to %q", got)
	}
	desk := b.get("/w/" + b.workspace() + "/").body
	if !strings.Contains(desk, `href="/w/`+other.workspace()+`/"`) || strings.Contains(desk, c.ID) {
		t.Error("the desk does not lead to the other project, or shows its cases")
	}
	for path, want := range map[string]int{
		"/w/" + other.workspace() + "/cases/" + c.ID: http.StatusOK,
		"/w/" + b.workspace() + "/cases/" + c.ID:     http.StatusNotFound,
	} {
		if answer := b.get(path); answer.status != want {
			t.Errorf("%s: %d, want %d", path, answer.status, want)
		}
	}
	if answer := b.post("/w/"+b.workspace()+"/cases/"+c.ID+"/resolve", other.decide(c, "Use Postgres.", "x")); answer.status != http.StatusNotFound {
		t.Errorf("deciding it from the wrong desk: %d", answer.status)
	}
}

func TestLogsAreEscaped(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Actor = "lead\x1b[2J" })
	b.signIn()
	b.get("/w/%1b%5b2J%0alevel=ERROR")
	if log := b.log.String(); strings.Contains(log, "\x1b") || strings.Contains(log, "\nlevel=ERROR") {
		t.Errorf("the log holds control characters: %q", log)
	}
}
