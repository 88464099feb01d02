package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"docket/memory"
)

// errNoLease refuses a write by a programmer who forgot the lease, or who has the
// empty one of a store that was not there.
var errNoLease = errors.New("written without the lease")

// prepare makes ready for a write to the file: it makes the folders, and reports
// whether the file is there.
func (s *Store) prepare(name memory.Name) (path string, there bool, err error) {
	if s.sealed {
		return "", false, memory.ErrSealed
	}
	if !s.held {
		return "", false, errNoLease
	}
	path, folders, err := s.place(name)
	if err != nil {
		return "", false, err
	}
	if err := s.makeFolders(folders); err != nil {
		return "", false, err
	}
	there, _, err = s.checkFile(path)
	return path, there, err
}

// makeFolders makes those of the folders that are not there, and each one's entry
// durable.
func (s *Store) makeFolders(folders []string) error {
	for _, folder := range folders {
		there, err := s.checkFolder(folder)
		if err != nil {
			return err
		}
		if !there {
			// Another process may make it now, since the lease's own folder is
			// made before there can be a lease.
			if err := s.fs.Mkdir(folder); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
		info, err := s.fs.Lstat(folder)
		if err != nil {
			return err
		}
		if err := s.settle(folder, info); err != nil {
			return err
		}
	}
	return nil
}

// settle makes the entry of the file durable in its folder, unless this Store did
// so before. That the file was found there is no proof that its entry is on disk.
func (s *Store) settle(path string, info fs.FileInfo) error {
	id := fileID(info)
	if settled, ok := s.settled[path]; ok && settled == id {
		return nil
	}
	if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {
		return s.seal(err)
	}
	s.settled[path] = id
	return nil
}

// sync syncs the file, once: a second try after a failure may answer well and have
// written nothing.
func (s *Store) sync(file File) error {
	if err := file.Sync(); err != nil {
		return s.seal(err)
	}
	return nil
}

// seal ends writing, and returns err as the reason.
func (s *Store) seal(err error) error {
	s.sealed = true
	return fmt.Errorf("%w: %w", err, memory.ErrSealed)
}

// writeAll writes data in one call.
func writeAll(w io.Writer, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	n, err := w.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return err
}
