package memory

import (
	"errors"
	"fmt"
)

// A Code names a class of refusal. The command line maps it to an exit status,
// the web to an HTTP status; both print it.
type Code string

// The codes, each with the refusal it stands for.
const (
	CodeInvalid     Code = "invalid"      // the caller's arguments
	CodeNotFound    Code = "not_found"    // nothing has that name
	CodeStale       Code = "stale"        // the case is not what the caller saw
	CodeNotOpen     Code = "not_open"     // the case was decided already
	CodeEventReused Code = "event_reused" // the event id is on record for another decision
	CodeCorrupt     Code = "corrupt"      // a file is not what the format allows
	CodeScope       Code = "scope"        // a record belongs to another workspace
	CodeBusy        Code = "busy"         // another writer holds the lease
	CodePending     Code = "pending"      // it is recorded and will be finished
	CodeIO          Code = "io"           // the disk did not do as it was told
)

// InvalidError refuses an argument. Nothing was read or written.
type InvalidError struct {
	Field  string // the argument as the format names it
	Reason string // completes "FIELD ..."
}

func (e *InvalidError) Error() string { return e.Field + " " + e.Reason }

// NotFoundError says that nothing of this workspace has the name.
type NotFoundError struct {
	What string // "conflict case", "fact", "memory key", ...
	ID   string
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no %s %q", e.What, e.ID) }

// StaleError refuses a resolution of a case that is not what the reader saw.
// Nothing was recorded; distilling the domain makes the case current.
type StaleError struct {
	ConflictID string
	Reason     string
}

func (e *StaleError) Error() string { return e.ConflictID + " is stale: " + e.Reason }

// NotOpenError refuses a resolution of a case that a human has decided.
type NotOpenError struct {
	Case Case // as resolved: who, what, why and when
}

func (e *NotOpenError) Error() string {
	return fmt.Sprintf("%s was decided already, by %s on %s",
		e.Case.ID, e.Case.ResolutionActor, FormatTime(e.Case.ResolvedAt))
}

// ReusedError refuses an event id that is on record with other arguments.
type ReusedError struct {
	EventID string
}

func (e *ReusedError) Error() string {
	return fmt.Sprintf("event %q is on record for another decision", e.EventID)
}

// A Fault is something in the store that the format does not allow. It is an
// error, and pages show it in the place of what could not be read.
type Fault struct {
	Code   Code   // CodeCorrupt, CodeScope or CodeIO
	File   string // relative to the memory folder
	Line   int    // from 1; 0 where the whole file is meant
	Reason string // what is wrong, without untrusted control characters
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Reason)
}

// BusyError says that another writer held the lease for as long as we waited.
type BusyError struct {
	Holder string // "pid 4242 on host", or "" if unknown: words for a message, never a test
}

func (e *BusyError) Error() string {
	if e.Holder == "" {
		return "another writer holds the lease"
	}
	return "another writer holds the lease: " + e.Holder
}

// PendingError says that a decision is recorded and could not be finished: the
// journal holds it, and the next writer carries it out. It must not be sent again
// under another event id.
type PendingError struct {
	EventID string
	Err     error
}

func (e *PendingError) Error() string {
	return fmt.Sprintf("recorded as %q, to be finished: %v", e.EventID, e.Err)
}
func (e *PendingError) Unwrap() error { return e.Err }

// ErrSealed is returned for every write after one whose fsync failed: what is on
// disk is unknown until the store is opened and read again.
var ErrSealed = errors.New("a write could not be made durable; the store only reads until it is opened again")

// CodeOf returns the code of err, CodeIO for any error that has none.
func CodeOf(err error) Code {
	var (
		invalid  *InvalidError
		notFound *NotFoundError
		stale    *StaleError
		notOpen  *NotOpenError
		reused   *ReusedError
		fault    *Fault
		busy     *BusyError
		pending  *PendingError
	)
	switch {
	case errors.As(err, &pending):
		return CodePending
	case errors.As(err, &invalid):
		return CodeInvalid
	case errors.As(err, &notFound):
		return CodeNotFound
	case errors.As(err, &stale):
		return CodeStale
	case errors.As(err, &notOpen):
		return CodeNotOpen
	case errors.As(err, &reused):
		return CodeEventReused
	case errors.As(err, &fault):
		return fault.Code
	case errors.As(err, &busy):
		return CodeBusy
	}
	return CodeIO
}
