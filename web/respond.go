package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"docket/templates"
)

// respond writes a page: the whole document, or for htmx the #page element of the same
// component. The page is rendered before anything is sent, so that one that cannot be
// rendered becomes an error page.
func respond(c echo.Context, status int, page templates.Page, body templ.Component) error {
	whole := templates.Layout(page, body)
	if wantsFragment(c.Request()) {
		whole = templates.Fragment(page, body)
	}
	var b bytes.Buffer
	if err := whole.Render(c.Request().Context(), &b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if status == http.StatusOK && safe(c.Request().Method) {
		sum := sha256.Sum256(b.Bytes())
		tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
		c.Response().Header().Set("ETag", tag)
		if matches(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return c.HTMLBlob(status, b.Bytes())
}

// wantsFragment reports whether htmx will swap the answer in. When it restores a page
// of the history it wants the whole.
func wantsFragment(r *http.Request) bool {
	return r.Header.Get("HX-Request") == "true" && r.Header.Get("HX-History-Restore-Request") != "true"
}

// matches compares weakly, as a GET does.
func matches(ifNoneMatch, tag string) bool {
	for candidate := range strings.SplitSeq(ifNoneMatch, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// seeOther sends the reader on to a local path. htmx would follow a 303 by itself and
// swap the answer into the old page, so it is told to go there.
func seeOther(c echo.Context, path string) error {
	if wantsFragment(c.Request()) {
		c.Response().Header().Set("HX-Redirect", path)
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, path)
}

// noStore keeps the answer out of every cache: it carries a session or was asked for
// with a token.
func noStore(c echo.Context) { c.Response().Header().Set("Cache-Control", "no-store") }
