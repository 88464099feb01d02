package web

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	bodyLimit  = 1 << 20       // bytes
	queryLimit = 64            // fields of a query; ours have fewer than ten
	keyLimit   = 64 + rowLimit // fields of a form; that of the desk has one for each row
	contentCSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

// The keys under which guards leave what they found in an echo.Context.
const (
	keyRequestID = "docket.request_id"
	keySession   = "docket.session"
	keyVisit     = "docket.visit"
)

// identify names the request, for the log and for the error page.
func (s *server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := randomText(9)
		c.Set(keyRequestID, id)
		c.Response().Header().Set("X-Request-Id", id)
		return next(c)
	}
}

func requestID(c echo.Context) string {
	id, _ := c.Get(keyRequestID).(string)
	return id
}

// note writes a line for each request. It leaves out the query, which may hold the
// start-up token, and every header.
func (s *server) note(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := time.Now()
		err := next(c)
		s.log.Debug("request", "id", requestID(c), "method", c.Request().Method, "path", c.Request().URL.Path,
			"status", c.Response().Status, "took", time.Since(start).Round(time.Microsecond))
		return err
	}
}

// secure sets the headers that every answer carries, whatever becomes of the request.
// An answer that may be kept, or must not be, says so over these.
func (s *server) secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", contentCSP)
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache")
		h.Set("Vary", "HX-Request")
		return next(c)
	}
}

// answer turns whatever went wrong further in, a panic too, into an error page.
func (s *server) answer(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.contain(c, next); err != nil {
			s.fail(err, c)
		}
		return nil
	}
}

func (s *server) contain(c echo.Context, next echo.HandlerFunc) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler {
			panic(cause)
		}
		s.log.Error("panic", "id", requestID(c), "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
		err = errPanic
	}()
	return next(c)
}

// checkHost refuses a request for a host that is not ours: that is how a page elsewhere
// reaches a loopback server, after its name was made to point there.
func (s *server) checkHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.hosts.allow(c.Request().Host) {
			return refuse(http.StatusMisdirectedRequest, "host")
		}
		return next(c)
	}
}

// hosts is the values of Host that are answered.
type hosts struct {
	exact []string // host:port, lower case
	names []string // a host on any port, lower case
}

// newHosts allows the loopback's names on port, and the further values: "name" on any
// port, "name:port" on that one.
func newHosts(port int, further []string) hosts {
	var h hosts
	for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
		h.exact = append(h.exact, net.JoinHostPort(name, strconv.Itoa(port)))
		if port == 80 {
			h.exact = append(h.exact, strings.TrimSuffix(net.JoinHostPort(name, "80"), ":80"))
		}
	}
	for _, value := range further {
		value = strings.ToLower(value)
		if _, _, err := net.SplitHostPort(value); err == nil {
			h.exact = append(h.exact, value)
		} else {
			h.names = append(h.names, strings.Trim(value, "[]"))
		}
	}
	return h
}

func (h hosts) allow(value string) bool {
	value = strings.ToLower(value)
	if slices.Contains(h.exact, value) {
		return true
	}
	name, _, err := net.SplitHostPort(value)
	if err != nil {
		name = value
	}
	return slices.Contains(h.names, strings.Trim(name, "[]"))
}

// checkOrigin refuses a change that a page of another origin asked for. Beside the
// standard check it refuses every Origin that is not this host, "null" too, whatever
// Sec-Fetch-Site says.
func (s *server) checkOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	standard := http.NewCrossOriginProtection()
	return func(c echo.Context) error {
		r := c.Request()
		if standard.Check(r) != nil || !safe(r.Method) && foreign(r) {
			return refuse(http.StatusForbidden, "origin")
		}
		return next(c)
	}
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func foreign(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host != r.Host {
			return true
		}
	}
	return false
}

// readForm takes in the body of a POST, if it is of a sensible size and shape, before
// anything is made of it. Any other method's body is never read.
func (s *server) readForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if strings.Count(r.URL.RawQuery, "&") >= queryLimit {
			return refuse(http.StatusBadRequest, "query")
		}
		if r.ContentLength > bodyLimit {
			return refuse(http.StatusRequestEntityTooLarge, "body")
		}
		if r.Method != http.MethodPost {
			return next(c)
		}
		body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, bodyLimit))
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			return refuse(http.StatusRequestEntityTooLarge, "body")
		}
		if err != nil || strings.Count(string(body), "&") >= keyLimit {
			return refuse(http.StatusBadRequest, "body")
		}
		r.PostForm, err = url.ParseQuery(string(body))
		if err != nil {
			return refuse(http.StatusBadRequest, "body")
		}
		return next(c)
	}
}

// findSession looks for who sends the request. It refuses nobody: routes do.
func (s *server) findSession(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if current, ok := s.sessions.find(c.Request()); ok {
			c.Set(keySession, current)
		}
		return next(c)
	}
}

// sessionOf returns what findSession found.
func sessionOf(c echo.Context) (session, bool) {
	current, ok := c.Get(keySession).(session)
	return current, ok
}

// actorOf returns who is signed in, "" for nobody.
func actorOf(c echo.Context) string {
	current, _ := sessionOf(c)
	return current.Actor
}

// quiet is a logger for a server that was given none.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
