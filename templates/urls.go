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

// PreviewChoiceURL takes the POST of a case's decision form that asks what a choice
// changes, and leads to the part of the page that says so.
func PreviewChoiceURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/preview" + anchor("changes")
}

// ChangesURL is the same for a request that takes that part alone.
func ChangesURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/preview"
}

// NewerURL tells whether a case moved since a page was made: from which case revision,
// with how many facts that came after it; told is the NewerView.News that the page says
// already, "" for none.
func NewerURL(workspace, conflictID string, revision, behind int, told, list string) string {
	address := CaseURL(workspace, conflictID) + "/newer?revision=" + strconv.Itoa(revision) + "&behind=" + strconv.Itoa(behind)
	if told != "" {
		address += "&told=" + url.QueryEscape(told)
	}
	return address + andList(list)
}

// CompareURL is a case beside an earlier revision of it, for reading.
func CompareURL(workspace, conflictID string, from, to int, list string) string {
	return CaseURL(workspace, conflictID) + "?from=" + strconv.Itoa(from) + "&to=" + strconv.Itoa(to) + andList(list)
}

// andList carries a list of the desk in an address that has a query already.
func andList(list string) string {
	if list == "" {
		return ""
	}
	return "&list=" + url.QueryEscape(list)
}

// DeskListURL is a list of the desk; list is what DeskFilter.Query says of it.
func DeskListURL(workspace, list string) string {
	if list == "" {
		return DeskURL(workspace)
	}
	return DeskURL(workspace) + "?" + list
}

// DeskRowURL is a list of the desk at the row of a case.
func DeskRowURL(workspace, list, conflictID string) string {
	return DeskListURL(workspace, list) + anchor(caseRowID(conflictID))
}

// CaseInListURL is one case, met in a list of the desk.
func CaseInListURL(workspace, conflictID, list string) string {
	if list == "" {
		return CaseURL(workspace, conflictID)
	}
	return CaseURL(workspace, conflictID) + "?list=" + url.QueryEscape(list)
}

// Query is the filter as the query of an address, the same for the same list, "" for
// the whole first page.
func (f DeskFilter) Query() string {
	query := url.Values{}
	for name, value := range map[string]string{
		"text": f.Text, "key": f.Key, "kind": f.Kind, "source": f.Source, "age": f.Age, "sort": f.Sort,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if f.Page > 1 {
		query.Set("page", strconv.Itoa(f.Page))
	}
	return query.Encode()
}

// ForecastURL is what the rules will do.
func ForecastURL(workspace string) string { return workspaceURL(workspace) + "forecast" }

// MarksURL takes the POST that marks several cases of the desk.
func MarksURL(workspace string) string { return workspaceURL(workspace) + "marks" }

// SettingsURL takes the POST of a reader's settings.
func SettingsURL(workspace string) string { return workspaceURL(workspace) + "settings" }

// SeenURL takes the POST that marks a case as seen.
func SeenURL(workspace, conflictID string) string { return CaseURL(workspace, conflictID) + "/seen" }

// UnseenURL takes the POST that takes every mark off a case.
func UnseenURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/unseen"
}

// AsideURL takes the POST that sets a case aside.
func AsideURL(workspace, conflictID string) string { return CaseURL(workspace, conflictID) + "/aside" }

// UnasideURL takes the POST that puts a case back among those that wait.
func UnasideURL(workspace, conflictID string) string {
	return CaseURL(workspace, conflictID) + "/unaside"
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

// HealthURL is the page of what is checked, and takes the POST of "Check now".
func HealthURL(workspace string) string { return workspaceURL(workspace) + "health" }

// HealthProgressURL is asked how far a check is by who knows of so many percent.
func HealthProgressURL(workspace string, percent int) string {
	return HealthURL(workspace) + "?at=" + strconv.Itoa(percent)
}

// anchor is the fragment that leads to the element of that id.
func anchor(id string) string { return "#" + url.PathEscape(id) }

// caseRowID is the element id of a case's row on the desk.
func caseRowID(conflictID string) string { return "case-" + conflictID }

// cardID is the element id of the n-th candidate's radio, from 0.
func cardID(n int) string { return "candidate-" + strconv.Itoa(n) }
