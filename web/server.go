package web

import (
	"log/slog"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"docket/memory"
	"docket/static"
	"docket/templates"
)

// A server is what all requests share. Nothing in it changes once it is made.
type server struct {
	cfg        Config
	log        *slog.Logger
	hosts      hosts
	sessions   *sessions
	readers    *readers
	projects   map[string]*project // by workspace id
	workspaces []templates.Workspace
}

// A project is one workspace as it is served.
type project struct {
	id, name  string
	engine    *memory.Engine
	runs      *runLog
	forecasts forecaster
	check     *healthCheck
}

// A route is one line of the table.
type route struct {
	method, path string
	handle       echo.HandlerFunc
}

// deskRoute is the address of a desk.
const deskRoute = "/w/:workspace/"

// routes is every address there is. The first group answers anybody, and each says
// itself what it does for a reader who is not signed in; signedIn refuses such a reader.
// A GET answers HEAD too.
func (s *server) routes() []route {
	return []route{
		{http.MethodGet, static.Prefix + ":hash/:name", s.asset},
		{http.MethodGet, templates.SignInURL, s.signInPage},
		{http.MethodPost, templates.SignInURL, s.signIn},
		{http.MethodPost, templates.SignOutURL, s.signOut},

		{http.MethodGet, templates.RootURL, s.signedIn(s.root)},
		{http.MethodGet, "/w/:workspace", s.signedIn(s.bare)},
		{http.MethodGet, deskRoute, s.signedIn(tidied(s.in(s.desk)))},
		{http.MethodGet, "/w/:workspace/forecast", s.signedIn(s.in(s.forecast))},
		{http.MethodPost, "/w/:workspace/marks", s.signedIn(s.in(s.markSelected))},
		{http.MethodPost, "/w/:workspace/settings", s.signedIn(s.in(s.settings))},
		{http.MethodPost, "/w/:workspace/distill", s.signedIn(s.in(s.distill))},
		{http.MethodGet, "/w/:workspace/cases/:id", s.signedIn(s.in(s.showCase))},
		{http.MethodGet, "/w/:workspace/cases/:id/resolve", s.signedIn(s.in(s.toCase))},
		{http.MethodPost, "/w/:workspace/cases/:id/resolve", s.signedIn(s.in(s.resolve))},
		{http.MethodPost, "/w/:workspace/cases/:id/refresh", s.signedIn(s.in(s.refresh))},
		{http.MethodGet, "/w/:workspace/cases/:id/preview", s.signedIn(s.in(s.toCase))},
		{http.MethodPost, "/w/:workspace/cases/:id/preview", s.signedIn(s.in(s.previewChoice))},
		{http.MethodGet, "/w/:workspace/cases/:id/newer", s.silently(s.in(s.newer))},
		{http.MethodPost, "/w/:workspace/cases/:id/seen", s.signedIn(s.in(s.mark(templates.ActSeen)))},
		{http.MethodPost, "/w/:workspace/cases/:id/unseen", s.signedIn(s.in(s.mark(templates.ActBack)))},
		{http.MethodPost, "/w/:workspace/cases/:id/aside", s.signedIn(s.in(s.mark(templates.ActAside)))},
		{http.MethodPost, "/w/:workspace/cases/:id/unaside", s.signedIn(s.in(s.mark(templates.ActUnset)))},
		{http.MethodGet, "/w/:workspace/memory", s.signedIn(s.in(s.memory))},
		{http.MethodGet, "/w/:workspace/memory/k/:key", s.signedIn(s.in(s.domain))},
		{http.MethodGet, "/w/:workspace/memory/e/:key", s.signedIn(s.in(s.entry))},
		{http.MethodGet, "/w/:workspace/timeline", s.signedIn(tidied(s.in(s.timeline)))},
		{http.MethodGet, "/w/:workspace/facts", s.signedIn(s.in(s.fact))},
		{http.MethodGet, "/w/:workspace/facts/:id", s.signedIn(s.in(s.fact))},
		{http.MethodGet, "/w/:workspace/adjudications", s.signedIn(s.in(s.adjudications))},
		{http.MethodGet, "/w/:workspace/adjudications/:id", s.signedIn(s.in(s.adjudication))},
		{http.MethodGet, "/w/:workspace/preview", s.signedIn(s.in(s.preview))},
		{http.MethodGet, "/w/:workspace/health", s.signedIn(s.in(s.health))},
		{http.MethodPost, "/w/:workspace/health", s.signedIn(s.in(s.startCheck))},
	}
}

// handler puts the guards before the routes. Each guard sees what those before it let
// through; all run before a route is looked for, so that none is forgotten on a method
// or an address that does not exist.
func (s *server) handler() http.Handler {
	e := echo.New()
	e.HTTPErrorHandler = s.fail
	e.Pre(
		s.identify,
		s.note,
		s.secure,
		s.answer,
		s.checkHost,
		s.checkOrigin,
		s.readForm,
		s.findSession,
	)
	for _, r := range s.routes() {
		e.Add(r.method, r.path, r.handle)
		if r.method == http.MethodGet {
			e.Add(http.MethodHead, r.path, r.handle)
		}
	}
	return e
}

// signedIn lets only a reader with a session through, and marks the session as used.
func (s *server) signedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		current, ok := sessionOf(c)
		if !ok {
			return s.signedOut(c)
		}
		if cookie := s.sessions.renew(current); cookie != nil {
			c.SetCookie(cookie)
		}
		return next(c)
	}
}

// A visit is one request of a signed-in reader to one workspace, with what the files
// said when it came.
type visit struct {
	echo.Context
	*project
	state   *memory.State
	actor   string
	reading *reading // made when first asked for
}

// in finds the workspace of the address. One that is not served answers as any other
// address that does not exist.
func (s *server) in(next func(*visit) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		p, ok := s.projects[param(c, "workspace")]
		if !ok {
			return notFound
		}
		v := &visit{Context: c, project: p, state: p.engine.State(c.Request().Context()), actor: actorOf(c)}
		c.Set(keyVisit, v)
		return next(v)
	}
}

// reread takes in what the reader's own act has changed.
func (v *visit) reread() { v.state = v.engine.State(v.Request().Context()) }

// param returns a part of the address as it was before it was escaped. Echo matches
// against the escaped path where that says more than the plain one.
func param(c echo.Context, name string) string {
	value := c.Param(name)
	if c.Request().URL.RawPath == "" {
		return value
	}
	plain, err := url.PathUnescape(value)
	if err != nil {
		return value
	}
	return plain
}

// root leads to a desk: that of the only workspace, or of the first one, whose rail
// has the others.
func (s *server) root(c echo.Context) error {
	return seeOther(c, templates.DeskURL(s.workspaces[0].ID))
}

// bare completes an address that lacks its last slash.
func (s *server) bare(c echo.Context) error {
	if _, ok := s.projects[param(c, "workspace")]; !ok {
		return notFound
	}
	return seeOther(c, templates.DeskURL(param(c, "workspace")))
}

// asset serves a file under the address that carries its hash.
func (s *server) asset(c echo.Context) error {
	asset, ok := static.Open(c.Param("hash"), c.Param("name"))
	if !ok {
		return notFound
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	c.Response().Header().Del("Vary")
	return c.Blob(http.StatusOK, asset.ContentType, asset.Data)
}
