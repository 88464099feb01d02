package filestore

import (
	"errors"
	"fmt"
	"path/filepath"

	"docket/memory"
)

// Replace makes data the whole of the file. Everything before the rename happens to
// another file, so the rename is the moment at which the new bytes are there.
func (s *Store) Replace(name memory.Name, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, _, err := s.prepare(name)
	if err != nil {
		return fmt.Errorf("replace %s: %w", name, err)
	}
	temp, err := s.writeTemp(filepath.Dir(path), data)
	if err == nil {
		err = s.fs.Rename(temp, path)
	}
	if err != nil {
		if temp != "" {
			_ = s.fs.Remove(temp) // else the next lease does
		}
		return fmt.Errorf("replace %s: %w", name, err)
	}
	if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("replace %s: %w", name, s.seal(err))
	}
	return nil
}

// writeTemp returns the path of a synced file that holds data, and the path also
// with an error if there is something to remove.
func (s *Store) writeTemp(folder string, data []byte) (path string, err error) {
	file, err := s.fs.CreateTemp(folder)
	if err != nil {
		return "", err
	}
	err = file.Chmod(fileMode)
	if err == nil {
		err = writeAll(file, data)
	}
	if err == nil {
		err = s.sync(file)
	}
	return file.Name(), errors.Join(err, file.Close())
}
