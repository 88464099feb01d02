package faultfs

import (
	"errors"
	"io/fs"

	"docket/memory/filestore"
)

type file struct {
	fs     *FS
	under  filestore.File
	writes bool
}

func (f *file) Name() string { return f.under.Name() }

func (f *file) Stat() (fs.FileInfo, error) {
	if err := f.fs.look("stat", f.Name()); err != nil {
		return nil, err
	}
	return f.under.Stat()
}

func (f *file) ReadAt(data []byte, offset int64) (int, error) {
	if err := f.fs.look("read", f.Name()); err != nil {
		return 0, err
	}
	return f.under.ReadAt(data, offset)
}

func (f *file) Write(data []byte) (n int, err error) {
	write := func(part []byte) func() error {
		return func() error {
			n, err = f.under.Write(part)
			return err
		}
	}
	err = f.fs.change("write", f.Name(), write(data), write(data[:len(data)/2]))
	return n, err
}

func (f *file) Chmod(mode fs.FileMode) error {
	return f.fs.change("chmod", f.Name(), func() error { return f.under.Chmod(mode) }, nil)
}

func (f *file) Truncate(size int64) error {
	return f.fs.change("truncate", f.Name(), func() error { return f.under.Truncate(size) }, nil)
}

func (f *file) Sync() error {
	return f.fs.change("sync", f.Name(), f.under.Sync, nil)
}

// Close closes the file even where it reports that it did not, since no caller can
// close it again.
func (f *file) Close() error {
	if !f.writes {
		if err := f.fs.alive(); err != nil {
			return err
		}
		return f.forget()
	}
	err := f.fs.change("close", f.Name(), func() error { return nil }, nil)
	if errors.Is(err, ErrGone) {
		return err // and open until Kill
	}
	return errors.Join(err, f.forget())
}

func (f *file) forget() error {
	f.fs.mu.Lock()
	delete(f.fs.files, f)
	f.fs.mu.Unlock()
	return f.under.Close()
}

type lock struct {
	fs    *FS
	under filestore.Lock
}

// Unlock leaves the lock held if the process is gone: Kill lets go of it.
func (l *lock) Unlock() error {
	if err := l.fs.alive(); err != nil {
		return err
	}
	return l.drop()
}

func (l *lock) drop() error {
	l.fs.mu.Lock()
	delete(l.fs.locks, l)
	l.fs.mu.Unlock()
	return l.under.Unlock()
}
