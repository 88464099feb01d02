package templates

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// forbidden are the constructs by which text could become markup, script or style.
var forbidden = map[string]*regexp.Regexp{
	"a style":                   regexp.MustCompile(`(?i)<style|\bstyle=`),
	"an inline script":          regexp.MustCompile(`(?i)<script(>|\s+[^s])|^script |^css `),
	"an event handler":          regexp.MustCompile(`(?i)\bon[a-z]+=`),
	"hx-on, js: or a filter":    regexp.MustCompile(`(?i)hx-on|\bjs:|javascript:|hx-vals|hx-vars|hx-headers|hx-trigger|hx-boost`),
	"a trusted address":         regexp.MustCompile(`SafeURL|templ\.URL|SafeCSS|SafeScript|JSONScript|JSExpression|JSUnsafe`),
	"an address made elsewhere": regexp.MustCompile(`"/w/|\bhref="[^#"]|\baction="|\bsrc="`),
}

var (
	hxExpression = regexp.MustCompile(`\bhx-[a-z-]+=\{\s*(.*?)\s*\}(?:[\s>]|$)`)
	urlExpr      = regexp.MustCompile(`\b(?:href|action|src)=\{\s*(.*?)\s*\}(?:[\s>]|$)`)
	// A call of urls.go, its constants, the embedded files, or a local path given by
	// the handler, which checks it.
	builder = regexp.MustCompile(`^(?:[A-Z]\w*URL(?:\([^+]*\))?|static\.URL\(static\.\w+\)|anchor\(.*\)|url|v\.Back)$`)
	// The two triggers: an element that asks again by itself, so often, and one that asks
	// as a choice is made.
	polling = regexp.MustCompile(`\bhx-trigger="(?:every \d+s|change)"`)
	raw     = regexp.MustCompile(`templ\.Raw\(`)
)

// TestSources reads the templates, and the code beside them, for what they must not
// hold.
func TestSources(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.templ", "*.go"} {
		matches, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, matches...)
	}
	raws := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_templ.go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			raws += len(raw.FindAllString(line, -1))
			for _, what := range lineFaults(file, line) {
				t.Errorf("%s:%d: %s: %s", file, i+1, what, strings.TrimSpace(line))
			}
		}
	}
	if raws != 1 {
		t.Errorf("%d uses of templ.Raw, want the one of the rendered MEMORY.md", raws)
	}
}

// lineFaults names what a line must not hold.
func lineFaults(file, line string) []string {
	var faults []string
	line = polling.ReplaceAllString(line, "")
	for what, pattern := range forbidden {
		if pattern.MatchString(line) && !(file == "urls.go" && what == "an address made elsewhere") {
			faults = append(faults, what)
		}
	}
	for _, pattern := range []*regexp.Regexp{hxExpression, urlExpr} {
		for _, match := range pattern.FindAllStringSubmatch(line, -1) {
			if expr := strings.TrimSpace(match[1]); !builder.MatchString(expr) {
				faults = append(faults, "an address that is not of the one builder")
			}
		}
	}
	return faults
}

// TestLineFaults holds that the patterns find what they are for.
func TestLineFaults(t *testing.T) {
	for _, line := range []string{
		`<p style={ x }>`, `<STYLE>`, `<script>`, `<a onclick="x">`, `<a hx-on:click="x">`, `<a href="javascript:x">`,
		`<a href={ templ.SafeURL(x) }>`, `<a href={ f.Content }>`, `<a hx-get={ f.Content }>`, `<a href="/w/1/">`,
		`<a href={ DeskURL(p) + f.Content }>`, `<form action="/x">`, `<a hx-trigger="load">`,
		`<a hx-trigger="every 1s[x()]">`, `<a hx-trigger="change[x()]">`, `<a hx-trigger={ f.Content }>`,
	} {
		if len(lineFaults("x.templ", line)) == 0 {
			t.Errorf("nothing wrong found with %s", line)
		}
	}
	for _, line := range []string{
		`<a href={ DeskURL(p.Workspace.ID) }>`, `<a href="#page">`, `<link href={ static.URL(static.Icon) }>`,
		`<form action={ SignInURL }>`, `<a hx-post={ ResolveURL(a, b) }>`,
		`hx-trigger="every 1s"`, `hx-trigger="change"`,
	} {
		if faults := lineFaults("x.templ", line); len(faults) > 0 {
			t.Errorf("%s: %v", line, faults)
		}
	}
}
