package web

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// A window is a profile of the browser with one page. It costs more than what most tests
// do with it, so it is emptied and handed on to the next test.
type window struct {
	ctx   context.Context
	close func()

	mu   sync.Mutex // guards user
	user *tab       // whose test it is; nil between two
}

// windows are those that no test uses now.
type windows struct {
	mu   sync.Mutex // guards free
	free []*window
}

// take returns a window that holds nothing of another test.
func (p *windows) take(user *tab) (*window, error) {
	p.mu.Lock()
	var w *window
	if n := len(p.free); n > 0 {
		w, p.free = p.free[n-1], p.free[:n-1]
	}
	p.mu.Unlock()
	if w != nil {
		w.use(user)
		return w, nil
	}
	w = &window{user: user}
	w.ctx, w.close = chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	if err := chromedp.Listen(w.ctx, w.listen); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *window) use(user *tab) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.user = user
}

func (w *window) listen(event any) {
	w.mu.Lock()
	user := w.user
	w.mu.Unlock()
	if user != nil {
		user.listen(event)
	}
}

// leave takes the window from its test. What cannot be emptied is closed.
func (p *windows) leave(w *window, reusable bool) {
	if !reusable || w.empty() != nil {
		w.use(nil)
		w.close()
		return
	}
	w.use(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, w)
}

// empty makes the window as it was when it was new. The page goes first: what it still
// says on its way out is its test's.
func (w *window) empty() error {
	ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
	defer cancel()
	origin := w.user.home()
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, emulation.ClearDeviceMetricsOverride, cdp.Empty{}); err != nil {
		return err
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	return err
}
