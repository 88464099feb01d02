package templates

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

var (
	update     = flag.Bool("update", false, "write the golden files anew")
	hashedFile = regexp.MustCompile(`/static/[0-9a-f]{12}/`)
)

// TestGolden compares every page, as a fragment, with testdata.
func TestGolden(t *testing.T) {
	for _, s := range (fixtures{plain}).shots() {
		t.Run(s.name, func(t *testing.T) {
			golden(t, s.name, render(t, Fragment(s.page, s.body)))
		})
	}
}

func TestGoldenLayout(t *testing.T) {
	p := (fixtures{plain}).page(NavDesk, DeskTitle)
	html := render(t, Layout(p, Desk(p, DeskView{})))
	golden(t, "layout", hashedFile.ReplaceAllString(html, "/static/HASH/"))
}

// TestFragmentIsThePage holds that a swap shows the same bytes as a load.
func TestFragmentIsThePage(t *testing.T) {
	for _, s := range (fixtures{plain}).shots() {
		part := render(t, s.body)
		if !strings.Contains(render(t, Layout(s.page, s.body)), part) || !strings.Contains(render(t, Fragment(s.page, s.body)), part) {
			t.Errorf("%s: layout or fragment changes the page", s.name)
		}
		if !strings.HasPrefix(part, `<main id="page"`) || !strings.HasSuffix(part, "</main>") {
			t.Errorf("%s is not the one element #page: %.60s", s.name, part)
		}
	}
}

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares html, one tag a line, with the file of that name.
func golden(t *testing.T, name, html string) {
	t.Helper()
	got := strings.ReplaceAll(html, "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".golden.html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-golden +got); -update writes it anew:\n%s", path, diff)
	}
}
