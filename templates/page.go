package templates

import (
	"time"

	"docket/memory"
)

// A Page is what every page needs beside its own view.
type Page struct {
	Title      string      // as of the functions in titles.go; Layout adds " · Docket"
	Workspace  Workspace   // zero on pages of no workspace: sign-in, a Host refused
	Workspaces []Workspace // all that are served; two or more make a switcher
	Nav        Nav         // the page of the rail that this one belongs to
	Counts     Counts
	Health     HealthMark
	Origin     string    // what the paths of links go on from, for paper; "" where nobody is signed in
	Actor      string    // who is signed in, "" for nobody: then the rail holds no pages
	Now        time.Time // ages are measured against it
	List       string    // the desk's list that the reader is going through, as DeskFilter.Query says it
	KeysOff    bool      // single keys do nothing: the reader turned them off, or that is not known

	Faults  []*memory.Fault // what could not be read, each shown in a banner
	Pending string          // event id of an adjudication that is recorded and waits to be finished, "" for none
	Sealed  bool            // a write could not be made durable: nothing is written until Docket is restarted
	Notice  *Notice         // what the reader just did, nil for nothing
}

// A Workspace is one served project.
type Workspace struct {
	ID   string
	Name string // the project folder's name
}

// Nav names a page of the rail.
type Nav int

// The pages of the rail, in its order. NavNone marks none of them.
const (
	NavNone Nav = iota
	NavDesk
	NavMemory
	NavTimeline
	NavAdjudications
	NavPreview
	NavHealth
)

// Unknown is the count of what could not be read. It is never shown as a number.
const Unknown = -1

// Counts are the numbers of the rail, each Unknown where its file could not be read.
type Counts struct {
	Desk          int // open cases
	Memory        int // active entries
	Timeline      int // facts
	Adjudications int
}

// A Notice tells once what the reader's last act did.
type Notice struct {
	Is NoticeKind

	Adjudication memory.Adjudication // NoticeDecided
	MemoryKey    string              // NoticeDecided, NoticeCurrent, NoticeSettled
	Content      string              // NoticeDecided: the chosen value; NoticeSettled: what is in force, "" for nothing
	Kept         bool                // NoticeDecided: the choice was what was in force
	Revision     int                 // NoticeCurrent: the case revision now shown
	Report       memory.Report       // NoticeRun
	Act          MarkAct             // NoticeMarked
	Marked       []Marked            // NoticeMarked, in the order of the list
	Next         string              // NoticeMarked: the conflict id of the row to go on from, "" for none
	MarksFault   MarksFault          // NoticeMarksFault
	Words        string              // NoticeMarked, NoticeMarksFault: the reason as typed, where it went nowhere
}

// NoticeKind says which act a Notice tells of.
type NoticeKind int

// The notices. The last four tell of an act that failed.
const (
	NoticeDecided    NoticeKind = iota + 1 // a decision is on record
	NoticeCurrent                          // "Bring up to date" made a new case revision, or found nothing to change
	NoticeSettled                          // "Bring up to date" found that newer evidence settled the question
	NoticeRun                              // a distillation ran
	NoticeMarked                           // cases were marked, or why not
	NoticeBusy                             // another writer holds the store; nothing was done
	NoticeUnwritable                       // the disk refused; nothing was done
	NoticeFault                            // a file is not what the format allows; nothing was done
	NoticeMarksFault                       // readers' marks cannot be kept; nothing was marked
)
