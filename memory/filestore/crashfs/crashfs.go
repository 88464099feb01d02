package crashfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"docket/memory/filestore"
)

var (
	// ErrInjected is in every error that FailAt made up, along with its errno.
	ErrInjected = errors.New("injected fault")

	// ErrGone is what a process that has died would not live to see.
	ErrGone = errors.New("the process is gone")
)

// A Mode is a way for a change to go wrong.
type Mode int

// The modes. What comes after the change works again, unless the mode is Gone.
const (
	IOError     Mode = iota // the change is not made, and EIO reported
	NoSpace                 // the change is not made, and ENOSPC reported
	ShortWrite              // half of a write is made, nothing of another change, and ENOSPC reported
	DoneFailed              // the change is made, and EIO reported
	SyncDropped             // of a file's sync: EIO, and what was not on the disk never will be; else as IOError
	Gone                    // the process dies before the change: it and all after it answer ErrGone
)

// String returns the mode's name, for the names of subtests.
func (m Mode) String() string {
	return [...]string{"EIO", "ENOSPC", "short write", "done and EIO", "sync drops", "gone"}[m]
}

// An FS is a disk and the one process that uses it. Its methods may be called from
// several goroutines.
type FS struct {
	root string // what the paths of all calls begin with; it is there from the start

	mu      sync.Mutex // guards all below
	top     *inode     // the root folder
	last    uint64     // number of the youngest inode
	temps   int        // temporary files made so far
	clock   int64      // milliseconds, one a change
	process int        // counts Restart: what an earlier process opened is closed
	locks   map[string]chan struct{}

	lines       []string // the changes, also those that went wrong
	labels      map[*inode]string
	record      bool
	moments     []*FS // before each change
	failAt      int   // number of the change that goes wrong, below 0 for none
	mode        Mode
	fired, gone bool
	syncedAgain []string
}

var _ filestore.FS = (*FS)(nil)

// New returns an empty disk. root should be the path of a folder that exists, since
// filestore.Open resolves it; nothing is written there.
func New(root string) *FS {
	f := &FS{root: root, failAt: -1, locks: map[string]chan struct{}{}, labels: map[*inode]string{}}
	f.top = f.newInode(fs.ModeDir | 0o700)
	return f
}

// Clone returns a disk in the same state, what is open still open, and with no process.
// Its changes are counted from 0 and nothing goes wrong with them.
func (f *FS) Clone() *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.clone()
}

func (f *FS) clone() *FS {
	c := New(f.root)
	c.top = f.top.clone(map[*inode]*inode{})
	c.last, c.temps, c.clock = f.last, f.temps, f.clock
	return c
}

// Record begins to keep the moments.
func (f *FS) Record() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record, f.moments, f.lines = true, nil, nil
}

// Moments returns the disk as it stood before each change since Record, and as it stands
// now.
func (f *FS) Moments() []*FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(append([]*FS(nil), f.moments...), f.clone())
}

// Lines returns the changes since New, Clone or Record as "op path".
func (f *FS) Lines() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.lines...)
}

// FailAt lets the change number n from now go wrong, the next one being number 0.
func (f *FS) FailAt(n int, mode Mode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failAt, f.mode, f.fired = len(f.lines)+n, mode, false
}

// Fired reports whether the fault of the last FailAt has come.
func (f *FS) Fired() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fired
}

// SyncedAgain returns the files that were synced a second time after a sync of theirs
// had failed, by the same opening of the file.
func (f *FS) SyncedAgain() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.syncedAgain...)
}

// Restart is the death of the process and the start of another: open files are closed
// and locks are free, and what was open on the disk still is.
func (f *FS) Restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.process++
	f.gone, f.failAt, f.locks = false, -1, map[string]chan struct{}{}
}

// change lets one change happen, or go wrong. do makes it; less, where it is not nil,
// makes the part of it that its fault leaves. The caller holds the lock.
func (f *FS) change(process int, op, path string, do func() error, less func(Mode)) error {
	if f.gone || process != f.process {
		return ErrGone
	}
	if f.record {
		f.moments = append(f.moments, f.clone())
	}
	number := len(f.lines)
	f.lines = append(f.lines, op+" "+path)
	f.clock++
	if number != f.failAt {
		return do()
	}
	f.fired = true
	return f.goWrong(op, path, do, less)
}

func (f *FS) goWrong(op, path string, do func() error, less func(Mode)) error {
	errno := syscall.EIO
	switch f.mode {
	case Gone:
		f.gone = true
		return ErrGone
	case DoneFailed:
		if err := do(); err != nil {
			return err
		}
	case NoSpace, ShortWrite:
		errno = syscall.ENOSPC
	}
	if less != nil {
		less(f.mode)
	}
	return fmt.Errorf("%s %s: %w: %w", op, path, ErrInjected, errno)
}

// alive answers for what is no change. The caller holds the lock.
func (f *FS) alive(process int) error {
	if f.gone || process != f.process {
		return ErrGone
	}
	return nil
}

// find returns the folder that holds the path's last element, and that element.
func (f *FS) find(path string) (folder *inode, name string, err error) {
	parts := strings.Split(f.label(path), "/")
	if path == f.root || !strings.HasPrefix(path, f.root) {
		return nil, "", &fs.PathError{Op: "find", Path: path, Err: fs.ErrInvalid}
	}
	folder = f.top
	for _, part := range parts[:len(parts)-1] {
		if folder = folder.names[part]; folder == nil || folder.names == nil {
			return nil, "", &fs.PathError{Op: "find", Path: path, Err: fs.ErrNotExist}
		}
	}
	return folder, parts[len(parts)-1], nil
}

// get returns what is at the path.
func (f *FS) get(path string) (*inode, error) {
	if path == f.root {
		return f.top, nil
	}
	folder, name, err := f.find(path)
	if err != nil {
		return nil, err
	}
	if node := folder.names[name]; node != nil {
		return node, nil
	}
	return nil, &fs.PathError{Op: "find", Path: path, Err: fs.ErrNotExist}
}

// label is how lines name a path: relative to the root.
func (f *FS) label(path string) string {
	if path == f.root {
		return "."
	}
	return filepath.ToSlash(strings.TrimPrefix(path, f.root+string(filepath.Separator)))
}
