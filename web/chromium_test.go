package web

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A chromium is the one browser process that all tests share.
type chromium struct {
	once    sync.Once
	ctx     context.Context // of the process
	stop    func()
	err     error
	windows windows
}

var browser chromium

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	example.remove()
	os.Exit(code)
}

func (c *chromium) start() {
	path := ""
	// The shell is the same browser without windows, and a fifth quicker.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, c.err = exec.LookPath(name); c.err == nil {
			break
		}
	}
	if c.err != nil {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], // a user-data-dir of its own among them
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	c.ctx, c.stop = ctx, func() { stop(); stopAllocator() }
	c.err = chromedp.Do(ctx, chromedp.Navigate("about:blank"))
}

// A tab is a window of a reader of its own: no cookie is shared with another.
type tab struct {
	*bench
	ctx    context.Context
	spoilt bool // the window holds what cannot be taken out of it

	mu      sync.Mutex // guards below
	noise   []string   // console messages, CSP reports, dialogs and requests to elsewhere
	allowed []string   // parts of the messages that the test asks for
}

// tabLimit is how long a tab lives unless its test asks for more.
const tabLimit = 30 * time.Second

// newTab opens a tab, signed in by the printed URL. Without a browser the test is
// skipped, but in CI it fails.
func newTab(b *bench, scripts bool) *tab {
	b.t.Helper()
	return newTabFor(b, scripts, tabLimit)
}

// newTabFor opens a tab for a test that is longer than others.
func newTabFor(b *bench, scripts bool, limit time.Duration) *tab {
	b.t.Helper()
	browser.once.Do(browser.start)
	if browser.err != nil {
		if os.Getenv("CI") != "" {
			b.t.Fatalf("browser tests are obligatory here: %v", browser.err)
		}
		b.t.Skipf("no browser: %v", browser.err)
	}
	t := &tab{bench: b}
	w, err := browser.windows.take(t)
	if err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	ctx, cancel := context.WithTimeout(w.ctx, limit)
	t.ctx = ctx
	b.t.Cleanup(func() {
		cancel()
		browser.windows.leave(w, !t.spoilt && !b.t.Failed())
		t.checkNoise()
	})
	send(t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
	t.run(chromedp.Navigate(b.url + "/sign-in?token=" + b.server.sessions.token))
	if ran := ask[bool](t, `document.documentElement.classList.contains("js")`); ran != scripts {
		b.t.Fatalf("scripts ran: %v, want %v", ran, scripts)
	}
	return t
}

// send gives the browser a command that has no action.
func send[P, R any](t *tab, command cdp.Command[P, R], params P) {
	t.t.Helper()
	if _, err := chromedp.Call(t.ctx, command, params); err != nil {
		t.t.Fatalf("browser: %v", err)
	}
}

// listen collects everything that a page should not give rise to. A dialog is left
// open: whatever the test does next then fails.
func (t *tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, argument := range e.Args {
			words = append(words, string(argument.Value))
		}
		t.hear("console: " + strings.Join(words, " "))
	case *runtime.EventExceptionThrown:
		t.hear("exception: " + e.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		t.hear("log: " + e.Entry.Text + " " + e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		t.hear("dialog: " + e.Message)
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" && "http://"+u.Host != t.home() {
			t.hear("request: " + e.Request.URL)
		}
	}
}

// home is the address of the project that the tab is in, which moveTo changes.
func (t *tab) home() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.url
}

func (t *tab) hear(message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.noise = append(t.noise, message)
}

// allow expects messages that contain part: Chromium's own line for a status.
func (t *tab) allow(part string) { t.allowed = append(t.allowed, part) }

func (t *tab) checkNoise() {
	t.mu.Lock()
	defer t.mu.Unlock()
messages:
	for _, message := range t.noise {
		for _, part := range t.allowed {
			if strings.Contains(message, part) {
				continue messages
			}
		}
		t.t.Errorf("the browser says: %s", message)
	}
}

func (t *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	t.t.Helper()
	if err := chromedp.Do(t.ctx, steps...); err != nil {
		t.t.Fatalf("browser: %v", err)
	}
}

// visit goes to a local path.
func (t *tab) visit(path string) {
	t.t.Helper()
	t.run(chromedp.Navigate(t.url + path))
}

// click waits for the element and clicks it.
func (t *tab) click(selector chromedp.CSS) {
	t.t.Helper()
	if err := chromedp.Do(t.ctx, chromedp.Click(selector, chromedp.NodeVisible)); err != nil {
		t.t.Fatalf("clicking %s at %s: %v", selector, t.path(), err)
	}
}

// see waits until the element is there and visible, and returns its text.
func (t *tab) see(selector chromedp.CSS) string {
	t.t.Helper()
	text, err := chromedp.Run(t.ctx, chromedp.Text(selector, chromedp.NodeVisible))
	if err != nil {
		t.t.Fatalf("waiting for %s at %s: %v", selector, t.path(), err)
	}
	return text
}

// path is where the tab is.
func (t *tab) path() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 5*time.Second)
	defer cancel()
	location, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return strings.TrimPrefix(location, t.url)
}

// ask evaluates an expression on the page.
func ask[T any](t *tab, expression string) T {
	t.t.Helper()
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.t.Fatalf("asking %s: %v", expression, err)
	}
	return value
}

// words is what the reason holds.
func (t *tab) words() string {
	t.t.Helper()
	return ask[string](t, `document.querySelector("#rationale").value`)
}

// choice is the id of what is chosen, "" for nothing.
func (t *tab) choice() string {
	t.t.Helper()
	return ask[string](t, `(document.querySelector("input[name=candidate]:checked") || {value: ""}).value`)
}

// fill chooses a value and types a reason.
func (t *tab) fill(candidate, words string) {
	t.t.Helper()
	t.click(chromedp.CSS(`input[value="` + candidate + `"]`))
	t.run(chromedp.Focus(chromedp.CSS("#rationale")))
	send(t, input.InsertText, input.InsertTextParams{Text: words})
}
