package web

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// pictures is where TestPictures puts its pictures; it writes none without it.
var (
	pictures = flag.String("pictures", "", "write pictures of the pages into this `folder`, seen from the test's own")
	whole    = flag.Bool("whole", false, "with -pictures: the whole page, below the fold too")
)

// TestPictures takes a picture of each scene: at a desk and on a telephone, light and
// dark. The worked example and its clock make the same pictures each time.
//
//	go test ./web -run TestPictures -pictures ../testdata/pictures
//	go test ./web -run 'TestPictures/^(case|desk|stale)$' -pictures ../testdata/pictures
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("it writes files: name their folder with -pictures")
	}
	if err := os.MkdirAll(*pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes() {
		if !s.picture {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tab := newTab(s.serve(t), true)
			tab.allowed = s.allow
			tab.size(1280, 800)
			s.reach(t, tab)
			for _, view := range []struct {
				suffix        string
				width, height int64
			}{{"", 1280, 800}, {"-390", 390, 844}} {
				tab.size(view.width, view.height)
				tab.light()
				tab.picture(s.name + view.suffix + ".png")
				tab.dark()
				tab.picture(s.name + view.suffix + "-dark.png")
			}
		})
	}
}

// picture writes what is seen.
func (t *tab) picture(name string) {
	t.t.Helper()
	t.settle()
	shot := chromedp.CaptureScreenshot()
	if *whole {
		shot = chromedp.FullScreenshot(100)
	}
	png, err := chromedp.Run(t.ctx, shot)
	if err != nil {
		t.t.Fatalf("picture %s: %v", name, err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), png, 0o644); err != nil {
		t.t.Fatal(err)
	}
}
