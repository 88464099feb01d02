package templates

import (
	"net/url"
	"strconv"
)

// The addresses of all pages and forms. Ids are escaped, each as one segment: an
// event id may hold "/", a fact id anything.

// Fixed addresses.
const (
	RootURL    = "/"
	SignInURL  = "/sign-in"  // GET the page, POST token and next
	SignOutURL = "/sign-out" // POST
)

func workspaceURL(workspace string) string { return "/w/" + url.PathEscape(workspace) + "/" }

// DeskURL is the workspace's first page.
func DeskURL(workspace string) string { return workspaceURL(workspace) }

// DistillURL takes the POST of "Distill now".
func DistillURL(workspace string) string { return workspaceURL(workspace) + "distill" }

// CaseURL is one case.
func CaseURL(workspace, conflictID string) string {
	return workspaceURL(workspace) + "cases/" + url.PathEscape(conflictID)
}

// ResolveURL takes the POST of a case's decision form.
func ResolveURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/resolve"
}

// RefreshURL takes the POST of a case's "Bring up to date".
func RefreshURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/refresh"
}

// MemoryURL is the curated memory.
func MemoryURL(workspace string) string { return workspaceURL(workspace) + "memory" }

// DomainURL is the chain of one memory key.
func DomainURL(workspace, memoryKey string) string {
	return MemoryURL(workspace) + "/k/" + url.PathEscape(memoryKey)
}

// EntryURL is one entry, keyed or not.
func EntryURL(workspace, entryKey string) string {
	return MemoryURL(workspace) + "/e/" + url.PathEscape(entryKey)
}

// TimelineURL is the first page of all facts.
func TimelineURL(workspace string) string { return workspaceURL(workspace) + "timeline" }

// TimelinePageURL is a page of the facts that pass the filter. before and after are
// cursors, of which one at most is set.
func TimelinePageURL(workspace string, f Filter, before, after string) string {
	query := url.Values{}
	for name, value := range map[string]string{
		"text": f.Text, "kind": f.Kind, "key": f.Key, "before": before, "after": after,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return TimelineURL(workspace)
	}
	return TimelineURL(workspace) + "?" + query.Encode()
}

// FactURL is one fact. An id of dots alone stands in the query, since browsers take
// such a segment, escaped or not, for a way up.
func FactURL(workspace, factID string) string {
	facts := workspaceURL(workspace) + "facts"
	if factID == "." || factID == ".." {
		return facts + "?id=" + factID
	}
	return facts + "/" + url.PathEscape(factID)
}

// AdjudicationsURL is the audit.
func AdjudicationsURL(workspace string) string { return workspaceURL(workspace) + "adjudications" }

// AdjudicationURL is one decision.
func AdjudicationURL(workspace, eventID string) string {
	return AdjudicationsURL(workspace) + "/" + url.PathEscape(eventID)
}

// PreviewURL is a tab of the preview.
func PreviewURL(workspace string, tab Tab) string {
	preview := workspaceURL(workspace) + "preview"
	if tab == TabRendered {
		return preview
	}
	return preview + "?tab=" + url.QueryEscape(string(tab))
}

// anchor is the fragment that leads to the element of that id.
func anchor(id string) string { return "#" + url.PathEscape(id) }

// cardID is the element id of the n-th candidate's radio, from 0.
func cardID(n int) string { return "candidate-" + strconv.Itoa(n) }
