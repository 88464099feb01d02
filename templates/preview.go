package templates

import "docket/memory"

// A PreviewView is what agents are given, in one of three ways.
type PreviewView struct {
	Tab     Tab
	HTML    string         // TabRendered: MEMORY.md rendered by web, safe as it is
	Raw     string         // TabRaw: MEMORY.md
	Context memory.Context // filled for every tab
	Budget  int            // code points that bound the context, 0 for none
	OnDisk  bool           // MEMORY.md exists, and Raw is what it says
	Unread  bool           // MEMORY.md cannot be read: Raw is what curated.json says
	Unknown bool           // neither of the two can be read: Raw is nothing
	Differs bool           // what is on disk is not what curated.json says
	Broken  bool           // the context could not be made; Page.Faults says why
}

// Tab is a way to look at the preview; its text is the tab's part of the address.
type Tab string

// The tabs.
const (
	TabRendered Tab = ""
	TabRaw      Tab = "raw"
	TabContext  Tab = "context"
)
