package web

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"docket/templates"
)

// The fields of the sign-in form; the printed URL carries the first in its query.
const (
	fieldToken = "token"
	fieldNext  = "next"
)

// signInPage exchanges the token of the printed URL for a session and leads to an
// address without it. Without a token it is the page that asks for one.
func (s *server) signInPage(c echo.Context) error {
	noStore(c)
	if token := c.QueryParam(fieldToken); token != "" {
		return s.exchange(c, token, c.QueryParam(fieldNext))
	}
	return s.askForToken(c, http.StatusOK, templates.SignInView{Next: local(c.QueryParam(fieldNext))})
}

// signIn takes the token that a reader pasted.
func (s *server) signIn(c echo.Context) error {
	noStore(c)
	form := c.Request().PostForm
	return s.exchange(c, strings.TrimSpace(form.Get(fieldToken)), form.Get(fieldNext))
}

func (s *server) exchange(c echo.Context, token, next string) error {
	if !s.sessions.admits(token) {
		s.log.Info("sign-in refused", "id", requestID(c), "from", c.RealIP())
		return s.askForToken(c, http.StatusUnauthorized, templates.SignInView{Next: local(next), Failed: true})
	}
	c.SetCookie(s.sessions.begin(s.cfg.Actor))
	s.log.Info("signed in", "id", requestID(c), "actor", s.cfg.Actor)
	if next = local(next); next == "" {
		next = templates.RootURL
	}
	return seeOther(c, next)
}

// signOut takes the session from the browser.
func (s *server) signOut(c echo.Context) error {
	noStore(c)
	c.SetCookie(s.sessions.end())
	return seeOther(c, templates.SignInURL)
}

func (s *server) askForToken(c echo.Context, status int, view templates.SignInView) error {
	page := s.page(c, templates.SignInTitle, templates.NavNone)
	return respond(c, status, page, templates.SignIn(page, view))
}

// signedOut refuses a reader without a session. A page that was asked for is where
// signing in will lead; a decision that was sent comes back with its words.
func (s *server) signedOut(c echo.Context) error {
	noStore(c)
	r := c.Request()
	if wantsFragment(r) { // the page takes the place of the page, whatever part was asked for
		c.Response().Header().Set("HX-Retarget", "#page")
		c.Response().Header().Set("HX-Reswap", "outerHTML")
	}
	if safe(r.Method) {
		return s.askForToken(c, http.StatusUnauthorized, templates.SignInView{Next: local(r.URL.RequestURI())})
	}
	back, last := pageOfForm(c), path.Base(r.URL.Path)
	words := cmp.Or(r.PostForm.Get(string(templates.FieldRationale)), r.PostForm.Get(fieldReason))
	if last != "resolve" && last != "preview" && words == "" {
		return s.askForToken(c, http.StatusUnauthorized, templates.SignInView{Next: back})
	}
	view := templates.SignedOutView{Words: words, Back: back}
	page := s.page(c, templates.SignedOutTitle, templates.NavNone)
	return respond(c, http.StatusUnauthorized, page, templates.SignedOut(page, view))
}

// pageOfForm is the address of the page that holds the form which was posted: a case or the
// desk, in the list that the form carries.
func pageOfForm(c echo.Context) string {
	workspace, list := param(c, "workspace"), filterOf(c).Query()
	if id := param(c, "id"); id != "" {
		return templates.CaseInListURL(workspace, id, list)
	}
	return templates.DeskListURL(workspace, list)
}

// local returns path if it is one of this server, "" otherwise. A browser takes "//"
// and "/\" for the beginning of another host's name, and drops some control characters
// before it looks.
func local(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(path, "/") ||
		strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return ""
	}
	return path
}
