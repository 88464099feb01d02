package web

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long a test waits for what a page is to do by itself.
const patience = 8 * time.Second

// size gives the window its size, in CSS pixels.
func (t *tab) size(width, height int64) {
	t.t.Helper()
	send(t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// light and dark are what a reader's system prefers.
func (t *tab) light() { t.media("", "light") }
func (t *tab) dark()  { t.media("", "dark") }

// paper shows the page as it is printed.
func (t *tab) paper() { t.media("print", "light") }

// media holds movement still, so that no picture is taken half way.
func (t *tab) media(media, scheme string) {
	t.t.Helper()
	send(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// press types keys into whatever has the focus. As with a real key, a page that takes the
// press for itself gets no letter.
func (t *tab) press(keys string, modifiers ...chromedp.Modifier) {
	t.t.Helper()
	for _, key := range keys {
		events := kb.Encode(key) // down, a letter if it is one, up
		down, up := *events[0], *events[len(events)-1]
		for _, m := range modifiers {
			down.Modifiers |= int64(m)
			up.Modifiers |= int64(m)
		}
		if shortcut := down.Modifiers&^int64(chromedp.ModifierShift) != 0; len(events) == 3 && !shortcut {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		send(t, input.DispatchKeyEvent, down)
		send(t, input.DispatchKeyEvent, up)
	}
}

// until waits for an expression to be true, over navigations too.
func (t *tab) until(expression string) {
	t.t.Helper()
	if !t.soon(expression) {
		t.t.Fatalf("at %s it did not become true that %s", t.path(), expression)
	}
}

// soon reports whether an expression becomes true before patience ends.
func (t *tab) soon(expression string) bool {
	t.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		// An error is a page on its way out.
		if ok, err := chromedp.Run(t.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && ok {
			return true
		}
		if t.ctx.Err() != nil {
			break
		}
		t.run(chromedp.Sleep(20 * time.Millisecond))
	}
	return false
}

// arrive waits until the tab is at a path, told by how it begins, and the page is whole.
func (t *tab) arrive(path string) {
	t.t.Helper()
	t.until(fmt.Sprintf(`document.readyState === "complete" && (location.pathname + location.search).startsWith(%s)`, quoteJS(path)))
}

// focus is a short name of what has the focus.
func (t *tab) focus() string {
	t.t.Helper()
	return ask[string](t, `(e => !e || e === document.body ? "body" : e.id ? "#" + e.id : e.getAttribute("href") || e.name || e.localName)(document.activeElement)`)
}

// focusOn expects that the focus is, or soon comes, on an element: a swapped page gets it
// after it has settled.
func (t *tab) focusOn(want string) {
	t.t.Helper()
	for deadline := time.Now().Add(patience); t.focus() != want; t.run(chromedp.Sleep(20 * time.Millisecond)) {
		if time.Now().After(deadline) {
			t.t.Errorf("at %s the focus is on %s, want %s", t.path(), t.focus(), want)
			return
		}
	}
}

// count is how many elements a selector finds.
func (t *tab) count(selector string) int {
	t.t.Helper()
	return ask[int](t, "document.querySelectorAll("+quoteJS(selector)+").length")
}

// text is the text of the first element that a selector finds, "" where there is none.
func (t *tab) text(selector string) string {
	t.t.Helper()
	return ask[string](t, "(document.querySelector("+quoteJS(selector)+") || {innerText: ''}).innerText")
}

// forget signs the reader out behind the page's back.
func (t *tab) forget() { send(t, network.ClearBrowserCookies, cdp.Empty{}) }

// unplug takes the network away from the tab, or gives it back.
func (t *tab) unplug(offline bool) {
	t.t.Helper()
	t.spoilt = t.spoilt || offline
	var params network.EmulateNetworkConditionsByRuleParams
	if offline {
		params.MatchedNetworkConditions = []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}
	} else {
		params.MatchedNetworkConditions = []*network.Conditions{}
	}
	send(t, network.EmulateNetworkConditionsByRule, params)
}

// strike presses the mouse twice on an element, as fast as a double click.
func (t *tab) strike(selector chromedp.CSS) {
	t.t.Helper()
	t.run(chromedp.ScrollIntoView(selector))
	at := ask[[]float64](t, `(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector(`+quoteJS(string(selector))+`).getBoundingClientRect())`)
	mouse := func(kind input.DispatchMouseEventType, count int) chromedp.Action[chromedp.Void] {
		return chromedp.MouseEvent(kind, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(count))
	}
	t.run(mouse(chromedp.MousePressed, 1), mouse(chromedp.MouseReleased, 1), mouse(chromedp.MousePressed, 2), mouse(chromedp.MouseReleased, 2))
}

// back goes back in the history. A page that the browser kept is shown again without
// being loaded, so what the test waits for is its own affair.
func (t *tab) back() {
	t.t.Helper()
	history, err := chromedp.Run(t.ctx, chromedp.NavigationEntries())
	if err != nil {
		t.t.Fatalf("browser: %v", err)
	}
	send(t, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: history.Entries[history.CurrentIndex-1].ID})
}

// moveTo takes the tab to another project, signed in there, with nothing heard yet, and
// with no page open. The storage of another address is another.
func (t *tab) moveTo(b *bench, allowed []string) {
	b.t.Helper()
	t.mu.Lock()
	t.bench = b
	t.mu.Unlock()
	t.light()
	t.unplug(false)
	t.run(chromedp.Navigate("about:blank")) // what the last page still does is heard, and dropped
	t.forget()
	t.mu.Lock()
	t.noise, t.allowed = nil, allowed
	t.mu.Unlock()
	send(t, network.SetCookie, network.SetCookieParams{Name: b.cookie().Name, Value: b.cookie().Value, URL: b.url})
}

// sibling is another tab of the same reader: it shares cookies and storage.
func (t *tab) sibling() *tab {
	t.t.Helper()
	ctx, cancel := chromedp.NewContext(t.ctx)
	other := &tab{bench: t.bench, ctx: ctx, allowed: t.allowed}
	t.t.Cleanup(func() {
		cancel()
		other.checkNoise()
	})
	if err := chromedp.Listen(ctx, other.listen); err != nil {
		t.t.Fatalf("browser: %v", err)
	}
	other.run(chromedp.Navigate(t.url + "/"))
	return other
}

// quoteJS is text as a literal of JavaScript.
func quoteJS(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("web: a string always encodes: " + err.Error())
	}
	return string(quoted)
}
