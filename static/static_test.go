package static

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	for _, name := range []string{Stylesheet, Script, Keys, Drafts, Icon, HTMX, Reset} {
		parts := strings.Split(strings.TrimPrefix(URL(name), Prefix), "/")
		if len(parts) != 2 || parts[1] != name {
			t.Fatalf("URL(%q) = %q", name, URL(name))
		}
		asset, ok := Open(parts[0], name)
		if !ok || len(asset.Data) == 0 || asset.ContentType == "" || asset.Hash != parts[0] {
			t.Errorf("Open(%q, %q) = %+v, %v", parts[0], name, asset.ContentType, ok)
		}
		sum := sha256.Sum256(asset.Data)
		if parts[0] != hex.EncodeToString(sum[:])[:12] {
			t.Errorf("%s: the address does not carry the hash of the bytes", name)
		}
		if _, ok := Open("000000000000", name); ok {
			t.Errorf("%s opens under a hash that is not its own", name)
		}
	}
	hash := strings.Split(URL(Icon), "/")[2]
	for _, name := range []string{"", "static.go", "vendored.json", "../static/" + Icon, "htmx.LICENSE"} {
		if _, ok := Open(hash, name); ok {
			t.Errorf("%q opens", name)
		}
	}
}

// TestVendored recomputes the hashes of the files of others, and holds that each such
// file is listed.
func TestVendored(t *testing.T) {
	data, err := os.ReadFile("vendored.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Name, Version, License, Integrity, Source, File, SHA256 string }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, v := range list {
		content, err := os.ReadFile(v.File)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(content)
		if got := hex.EncodeToString(sum[:]); got != v.SHA256 {
			t.Errorf("%s has the hash %s, not %s", v.File, got, v.SHA256)
		}
		if v.Name == "" || v.Version == "" || v.License == "" || v.Source == "" || !strings.HasPrefix(v.Integrity, "sha512-") {
			t.Errorf("%s: where it comes from is not told whole: %+v", v.File, v)
		}
		listed[v.File] = true
	}
	for name := range assets() {
		if own := name == Stylesheet || name == Script || name == Keys || name == Drafts || name == Icon; own == listed[name] {
			t.Errorf("%s: own %v, listed %v", name, own, listed[name])
		}
	}
}

// TestStylesheet holds the limit of its size, and that it loads nothing.
func TestStylesheet(t *testing.T) {
	css := content(t, Stylesheet)
	if limit := 14 << 10; len(css) > limit {
		t.Errorf("%d bytes, more than %d", len(css), limit)
	}
	for _, word := range []string{"url(", "@import", "@font-face"} {
		if strings.Contains(css, word) {
			t.Errorf("holds %q", word)
		}
	}
	for _, need := range []string{":focus-visible", "prefers-reduced-motion", "forced-colors", "@media print", "max-width: 760px", "208px"} {
		if !strings.Contains(css, need) {
			t.Errorf("lacks %q", need)
		}
	}
}

// TestScript holds that the script makes no code and no markup out of text.
func TestScript(t *testing.T) {
	js := content(t, Script) + content(t, Keys) + content(t, Drafts)
	for _, word := range []string{"eval", "Function(", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "sessionStorage", "fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket"} {
		if strings.Contains(js, word) {
			t.Errorf("holds %q", word)
		}
	}
	// One file alone keeps anything in the browser: the words that were not sent.
	if strings.Contains(content(t, Script)+content(t, Keys), "localStorage") {
		t.Error("words are kept elsewhere too")
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	return string(assets()[name].Data)
}

var token = regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)`)

// TestContrast computes every pair of text and ground that the pages use.
func TestContrast(t *testing.T) {
	colours := map[string][2]string{}
	for _, m := range token.FindAllStringSubmatch(content(t, Stylesheet), -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	pairs := map[string][]string{
		"ink":    {"paper", "panel", "sunk", "accent-bg", "good-bg", "bad-bg", "wait-bg"},
		"ink2":   {"paper", "panel", "sunk", "accent-bg"},
		"ink3":   {"paper", "panel"},
		"accent": {"paper", "panel", "accent-bg"},
		"good":   {"paper", "panel", "good-bg"},
		"bad":    {"paper", "panel", "bad-bg", "sunk"},
		"wait":   {"paper", "panel", "wait-bg"},
		"paper":  {"ink", "accent"}, // filled tags and the one button
	}
	for text, grounds := range pairs {
		for _, ground := range grounds {
			for scheme, name := range []string{"light", "dark"} {
				a, b := colours[text][scheme], colours[ground][scheme]
				if a == "" || b == "" {
					t.Fatalf("no colour %s or %s", text, ground)
				}
				if ratio := contrast(t, a, b); ratio < 4.5 {
					t.Errorf("%s: %s on %s is %.2f, less than 4.5", name, text, ground, ratio)
				}
			}
		}
	}
}

// contrast is the ratio of WCAG 2.2.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := colour[1:]
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	channel := func(shift int) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}
