package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"time"

	"docket/memory"
)

func (s *Store) namespaceFolder() string { return filepath.Join(s.project, s.namespace) }
func (s *Store) folder() string          { return filepath.Join(s.project, s.namespace, "memory") }
func (s *Store) dailyFolder() string     { return filepath.Join(s.folder(), "daily") }
func (s *Store) leaseFile() string       { return filepath.Join(s.folder(), ".lease") }

// find returns the path of a file of the store, and whether the folder that it
// belongs in is there.
func (s *Store) find(name memory.Name) (path string, there bool, err error) {
	path, folders, err := s.place(name)
	if err != nil {
		return "", false, err
	}
	there, err = s.checkPath(folders...)
	return path, there, err
}

// place returns the path of a file of the store and the folders that lead to it,
// the outermost first.
func (s *Store) place(name memory.Name) (path string, folders []string, err error) {
	folders = []string{s.namespaceFolder(), s.folder()}
	switch name {
	case memory.CuratedDocument, memory.ConflictsDocument, memory.Projection,
		memory.AuditLog, memory.JournalLog:
		return filepath.Join(s.folder(), string(name)), folders, nil
	}
	folder, file := filepath.Split(string(name))
	if folder != "daily/" || !isDay(file) {
		return "", nil, fmt.Errorf("%q is not a file of the store: %w", string(name), fs.ErrInvalid)
	}
	return filepath.Join(s.dailyFolder(), file), append(folders, s.dailyFolder()), nil
}

var dayPattern = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)\.jsonl$`)

// isDay reports whether name is that of a daily log: other names are left alone.
func isDay(name string) bool {
	parts := dayPattern.FindStringSubmatch(name)
	if parts == nil {
		return false
	}
	_, err := time.Parse(time.DateOnly, parts[1])
	return err == nil
}

// checkFolders refuses a store of which any folder is not one of ours, and returns
// the deepest that is there.
func (s *Store) checkFolders() (deepest string, err error) {
	deepest = s.project
	for _, folder := range []string{s.namespaceFolder(), s.folder(), s.dailyFolder()} {
		there, err := s.checkFolder(folder)
		if err != nil {
			return "", err
		}
		if !there {
			break
		}
		deepest = folder
	}
	return deepest, nil
}

// checkPath reports whether all the folders are there.
func (s *Store) checkPath(folders ...string) (bool, error) {
	for _, folder := range folders {
		if there, err := s.checkFolder(folder); !there || err != nil {
			return false, err
		}
	}
	return true, nil
}

// checkFolder reports whether path is a folder, and refuses anything else there.
func (s *Store) checkFolder(path string) (there bool, err error) {
	info, err := s.fs.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, s.unreadable(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return false, s.fault(path, "is a symbolic link, which is not followed")
	case !info.IsDir():
		return false, s.fault(path, "is not a folder")
	}
	return true, nil
}

// checkFile returns nil and no error where there is no file, and refuses anything
// that is not a regular one.
func (s *Store) checkFile(path string) (there bool, info fs.FileInfo, err error) {
	info, err = s.fs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, s.unreadable(path, err)
	}
	return true, info, s.refuseOdd(path, info)
}

func (s *Store) refuseOdd(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return s.fault(path, "is a symbolic link, which is not followed")
	case !info.Mode().IsRegular():
		return s.fault(path, "is not a regular file")
	}
	return nil
}

// unreadable is the fault of a file or a folder that the disk refuses to show, in the
// system's words but without its path, which is nothing for a page.
func (s *Store) unreadable(path string, err error) error {
	reason := "cannot be read"
	if at := new(fs.PathError); errors.As(err, &at) {
		reason += ": " + at.Err.Error()
	}
	return &memory.Fault{Code: memory.CodeIO, File: s.relative(path), Reason: reason}
}

// fault is that of a file or a folder that is not of its kind.
func (s *Store) fault(path, reason string) error {
	return &memory.Fault{Code: memory.CodeCorrupt, File: s.relative(path), Reason: reason}
}

// relative names path as pages do: relative to the memory folder, or to the project
// where it is that folder or the one above.
func (s *Store) relative(path string) string {
	name, err := filepath.Rel(s.folder(), path)
	if err != nil || !filepath.IsLocal(name) || name == "." {
		name, _ = filepath.Rel(s.project, path)
	}
	return filepath.ToSlash(name)
}
