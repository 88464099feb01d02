package faultfs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"docket/memory/filestore"
)

// Lstat is a read.
func (f *FS) Lstat(path string) (fs.FileInfo, error) {
	if err := f.look("lstat", path); err != nil {
		return nil, err
	}
	return f.under.Lstat(path)
}

// ReadDir is a read.
func (f *FS) ReadDir(path string) ([]string, error) {
	if err := f.look("readdir", path); err != nil {
		return nil, err
	}
	return f.under.ReadDir(path)
}

// UnsafeLocks is no change, and no read.
func (f *FS) UnsafeLocks(path string) (string, error) {
	if err := f.alive(); err != nil {
		return "", err
	}
	return f.under.UnsafeLocks(path)
}

// Open is the change "create" if the flag has os.O_CREATE, and else a read.
func (f *FS) Open(path string, flag int) (filestore.File, error) {
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	if flag&os.O_CREATE == 0 {
		if err := f.look("open", path); err != nil {
			return nil, err
		}
		under, err := f.under.Open(path, flag)
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.keep(under, writes)
	}
	return f.create(path, func() (filestore.File, error) { return f.under.Open(path, flag) })
}

// CreateTemp is the change "create".
func (f *FS) CreateTemp(folder string) (filestore.File, error) {
	label := filepath.Join(folder, filestore.TempPattern)
	return f.create(label, func() (filestore.File, error) {
		under, err := f.under.CreateTemp(folder)
		if err == nil {
			f.labels[under.Name()] = label
		}
		return under, err
	})
}

func (f *FS) create(path string, open func() (filestore.File, error)) (made filestore.File, err error) {
	err = f.change("create", path, func() error {
		under, err := open()
		if err != nil {
			return err
		}
		made, err = f.keep(under, true)
		return err
	}, nil)
	if err != nil {
		return nil, err // made stays open until Kill, as an error's file would
	}
	return made, nil
}

// keep wraps an open file and remembers it. The caller holds the lock.
func (f *FS) keep(under filestore.File, writes bool) (filestore.File, error) {
	if f.killed {
		return nil, errors.Join(ErrGone, under.Close())
	}
	wrapped := &file{fs: f, under: under, writes: writes}
	f.files[wrapped] = struct{}{}
	return wrapped, nil
}

// Mkdir is the change "mkdir".
func (f *FS) Mkdir(path string) error {
	return f.change("mkdir", path, func() error { return f.under.Mkdir(path) }, nil)
}

// Rename is the change "rename", which names the place that it fills.
func (f *FS) Rename(from, to string) error {
	return f.change("rename", to, func() error { return f.under.Rename(from, to) }, nil)
}

// Remove is the change "remove".
func (f *FS) Remove(path string) error {
	return f.change("remove", path, func() error { return f.under.Remove(path) }, nil)
}

// SyncDir is the change "syncdir".
func (f *FS) SyncDir(path string) error {
	return f.change("syncdir", path, func() error { return f.under.SyncDir(path) }, nil)
}

// Lock is the change "lock", once it is held: waiting is none.
func (f *FS) Lock(ctx context.Context, path, words string) (filestore.Lock, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	under, err := f.under.Lock(ctx, path, words)
	if err != nil {
		return nil, err
	}
	held, err := f.keepLock(under)
	if err != nil {
		return nil, err
	}
	done := func() error { return nil }
	switch err := f.change("lock", path, done, nil); {
	case errors.Is(err, ErrGone):
		return nil, err // and held until Kill
	case err != nil:
		return nil, errors.Join(err, held.drop())
	}
	return held, nil
}

func (f *FS) keepLock(under filestore.Lock) (*lock, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.killed {
		return nil, errors.Join(ErrGone, under.Unlock())
	}
	held := &lock{fs: f, under: under}
	f.locks[held] = struct{}{}
	return held, nil
}
