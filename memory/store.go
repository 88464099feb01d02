package memory

import (
	"context"
	"time"
)

// A Name names one file of the store, as faults and pages show it.
type Name string

// The files that are not daily logs.
const (
	CuratedDocument   Name = "curated.json"
	ConflictsDocument Name = "conflicts.json"
	Projection        Name = "MEMORY.md"
	AuditLog          Name = "conflict-adjudications.jsonl"
	JournalLog        Name = "conflict-resolution-transactions.jsonl"
)

// DailyLog returns the name of the log of the UTC day of t.
func DailyLog(t time.Time) Name {
	return Name("daily/" + t.UTC().Format(time.DateOnly) + ".jsonl")
}

// dailyFolder names, in faults, what holds the daily logs.
const dailyFolder Name = "daily"

// A Stamp tells whether a file changed since it was last read. Two equal stamps
// mean the same bytes, as far as a file system can tell; the zero Stamp is that of
// a file that is not there.
type Stamp struct {
	ID       string // the file's identity: a replaced file has another
	Size     int64  // bytes
	Modified int64  // nanoseconds since 1970
}

// MaxRecord is the size in bytes to which one line of a log is limited.
const MaxRecord = 1 << 20

// A Store is the few things the engine needs of a disk. An implementation holds no
// rule of the domain: it does not know what a line means.
//
// Every method that writes is called under the lease. When one returns nil, what it
// wrote survives a power cut; when it returns an error, the file holds what it held
// before or what was to be written, and nothing else. After a failed sync every
// further write returns ErrSealed. Reads may run beside a writer and beside each other.
//
// What keeps one file from being looked at or read, be it of another kind or be it the
// disk that refuses it, is a *Fault with that file's name in File: readers go on past it.
// Any other error means that nothing can be said of the store.
type Store interface {
	// WorkspaceID returns the id that every record of this store carries.
	WorkspaceID() string

	// Exists reports whether the store has been created. Reading one that has not
	// finds every file absent.
	Exists() (bool, error)

	// Stat returns the file's stamp, the zero Stamp if it is not there.
	Stat(name Name) (Stamp, error)

	// Days returns the stamp of every daily log, some stamp also of one that cannot be
	// read. Where they cannot be listed, File of the *Fault is "daily".
	Days() (map[Name]Stamp, error)

	// Read returns the bytes of the file from offset to its end, with the stamp of
	// the very file that was read: Stamp.Size is offset plus the bytes returned. A
	// file that is not there gives no bytes, the zero Stamp and no error.
	Read(name Name, offset int64) ([]byte, Stamp, error)

	// Replace makes data the whole of the file, at once: a reader or a crash finds
	// the old bytes or the new ones. It creates the store if need be.
	Replace(name Name, data []byte) error

	// Append cuts the log to its first keep bytes, where it is longer, and then adds
	// data in one write. It creates the log, and the store, if need be. A log shorter
	// than keep is an error.
	Append(name Name, keep int64, data []byte) error

	// Lease waits for the right to write, at most as long as the store was told to,
	// then returns a BusyError. It creates the store when create is set; where there
	// is no store and create is not set, it returns a release that does nothing.
	// release may be called once.
	Lease(ctx context.Context, create bool) (release func() error, err error)
}

// An Inspector is a Store that also looks at what the engine has no name for: the
// modes of the files, and files that do not belong there.
type Inspector interface {
	// Inspect returns what it finds, and changes nothing. An error is one of the disk.
	Inspect() ([]Finding, error)
}

// A Sealer is a Store that tells whether a failed sync has sealed it.
type Sealer interface {
	Sealed() bool
}
