package templates

import (
	"net/http"
	"strconv"

	"docket/memory"
)

// Titles of the pages that have a fixed one.
const (
	DeskTitle          = "Desk"
	MemoryTitle        = "Memory"
	TimelineTitle      = "Timeline"
	AdjudicationsTitle = "Adjudications"
	PreviewTitle       = "Preview"
	ForecastTitle      = "Forecast"
	SignInTitle        = "Sign in"
	SignedOutTitle     = "Signed out"
)

// CaseTitle tells cases of one key apart by state and, when closed, by revision.
func CaseTitle(c memory.Case) string {
	title := c.MemoryKey + " · " + caseState(c.Status)
	if c.Status != memory.StatusOpen {
		title += " · case revision " + strconv.Itoa(c.Revision)
	}
	return title
}

// DomainTitle is the title of a chain.
func DomainTitle(memoryKey string) string { return memoryKey + " · Memory" }

// EntryTitle is the title of one entry.
func EntryTitle(e memory.Entry) string {
	if e.MemoryKey == "" {
		return "Entry " + e.Key
	}
	return e.MemoryKey + " · revision " + strconv.Itoa(e.Revision)
}

// FactTitle is the title of one fact.
func FactTitle(f memory.Fact) string { return "Fact " + f.ID }

// AdjudicationTitle is the title of one decision.
func AdjudicationTitle(a memory.Adjudication) string { return "Adjudication " + a.EventID }

// ProblemTitle is the title of an answer that is no page.
func ProblemTitle(status int) string {
	if text := http.StatusText(status); text != "" {
		return strconv.Itoa(status) + " " + text
	}
	return strconv.Itoa(status)
}

func caseState(s memory.Status) string {
	switch s {
	case memory.StatusOpen:
		return "open"
	case memory.StatusResolved:
		return "decided"
	case memory.StatusSuperseded:
		return "superseded"
	}
	return "could not be read"
}
