package faultfs

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"

	"docket/memory/filestore"
)

// A Mode is a way for a change to go wrong.
type Mode int

// The modes. What comes after the change works again, unless the mode says Gone.
const (
	NotDone       Mode = iota // the change is not made, and EIO reported
	DoneButFailed             // the change is made, and EIO reported
	DoneThenGone              // the change is made; it and all after it answer ErrGone, as if the process had died
	ShortWrite                // half of a write is made, nothing of another change, and ENOSPC reported
	HalfThenGone              // half of a write is made, nothing of another change; it and all after it answer ErrGone
)

// String returns the mode's name, for the names of subtests.
func (m Mode) String() string {
	return [...]string{"not done", "done but failed", "done then gone", "short write", "half then gone"}[m]
}

// Modes returns all modes.
func Modes() []Mode {
	return []Mode{NotDone, DoneButFailed, DoneThenGone, ShortWrite, HalfThenGone}
}

var (
	// ErrInjected is in every error that is made up, along with its errno.
	ErrInjected = errors.New("injected fault")

	// ErrGone is what a process that has died would not live to see.
	ErrGone = errors.New("the process is gone")
)

// An FS is a filestore.FS with a fault in it. Its methods may be called from
// several goroutines.
type FS struct {
	under filestore.FS
	root  string

	mu       sync.Mutex // guards the fields below
	changes  int        // made so far
	failAt   int        // the change that goes wrong, below 0 for none
	mode     Mode
	reads    int // asked for so far
	failRead int // the read that goes wrong, below 0 for none
	fired    bool
	gone     bool
	killed   bool
	lines    []string
	labels   map[string]string  // path of a temporary file -> how lines name it
	files    map[*file]struct{} // open
	locks    map[*lock]struct{} // held
}

// New wraps under. Lines name paths relative to root.
func New(under filestore.FS, root string) *FS {
	return &FS{
		under:    under,
		root:     root,
		failAt:   -1,
		failRead: -1,
		labels:   map[string]string{},
		files:    map[*file]struct{}{},
		locks:    map[*lock]struct{}{},
	}
}

// FailAt lets the change number n from now go wrong, the next one being number 0.
func (f *FS) FailAt(n int, mode Mode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failAt, f.mode, f.fired = f.changes+n, mode, false
}

// FailReadAt lets the read number n from now report EIO, the next one being number 0;
// below 0 it is none.
func (f *FS) FailReadAt(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failRead, f.fired = f.reads+n, false
}

// Fired reports whether the fault of the last FailAt or FailReadAt has come.
func (f *FS) Fired() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fired
}

// Lines returns the changes in their order, also the ones that went wrong, as "op
// path". Temporary files all go by filestore.TempPattern, since their names are
// random.
func (f *FS) Lines() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.lines...)
}

// Reset forgets the lines, so that those of what follows can be had alone.
func (f *FS) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = nil
}

// Kill does what the kernel does for a process that dies: it closes all files, and
// lets go of all locks. Everything after it answers ErrGone.
func (f *FS) Kill() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone, f.killed = true, true
	for file := range f.files {
		_ = file.under.Close()
	}
	for lock := range f.locks {
		_ = lock.under.Unlock()
	}
	clear(f.files)
	clear(f.locks)
}

// change lets one change happen, or go wrong. do makes it; half makes a part of it,
// and is nil where there are no parts. It holds the lock all the while: the order
// of the lines is that of the changes.
func (f *FS) change(op, path string, do, half func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone {
		return ErrGone
	}
	f.lines = append(f.lines, op+" "+f.label(path))
	number := f.changes
	f.changes++
	if number != f.failAt {
		return do()
	}
	f.fired = true
	return f.goWrong(op, path, do, half)
}

func (f *FS) goWrong(op, path string, do, half func() error) error {
	errno := syscall.EIO
	switch f.mode {
	case DoneButFailed, DoneThenGone:
		if err := do(); err != nil {
			return err
		}
	case ShortWrite, HalfThenGone:
		errno = syscall.ENOSPC
		if half != nil {
			if err := half(); err != nil {
				return err
			}
		}
	}
	if f.mode == DoneThenGone || f.mode == HalfThenGone {
		f.gone = true
		return ErrGone
	}
	return fmt.Errorf("%s %s: %w: %w", op, f.label(path), ErrInjected, errno)
}

func (f *FS) label(path string) string {
	if label, ok := f.labels[path]; ok {
		path = label
	}
	relative, err := filepath.Rel(f.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(relative)
}

// look lets one read happen, or go wrong.
func (f *FS) look(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone {
		return ErrGone
	}
	number := f.reads
	f.reads++
	if number != f.failRead {
		return nil
	}
	f.fired = true
	return fmt.Errorf("%s %s: %w: %w", op, f.label(path), ErrInjected, syscall.EIO)
}

// alive answers for what is neither a change nor a read.
func (f *FS) alive() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone {
		return ErrGone
	}
	return nil
}
