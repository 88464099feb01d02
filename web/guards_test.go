package web

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

func itoa(n int) string { return strconv.Itoa(n) }

// wantHeaders is what every answer carries.
var wantHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"Referrer-Policy":              "same-origin",
	"X-Content-Type-Options":       "nosniff",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
}

func checkHeaders(t *testing.T, r reply) {
	t.Helper()
	for name, want := range wantHeaders {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if r.header.Get("X-Request-Id") == "" {
		t.Error("no request id")
	}
	if r.header.Get("Server") != "" || r.header.Get("X-Powered-By") != "" {
		t.Error("the answer says what serves it")
	}
}

func TestHostIsChecked(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Hosts = []string{"docket.internal", "Other.example:99"} })
	port := b.url[strings.LastIndexByte(b.url, ':')+1:]
	for _, c := range []struct {
		host string
		want bool
	}{
		{"127.0.0.1:" + port, true},
		{"localhost:" + port, true},
		{"LOCALHOST:" + port, true},
		{"[::1]:" + port, true},
		{"docket.internal", true},
		{"docket.internal:1234", true},
		{"other.example:99", true},
		{"other.example:98", false},
		{"127.0.0.1", false},
		{"127.0.0.1:1", false},
		{"evil.example", false},
		{"evil.example:" + port, false},
		{"127.0.0.1:" + port + ".evil.example", false},
		{"localhost.evil.example:" + port, false},
		{"", false},
	} {
		if got := b.server.hosts.allow(c.host); got != c.want {
			t.Errorf("Host %q allowed = %v, want %v", c.host, got, c.want)
		}
	}
	paths := []string{"/", "/nothing", "/w/x/", "/static/0/docket.css", "/sign-in", "/w/x/cases/y/resolve"}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"} {
		for _, path := range paths {
			r := b.request(method, path, nil, b.cookie())
			r.Host = "evil.example"
			answer := b.do(r)
			if answer.status != http.StatusMisdirectedRequest {
				t.Errorf("%s %s for another host: %d, want 421", method, path, answer.status)
			}
			checkHeaders(t, answer)
		}
	}
}

func TestForeignOriginsChangeNothing(t *testing.T) {
	b := newBench(t)
	own := b.url
	for _, c := range []struct {
		name   string
		header map[string]string
		want   int
	}{
		{"own page", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": own}, http.StatusSeeOther},
		{"no browser", nil, http.StatusSeeOther},
		{"old browser, own page", map[string]string{"Origin": own}, http.StatusSeeOther},
		{"cross-site", map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, http.StatusForbidden},
		{"same-site", map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:1"}, http.StatusForbidden},
		{"foreign origin alone", map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{"another port", map[string]string{"Origin": "http://127.0.0.1:1"}, http.StatusForbidden},
		{"null origin", map[string]string{"Origin": "null"}, http.StatusForbidden},
		{"null origin that claims to be ours", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "null"}, http.StatusForbidden},
		{"foreign origin that claims to be ours", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"}, http.StatusForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := b.request(http.MethodPost, "/sign-out", url.Values{}, b.cookie())
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			answer := b.do(r)
			if answer.status != c.want {
				t.Errorf("status %d, want %d", answer.status, c.want)
			}
			checkHeaders(t, answer)
		})
	}
}

func TestLargeBodiesAreRefused(t *testing.T) {
	b := newBench(t)
	large := bytes.Repeat([]byte("a"), bodyLimit+1)
	many := []byte(strings.Repeat("a=1&", 100_000))
	for _, c := range []struct {
		name    string
		body    []byte
		chunked bool
		want    int
	}{
		{"declared too large", large, false, http.StatusRequestEntityTooLarge},
		{"too large in chunks", large, true, http.StatusRequestEntityTooLarge},
		{"just small enough", large[:bodyLimit], false, http.StatusUnauthorized},
		{"100,000 keys", many, false, http.StatusBadRequest},
		{"no form", []byte("%zz"), false, http.StatusBadRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodPost, b.url+"/sign-in", bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if c.chunked {
				r.ContentLength = -1
			}
			answer := b.do(r)
			if answer.status != c.want {
				t.Errorf("status %d, want %d", answer.status, c.want)
			}
			checkHeaders(t, answer)
		})
	}
}

func TestEveryAnswerCarriesTheHeaders(t *testing.T) {
	b := newBench(t)
	for path, want := range map[string]int{
		"/":                              http.StatusSeeOther,
		"/w/" + b.workspace() + "/":      http.StatusOK,
		"/nothing":                       http.StatusNotFound,
		"/w/nothing/":                    http.StatusNotFound,
		"/?" + strings.Repeat("a&", 100): http.StatusBadRequest,
	} {
		answer := b.get(path)
		if answer.status != want {
			t.Errorf("%s: %d, want %d", path, answer.status, want)
		}
		checkHeaders(t, answer)
		if got := answer.header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
		if got := answer.header.Get("Vary"); got != "HX-Request" {
			t.Errorf("%s: Vary %q", path, got)
		}
	}
}

func TestPanicBecomesAnErrorPage(t *testing.T) {
	b := newBench(t)
	e := b.server.handler().(*echo.Echo)
	e.GET("/panic", func(echo.Context) error { panic("a secret cause\x1b[2J") })
	answer := b.serveDirectly(e, "/panic")
	if answer.status != http.StatusInternalServerError {
		t.Fatalf("status %d, want 500", answer.status)
	}
	checkHeaders(t, answer)
	id := answer.header.Get("X-Request-Id")
	if !strings.Contains(answer.body, id) {
		t.Error("the page lacks the request id")
	}
	if strings.Contains(answer.body, "secret cause") {
		t.Error("the page tells the cause")
	}
	log := b.log.String()
	if !strings.Contains(log, id) || !strings.Contains(log, "secret cause") {
		t.Error("the log lacks the cause or the request id")
	}
	if strings.Contains(log, "\x1b") {
		t.Error("the log holds a raw escape character")
	}
}

func TestPagesAreValidated(t *testing.T) {
	b := newBench(t)
	path := "/w/" + b.workspace() + "/timeline"
	first := b.get(path)
	tag := first.header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) {
		t.Fatalf("ETag %q is not weak", tag)
	}
	r := b.request(http.MethodGet, path, nil, b.cookie())
	r.Header.Set("If-None-Match", `"other", `+tag)
	again := b.do(r)
	if again.status != http.StatusNotModified || again.body != "" {
		t.Errorf("second answer %d with %d bytes, want an empty 304", again.status, len(again.body))
	}
	checkHeaders(t, again)

	r = b.request(http.MethodGet, path, nil, b.cookie())
	r.Header.Set("HX-Request", "true")
	r.Header.Set("If-None-Match", tag)
	fragment := b.do(r)
	if fragment.status != http.StatusOK || fragment.header.Get("ETag") == tag {
		t.Errorf("the fragment answers %d under the tag of the whole page", fragment.status)
	}
	if strings.Contains(fragment.body, "<html") || !strings.Contains(first.body, "<html") {
		t.Error("fragment and whole page are not told apart")
	}
	r.Header.Set("HX-History-Restore-Request", "true")
	if restored := b.do(r); restored.status != http.StatusNotModified {
		t.Errorf("a restored page answers %d, want the whole page (here 304)", restored.status)
	}
}

func TestAssetsMayBeKept(t *testing.T) {
	b := newBench(t)
	cookie := b.cookie()
	b.clock.move(2 * renewAfter)
	answer := b.do(b.request(http.MethodGet, assetPath(), nil, cookie))
	if answer.header.Get("Set-Cookie") != "" {
		t.Error("what everybody may keep carries a session")
	}
	if answer.status != http.StatusOK || answer.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("%d, Cache-Control %q", answer.status, answer.header.Get("Cache-Control"))
	}
	checkHeaders(t, answer)
}
