package web

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

// expected is what a route answers to a reader who is signed out, and to one signed in.
type expected struct{ out, in int }

// answers is every route there may be. The POSTs are sent without a form.
func answers() map[string]expected {
	const (
		ok, other, unauthorized, invalid = http.StatusOK, http.StatusSeeOther, http.StatusUnauthorized, http.StatusUnprocessableEntity
	)
	table := map[string]expected{
		"GET /static/:hash/:name": {ok, ok},
		"GET /sign-in":            {ok, ok},
		"POST /sign-in":           {unauthorized, unauthorized},
		"POST /sign-out":          {other, other},

		"GET /":                                {unauthorized, other},
		"GET /w/:workspace":                    {unauthorized, other},
		"GET /w/:workspace/":                   {unauthorized, ok},
		"POST /w/:workspace/distill":           {unauthorized, other},
		"GET /w/:workspace/cases/:id":          {unauthorized, ok},
		"GET /w/:workspace/cases/:id/resolve":  {unauthorized, other},
		"POST /w/:workspace/cases/:id/resolve": {unauthorized, invalid},
		"POST /w/:workspace/cases/:id/refresh": {unauthorized, other},
		"GET /w/:workspace/cases/:id/preview":  {unauthorized, other},
		"POST /w/:workspace/cases/:id/preview": {unauthorized, invalid},
		"GET /w/:workspace/cases/:id/newer":    {http.StatusNoContent, ok}, // without a revision, any is newer
		"POST /w/:workspace/cases/:id/seen":    {unauthorized, other},
		"POST /w/:workspace/cases/:id/unseen":  {unauthorized, other},
		"POST /w/:workspace/cases/:id/aside":   {unauthorized, other},
		"POST /w/:workspace/cases/:id/unaside": {unauthorized, other},
		"POST /w/:workspace/marks":             {unauthorized, http.StatusBadRequest},
		"POST /w/:workspace/settings":          {unauthorized, http.StatusBadRequest},
		"GET /w/:workspace/forecast":           {unauthorized, ok},
		"GET /w/:workspace/memory":             {unauthorized, ok},
		"GET /w/:workspace/memory/k/:key":      {unauthorized, ok},
		"GET /w/:workspace/memory/e/:key":      {unauthorized, ok},
		"GET /w/:workspace/timeline":           {unauthorized, ok},
		"GET /w/:workspace/facts":              {unauthorized, ok},
		"GET /w/:workspace/facts/:id":          {unauthorized, ok},
		"GET /w/:workspace/adjudications":      {unauthorized, ok},
		"GET /w/:workspace/adjudications/:id":  {unauthorized, ok},
		"GET /w/:workspace/preview":            {unauthorized, ok},
		"GET /w/:workspace/health":             {unauthorized, ok},
		"POST /w/:workspace/health":            {unauthorized, other},
	}
	for route, want := range table {
		if path, isGet := strings.CutPrefix(route, "GET "); isGet {
			table["HEAD "+path] = want
		}
	}
	return table
}

// world is a bench with something to show on every page, and the address of one thing
// for each route.
func world(t *testing.T) (b *bench, address func(path string) string) {
	t.Helper()
	b = newBench(t)
	first := b.dispute("storage.database")
	form := b.decide(first, "Use Postgres.", "Extensions.")
	if answer := b.post("/w/"+b.workspace()+"/cases/"+first.ID+"/resolve", form); answer.status != http.StatusSeeOther {
		t.Fatalf("decision: %d\n%s", answer.status, answer.body)
	}
	b.record("", "Write tests first.", "01-05", "01-06")
	second := b.dispute("cache.engine")
	state := b.read()
	active, ok := state.Active("storage.database")
	if !ok {
		t.Fatal("nothing in force")
	}
	b.clock.move(1)
	return b, func(path string) string {
		switch path {
		case "/static/:hash/:name":
			return assetPath()
		case "/w/:workspace/facts":
			path += "?id=" + active.EvidenceIDs[0]
		}
		return strings.NewReplacer(
			"memory/e/:key", "memory/e/"+active.Key,
			"memory/k/:key", "memory/k/storage.database",
			"facts/:id", "facts/"+active.EvidenceIDs[0],
			"adjudications/:id", "adjudications/"+url.PathEscape(state.Adjudications()[0].EventID),
			"cases/:id", "cases/"+second.ID,
			":workspace", b.workspace(),
		).Replace(path)
	}
}

func TestEveryRouteHasAnExpectedAnswer(t *testing.T) {
	b, address := world(t)
	want := answers()
	registered := map[string]bool{}
	for _, r := range b.server.handler().(*echo.Echo).Routes() {
		route := r.Method + " " + r.Path
		registered[route] = true
		expect, listed := want[route]
		if !listed {
			t.Errorf("%s has no expected answer", route)
			continue
		}
		var form url.Values
		if r.Method == http.MethodPost {
			form = url.Values{}
		}
		if answer := b.do(b.request(r.Method, address(r.Path), form, nil)); answer.status != expect.out {
			t.Errorf("%s signed out: %d, want %d", route, answer.status, expect.out)
		} else {
			checkHeaders(t, answer)
		}
		if answer := b.do(b.request(r.Method, address(r.Path), form, b.cookie())); answer.status != expect.in {
			t.Errorf("%s signed in: %d, want %d\n%s", route, answer.status, expect.in, answer.body)
		} else {
			checkHeaders(t, answer)
		}
	}
	for route := range want {
		if !registered[route] {
			t.Errorf("%s is expected and not registered", route)
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	b, address := world(t)
	routes := b.server.handler().(*echo.Echo).Routes()
	takes := map[string]bool{}
	for _, r := range routes {
		takes[r.Method+" "+r.Path] = true
	}
	for _, r := range routes {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if takes[method+" "+r.Path] {
				continue
			}
			answer := b.do(b.request(method, address(r.Path), nil, b.cookie()))
			if answer.status != http.StatusMethodNotAllowed || answer.header.Get("Allow") == "" {
				t.Errorf("%s %s: %d, Allow %q, want 405 and what is allowed", method, r.Path, answer.status, answer.header.Get("Allow"))
			}
		}
	}
}

func TestForeignThingsDoNotExist(t *testing.T) {
	b, _ := world(t)
	other := newBench(t)
	foreign := other.dispute("storage.database")
	workspace := "/w/" + b.workspace() + "/"
	var bodies []string
	for _, path := range []string{
		workspace + "cases/" + foreign.ID,
		workspace + "cases/conflict-0000000000000000",
		workspace + "cases/..%2f..%2fetc",
		"/w/" + other.workspace() + "/",
		"/w/" + other.workspace() + "/cases/" + foreign.ID,
		"/w/0000000000000000/timeline",
		workspace + "memory/k/no.such.key",
		workspace + "memory/e/0000000000000000",
		workspace + "facts/none",
		workspace + "facts",
		workspace + "adjudications/none",
		workspace + "nothing",
	} {
		answer := b.get(path)
		if answer.status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, answer.status)
		}
		bodies = append(bodies, strings.ReplaceAll(answer.body, answer.header.Get("X-Request-Id"), ""))
	}
	if diff := cmp.Diff(bodies[1], bodies[0]); diff != "" {
		t.Errorf("another workspace's case can be told from none: %s", diff)
	}
	answer := b.post(workspace+"cases/"+foreign.ID+"/resolve", other.decide(foreign, "Use Postgres.", "Mine now."))
	if answer.status != http.StatusNotFound {
		t.Errorf("resolving another workspace's case: %d, want 404", answer.status)
	}
	if len(other.read().Adjudications()) != 0 {
		t.Error("another workspace's case was decided")
	}
}

func TestReadingChangesNoByte(t *testing.T) {
	b, address := world(t)
	before := footprint(t, b.project)
	var paths []string
	for _, r := range b.server.routes() {
		if r.method == http.MethodGet {
			paths = append(paths, address(r.path))
		}
	}
	seen := map[string]bool{}
	for len(paths) > 0 { // and everything that those pages link to
		path := paths[0]
		paths = paths[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		answer := b.get(path)
		if answer.status >= http.StatusInternalServerError {
			t.Errorf("%s: %d", path, answer.status)
		}
		for _, part := range strings.Split(answer.body, `href="`)[1:] {
			link, _, _ := strings.Cut(part, `"`)
			if link = strings.ReplaceAll(link, "&amp;", "&"); strings.HasPrefix(link, "/") {
				paths = append(paths, link)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d addresses were found", len(seen))
	}
	if diff := cmp.Diff(before, footprint(t, b.project)); diff != "" {
		t.Error(diff)
	}
}

// footprint is every file under dir with its mode, time and hash.
func footprint(t *testing.T, dir string) map[string][3]string {
	t.Helper()
	files := map[string][3]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var sum string
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			hash := sha256.Sum256(data)
			sum = string(hash[:])
		}
		files[path] = [3]string{info.Mode().String(), info.ModTime().String(), sum}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
