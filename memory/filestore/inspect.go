package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"docket/memory"
)

var (
	_ memory.Inspector = (*Store)(nil)
	_ memory.Sealer    = (*Store)(nil)
)

// What Inspect's findings mean, and what to do.
const (
	whyMode     = "Others may read or change what agents believe, or Docket may not: set the mode, with chmod."
	whyLeftover = "A writer died before it was in its place, or is at work now. Nothing reads it; the next writer removes it."
	whyStranger = "It is not Docket's, and is left alone. If an editor or a merge left it, look whether it holds what the file beside it lacks."
	whyOdd      = "It is not followed, and whoever needs it is refused: put a regular file in its place, from a copy."
)

// Sealed reports whether a sync failed: then this Store only reads, until the project
// is opened again.
func (s *Store) Sealed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sealed
}

// Inspect looks at the modes of the store's files and folders, for files that writers
// left behind, and for those that are not the store's. It changes nothing, and takes no
// lease: a file that comes or goes meanwhile may be told or not.
func (s *Store) Inspect() ([]memory.Finding, error) {
	findings := []memory.Finding{}
	for _, folder := range []string{s.folder(), s.dailyFolder()} {
		found, err := s.inspectFolder(folder)
		if fault := new(memory.Fault); errors.As(err, &fault) {
			return append(findings, finding(memory.SeverityFault, fault.File, whyOdd, "it %s", fault.Reason)), nil
		}
		if err != nil {
			return nil, fmt.Errorf("look at the files: %w", err)
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

func (s *Store) inspectFolder(folder string) ([]memory.Finding, error) {
	if there, err := s.checkPath(s.namespaceFolder(), folder); err != nil || !there {
		return nil, err
	}
	info, err := s.fs.Lstat(folder)
	if err != nil {
		return nil, err
	}
	findings := s.checkMode(folder, info, folderMode)
	names, err := s.fs.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		found, err := s.inspectFile(folder, name)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

func (s *Store) inspectFile(folder, name string) ([]memory.Finding, error) {
	whole := filepath.Join(folder, name)
	info, err := s.fs.Lstat(whole)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // removed since it was listed
	case err != nil:
		return nil, err
	case whole == s.dailyFolder():
		return nil, nil // a folder of its own
	}
	if ours, err := path.Match(TempPattern, name); err == nil && ours && info.Mode().IsRegular() {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(whole), whyLeftover, "a temporary file")}, nil
	}
	if !s.owns(folder, name) {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(whole), whyStranger, "a file that is not of the layout")}, nil
	}
	if fault := new(memory.Fault); errors.As(s.refuseOdd(whole, info), &fault) {
		return []memory.Finding{finding(memory.SeverityFault, fault.File, whyOdd, "it %s", fault.Reason)}, nil
	}
	return s.checkMode(whole, info, fileMode), nil
}

// owns reports whether a file of that name belongs into the folder.
func (s *Store) owns(folder, name string) bool {
	if folder == s.dailyFolder() {
		return isDay(name)
	}
	if name == filepath.Base(s.leaseFile()) {
		return true
	}
	_, _, err := s.place(memory.Name(name))
	return err == nil
}

// checkMode finds fault with another mode than the layout's, where a system has modes.
func (s *Store) checkMode(whole string, info fs.FileInfo, want fs.FileMode) []memory.Finding {
	if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(whole), whyMode, "its mode is %04o, not %04o", got, want)}
	}
	return nil
}

// relative names a path as faults do.
func (s *Store) relative(whole string) string {
	if fault := new(memory.Fault); errors.As(s.fault(whole, ""), &fault) {
		return fault.File
	}
	return whole
}

func finding(severity memory.Severity, file, why, format string, args ...any) memory.Finding {
	return memory.Finding{File: file, What: fmt.Sprintf(format, args...), Why: why, Severity: severity}
}
