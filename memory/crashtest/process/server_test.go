//go:build unix

package process_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A serverClient decides and reads as a browser does, without its scripts.
type serverClient struct {
	http      http.Client
	workspace string // the URL of it
}

// newServer starts a server over the project, which ends with the test, and signs in.
func newServer(t *testing.T, binary, project, workspaceID string) *serverClient {
	t.Helper()
	command := program(binary, project, "serve", "--addr", "127.0.0.1:0", "--actor", "server")
	stdout, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	must(t, err)
	address, err := url.Parse(strings.TrimSpace(line))
	must(t, err)
	jar, err := cookiejar.New(nil)
	must(t, err)
	c := &serverClient{http: http.Client{Jar: jar, Timeout: 30 * time.Second}}
	response, err := c.http.Get(address.String())
	must(t, err)
	must(t, response.Body.Close())
	if response.StatusCode != http.StatusOK {
		t.Fatalf("sign in: %s", response.Status)
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.workspace = fmt.Sprintf("http://%s/w/%s", address.Host, workspaceID)
	return c
}

// can says that the server has no form to append a fact with, nor a page with all.
func (c *serverClient) can(op operation) bool { return op.Resolve != nil || op.ReadCase != "" }

func (c *serverClient) do(t *testing.T, op operation) outcome {
	var response *http.Response
	var err error
	if r := op.Resolve; r != nil {
		response, err = c.http.PostForm(c.workspace+"/cases/"+r.ConflictID+"/resolve", url.Values{
			"revision": {strconv.Itoa(r.Revision)}, "fingerprint": {r.Fingerprint}, "candidate": {r.CandidateID},
			"event_id": {r.EventID}, "rationale": {r.Rationale},
		})
	} else {
		response, err = c.http.Get(c.workspace + "/cases/" + op.ReadCase)
	}
	if err != nil {
		return outcome{Error: err.Error()}
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		return outcome{Error: err.Error()}
	}
	switch {
	case op.Resolve != nil && response.StatusCode == http.StatusSeeOther:
		return outcome{}
	case op.Resolve != nil && response.StatusCode == http.StatusConflict:
		return outcome{Decided: true, Event: eventOn(page)}
	case op.ReadCase != "" && response.StatusCode == http.StatusOK:
		return outcome{Event: eventOn(page)}
	case op.Resolve != nil && response.StatusCode == http.StatusServiceUnavailable:
		return outcome{Unknown: true} // busy, or worse: the page says which, in words
	}
	return outcome{Error: fmt.Sprintf("%s %s: %s", response.Request.Method, response.Request.URL, response.Status)}
}

var adjudicationLink = regexp.MustCompile(`/adjudications/([a-z0-9-]+)"`)

// eventOn returns the event that decided the case of a page, "" while it is open: in
// these histories no case comes after a decided one, to which the page would lead, too.
func eventOn(page []byte) string {
	if match := adjudicationLink.FindSubmatch(page); match != nil {
		return string(match[1])
	}
	return ""
}
