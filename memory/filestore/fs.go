package filestore

import (
	"context"
	"io"
	"io/fs"
)

// An FS is the part of an operating system that the store uses: faults can be put
// under the store by wrapping one. Paths are absolute. A wrapper must pass on the
// errors fs.ErrNotExist and fs.ErrExist.
type FS interface {
	// Lstat describes path itself, not what a symbolic link there points to.
	Lstat(path string) (fs.FileInfo, error)

	// ReadDir returns the names in the folder, in no order.
	ReadDir(path string) ([]string, error)

	// Open opens a file as os.OpenFile does, with mode 0600 if it creates it. A
	// symbolic link is not followed, where the system can be told so.
	Open(path string, flag int) (File, error)

	// CreateTemp creates a new file in the folder, its name made of TempPattern.
	CreateTemp(folder string) (File, error)

	// Mkdir makes one folder, of mode 0700 whatever the umask.
	Mkdir(path string) error

	// Rename puts the file from in the place of to, at once.
	Rename(from, to string) error

	// Remove deletes one file.
	Remove(path string) error

	// SyncDir makes the entries of the folder durable: what was created in it,
	// renamed into it and removed from it.
	SyncDir(path string) error

	// Lock waits for the exclusive lock on the file that path names, creating it
	// if need be, and returns ctx.Err() when ctx is done first. It never removes
	// the file. words say who holds the lock; they are written into the file as
	// far as that goes, and are for messages only.
	Lock(ctx context.Context, path, words string) (Lock, error)

	// UnsafeLocks names the kind of file system that path is on, if it is one
	// whose locks do not hold between machines, and is "" otherwise.
	UnsafeLocks(path string) (kind string, err error)
}

// A File is an open file of an FS.
type File interface {
	io.ReaderAt
	io.Writer
	Name() string
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Truncate(size int64) error
	Sync() error
	Close() error
}

// A Lock is a held lock.
type Lock interface {
	// Unlock gives the lock back. Only the first call counts.
	Unlock() error
}

// TempPattern is how the store names its temporary files, as in path.Match. A file
// of such a name that is found when the lease is taken was left by a writer that
// died; it is removed.
const TempPattern = ".docket-*.tmp"

// The modes of what the store creates, whatever the umask.
const (
	fileMode   fs.FileMode = 0o600
	folderMode fs.FileMode = 0o700
)
