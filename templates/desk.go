package templates

import (
	"time"

	"docket/memory"
)

// A DeskView is the open cases and what agents read meanwhile.
type DeskView struct {
	Cases      []DeskCase // oldest first
	Unreadable bool       // conflicts.json could not be read: how many wait is not known
	Facts      int        // facts of the workspace; 0 makes the desk of a new project
	Decided    int        // adjudications on record; tells "none yet" from "all decided"
	LastRun    time.Time  // the latest distillation known, zero for none
	Agents     *Agents    // nil where it could not be told
}

// A DeskCase is one row of the desk.
type DeskCase struct {
	Case          memory.Case
	DecidedBefore bool // a human decided this key before
	Behind        int  // facts on the key that came after the case was made
}

// Agents is what the prompt context holds now.
type Agents struct {
	Memories   int
	Facts      int // recent unkeyed facts
	Characters int // code points
	Budget     int // code points, 0 for none
}
