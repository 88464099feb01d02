package web

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"docket/static"
)

// A reply is an answer read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// cookie returns the cookie of a signed-in reader.
func (b *bench) cookie() *http.Cookie { return b.server.sessions.begin("team lead") }

// get asks as a signed-in reader.
func (b *bench) get(path string) reply {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, path, nil, b.cookie()))
}

// post sends a form as a signed-in reader.
func (b *bench) post(path string, form url.Values) reply {
	b.t.Helper()
	return b.do(b.request(http.MethodPost, path, form, b.cookie()))
}

func (b *bench) request(method, path string, form url.Values, cookie *http.Cookie) *http.Request {
	b.t.Helper()
	var content io.Reader
	if form != nil {
		content = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, b.url+path, content)
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if cookie != nil {
		r.AddCookie(cookie)
	}
	return r
}

func (b *bench) do(r *http.Request) reply {
	b.t.Helper()
	response, err := http.DefaultTransport.RoundTrip(r) // follows nothing
	if err != nil {
		b.t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header, string(body)}
}

func assetPath() string { return static.URL(static.Stylesheet) }

// serveDirectly asks a handler that is not the server's own.
func (b *bench) serveDirectly(h http.Handler, path string) reply {
	b.t.Helper()
	r := b.request(http.MethodGet, path, nil, b.cookie())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return reply{w.Code, w.Header(), w.Body.String()}
}

func newJar(t *testing.T) http.CookieJar {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return jar
}
