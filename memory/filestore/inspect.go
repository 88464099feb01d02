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
	whyNames    = "Others can put another memory folder in the place of this one: take the right to write from them, with chmod go-w."
	whyMode     = "Others may read or change what agents believe, or Docket may not: set the mode, with chmod."
	whyLeftover = "A writer died before it was in its place, or is at work now. Nothing reads it; the next writer removes it."
	whyStranger = "It is not Docket's, and is left alone. If an editor or a merge left it, look whether it holds what the file beside it lacks."
	whyOdd      = "It is not followed, and whoever needs it is refused: put a regular file in its place, from a copy."
	whyRefused  = "What is in it was not looked at: give Docket's user the right to read it, with chmod or chown, or see to the disk."
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
// lease: a file that comes or goes meanwhile may be told or not. What cannot be looked at
// is a finding, and the rest is looked at.
func (s *Store) Inspect() ([]memory.Finding, error) {
	findings := s.inspectNamespace()
	for _, folders := range [][]string{
		{s.namespaceFolder(), s.folder()},
		{s.namespaceFolder(), s.folder(), s.dailyFolder()},
	} {
		for _, found := range s.inspectFolder(folders) {
			if !slices.Contains(findings, found) { // one folder may be in the way of much
				findings = append(findings, found)
			}
		}
	}
	return findings, nil
}

// inspectNamespace wants that others cannot rename what is in the folder around ours;
// that they may see it is nothing to us, since it is not Docket's alone.
func (s *Store) inspectNamespace() []memory.Finding {
	info, err := s.fs.Lstat(s.namespaceFolder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refusal(s.unreadable(s.namespaceFolder(), err))
	}
	if err != nil || !info.IsDir() || runtime.GOOS == "windows" {
		return []memory.Finding{} // none, or named with the folders in it
	}
	if got := info.Mode().Perm(); got&0o022 != 0 {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(s.namespaceFolder()), whyNames, "its mode is %04o: others may write in it", got)}
	}
	return []memory.Finding{}
}

// inspectFolder looks at the last of the folders, to which the others lead.
func (s *Store) inspectFolder(folders []string) []memory.Finding {
	there, err := s.checkPath(folders...)
	if err != nil {
		return refusal(err)
	}
	if !there {
		return nil
	}
	folder := folders[len(folders)-1]
	info, err := s.fs.Lstat(folder)
	if err != nil {
		return refusal(s.unreadable(folder, err))
	}
	findings := s.checkMode(folder, info, folderMode)
	names, err := s.fs.ReadDir(folder)
	if err != nil {
		return append(findings, refusal(s.unreadable(folder, err))...)
	}
	slices.Sort(names)
	for _, name := range names {
		findings = append(findings, s.inspectFile(folder, name)...)
	}
	return findings
}

// refusal is the finding that a fault is.
func refusal(err error) []memory.Finding {
	var fault *memory.Fault
	if !errors.As(err, &fault) {
		return nil
	}
	why := whyOdd
	if fault.Code == memory.CodeIO {
		why = whyRefused
	}
	return []memory.Finding{finding(memory.SeverityFault, fault.File, why, "it %s", fault.Reason)}
}

func (s *Store) inspectFile(folder, name string) []memory.Finding {
	whole := filepath.Join(folder, name)
	info, err := s.fs.Lstat(whole)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // removed since it was listed
	case errors.Is(err, fs.ErrPermission):
		return refusal(s.unreadable(folder, err)) // it is the folder that does not let us
	case err != nil:
		return refusal(s.unreadable(whole, err))
	case whole == s.dailyFolder():
		return nil // a folder of its own
	}
	if ours, err := path.Match(TempPattern, name); err == nil && ours && info.Mode().IsRegular() {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(whole), whyLeftover, "a temporary file")}
	}
	if !s.owns(folder, name) {
		return []memory.Finding{finding(memory.SeverityNote, s.relative(whole), whyStranger, "a file that is not of the layout")}
	}
	if err := s.refuseOdd(whole, info); err != nil {
		return refusal(err)
	}
	return s.checkMode(whole, info, fileMode)
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

func finding(severity memory.Severity, file, why, format string, args ...any) memory.Finding {
	return memory.Finding{File: file, What: fmt.Sprintf(format, args...), Why: why, Severity: severity}
}
