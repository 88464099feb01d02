package web

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// signIn follows the printed URL and returns the cookie that it gave.
func (b *bench) signIn() *http.Cookie {
	b.t.Helper()
	answer := b.do(b.request(http.MethodGet, "/sign-in?token="+b.server.sessions.token, nil, nil))
	if answer.status != http.StatusSeeOther || answer.header.Get("Location") != "/" {
		b.t.Fatalf("sign-in: %d to %q, want 303 to /", answer.status, answer.header.Get("Location"))
	}
	cookies := (&http.Response{Header: answer.header}).Cookies()
	if len(cookies) != 1 {
		b.t.Fatalf("sign-in gave %d cookies", len(cookies))
	}
	if got := answer.header.Get("Cache-Control"); got != "no-store" {
		b.t.Errorf("the answer to a token may be kept: %q", got)
	}
	return cookies[0]
}

func TestStartUpTokenSignsIn(t *testing.T) {
	b := newBench(t)
	for range 2 { // the URL is good for as long as the server runs
		cookie := b.signIn()
		port := b.url[strings.LastIndexByte(b.url, ':')+1:]
		if cookie.Name != "docket-"+port || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" {
			t.Errorf("cookie %v", cookie)
		}
		answer := b.do(b.request(http.MethodGet, "/w/"+b.workspace()+"/", nil, cookie))
		if answer.status != http.StatusOK || !strings.Contains(answer.body, "team lead") {
			t.Errorf("desk: %d, and it does not say who is signed in", answer.status)
		}
	}
	for _, token := range []string{"wrong", b.server.sessions.token + "x", b.server.sessions.token[1:]} {
		answer := b.do(b.request(http.MethodGet, "/sign-in?token="+url.QueryEscape(token), nil, nil))
		if answer.status != http.StatusUnauthorized || answer.header.Get("Set-Cookie") != "" {
			t.Errorf("token %q: %d, cookie %q", token, answer.status, answer.header.Get("Set-Cookie"))
		}
		if answer.header.Get("Cache-Control") != "no-store" {
			t.Error("the answer to a wrong token may be kept")
		}
	}
}

func TestSignInLeadsToLocalPathsAlone(t *testing.T) {
	b := newBench(t)
	for next, want := range map[string]string{
		"":                        "/",
		"/w/x/timeline?text=a":    "/w/x/timeline?text=a",
		"//evil.example":          "/",
		`/\evil.example`:          "/",
		"https://evil.example/":   "/",
		"evil":                    "/",
		"/\t/evil.example":        "/",
		"/a\nSet-Cookie: x":       "/",
		"javascript:alert(1)":     "/",
		"/w/x/facts/a%2fb":        "/w/x/facts/a%2fb",
		"http:/evil.example":      "/",
		"/ok#:~:text=x":           "/ok#:~:text=x",
		"/%5cevil.example":        "/%5cevil.example",
		"///evil.example":         "/",
		"\x00/w/":                 "/",
		"/w/x/cases/1?decided=//": "/w/x/cases/1?decided=//",
	} {
		answer := b.do(b.request(http.MethodPost, "/sign-in", url.Values{"token": {b.server.sessions.token}, "next": {next}}, nil))
		if got := answer.header.Get("Location"); answer.status != http.StatusSeeOther || got != want {
			t.Errorf("next %q: %d to %q, want %q", next, answer.status, got, want)
		}
	}
}

func TestSessionsRunOut(t *testing.T) {
	b := newBench(t)
	cookie := b.signIn()
	desk := "/w/" + b.workspace() + "/"
	status := func() int { return b.do(b.request(http.MethodGet, desk, nil, cookie)).status }
	b.clock.move(idleLimit - time.Second)
	if got := status(); got != http.StatusOK {
		t.Errorf("just before the idle limit: %d", got)
	}
	b.clock.move(time.Second)
	if got := status(); got != http.StatusUnauthorized {
		t.Errorf("at the idle limit: %d", got)
	}

	cookie = b.signIn()
	for end := b.clock.read().Add(sessionLimit); b.clock.read().Before(end); b.clock.move(5 * 24 * time.Hour) {
		answer := b.do(b.request(http.MethodGet, desk, nil, cookie))
		if answer.status != http.StatusOK {
			t.Fatalf("used every five days: %d", answer.status)
		}
		if renewed := (&http.Response{Header: answer.header}).Cookies(); len(renewed) == 1 {
			cookie = renewed[0]
		}
	}
	if got := status(); got != http.StatusUnauthorized {
		t.Errorf("at the absolute limit, in use: %d", got)
	}
}

func TestForgedCookiesAreNoSession(t *testing.T) {
	b := newBench(t)
	good := b.cookie()
	payload, signature, _ := strings.Cut(good.Value, ".")
	elsewhere := newSessions(b.server.sessions.secret, 1, b.clock.read).begin("team lead")
	stranger := newSessions(make([]byte, secretSize), 1, b.clock.read)
	stranger.name = good.Name
	for name, value := range map[string]string{
		"nothing":        "",
		"no signature":   payload,
		"empty one":      payload + ".",
		"cut":            payload + "." + signature[:20],
		"another actor":  encode([]byte(`{"actor":"root","issued":"2026-03-01T12:00:00Z","used":"2026-03-01T12:00:00Z"}`)) + "." + signature,
		"another port":   elsewhere.Value,
		"another secret": stranger.begin("team lead").Value,
	} {
		answer := b.do(b.request(http.MethodGet, "/w/"+b.workspace()+"/", nil, &http.Cookie{Name: good.Name, Value: value}))
		if answer.status != http.StatusUnauthorized {
			t.Errorf("%s: %d, want 401", name, answer.status)
		}
	}
}

func TestRestartSignsNobodyOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.serveOn(listener)
	cookie, token := b.signIn(), b.server.sessions.token
	port := b.url[strings.LastIndexByte(b.url, ':'):]
	listener.Close()

	listener, err = net.Listen("tcp", "127.0.0.1"+port)
	if err != nil {
		t.Skip("the port was taken meanwhile")
	}
	b.serveOn(listener, func(c *Config) { c.Actor = "somebody else" })
	answer := b.do(b.request(http.MethodGet, "/w/"+b.workspace()+"/", nil, cookie))
	if answer.status != http.StatusOK || !strings.Contains(answer.body, "team lead") {
		t.Errorf("after a restart: %d, or as somebody else", answer.status)
	}
	if b.server.sessions.admits(token) {
		t.Error("the token of the last start is still good")
	}
}

func TestSignOutClearsTheCookie(t *testing.T) {
	b := newBench(t)
	answer := b.post("/sign-out", url.Values{})
	cookies := (&http.Response{Header: answer.header}).Cookies()
	if len(cookies) != 1 || cookies[0].MaxAge >= 0 || cookies[0].Value != "" {
		t.Errorf("cookies %v, want one that is taken back", cookies)
	}
	if answer.header.Get("Cache-Control") != "no-store" {
		t.Error("the answer may be kept")
	}
}

func TestSecretIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	first, err := loadSecret(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := loadSecret(dir)
	if err != nil || string(first) != string(again) {
		t.Errorf("second reading: %v, or another secret", err)
	}
	path := filepath.Join(dir, secretName)
	for name, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want mode %v", name, info.Mode().Perm(), want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := loadSecret(dir); err == nil {
		t.Error("a secret that others may read is used")
	}
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadSecret(dir); err == nil {
		t.Error("a damaged secret is used")
	}
}

func TestSecretsAreInNoLogAndNoPage(t *testing.T) {
	b := newBench(t)
	cookie := b.signIn()
	secrets := []string{b.server.sessions.token, cookie.Value, string(b.server.sessions.secret)}
	b.do(b.request(http.MethodGet, "/sign-in?token="+b.server.sessions.token[:20], nil, nil))
	b.do(b.request(http.MethodPost, "/sign-in", url.Values{"token": {b.server.sessions.token}}, nil))
	for _, path := range []string{"/", "/w/" + b.workspace() + "/", "/nothing?token=" + b.server.sessions.token} {
		answer := b.do(b.request(http.MethodGet, path, nil, cookie))
		for _, secret := range secrets {
			if strings.Contains(answer.body, secret) {
				t.Errorf("%s shows a secret", path)
			}
		}
	}
	log := b.log.String()
	if !strings.Contains(log, "signed in") {
		t.Fatal("the log does not tell of a sign-in")
	}
	for _, secret := range append(secrets, b.server.sessions.token[:20]) {
		if strings.Contains(log, secret) {
			t.Error("the log holds a secret")
		}
	}
}
