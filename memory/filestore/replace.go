package filestore

import (
	"errors"
	"fmt"
	"maps"
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
	if _, info, err := s.checkFile(path); err == nil && info != nil {
		s.replaced[path] = stampOf(info)
	}
	return nil
}

// settleDocuments makes durable which documents stand in the folder, unless this Store
// knows it of them: whoever put one there may have died before that, and what is done
// next rests on what is read.
func (s *Store) settleDocuments() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[string]memory.Stamp{}
	for _, name := range []memory.Name{memory.ConflictsDocument, memory.CuratedDocument, memory.Projection} {
		path := filepath.Join(s.folder(), string(name))
		_, info, err := s.checkFile(path)
		if odd := new(memory.Fault); errors.As(err, &odd) && odd.Code != memory.CodeIO {
			continue // it is refused when it is read
		}
		if err != nil {
			return err // not passed over: it may be what has to be settled
		}
		if info != nil && s.replaced[path] != stampOf(info) {
			found[path] = stampOf(info)
		}
	}
	if len(found) == 0 {
		return nil
	}
	others := map[string]string{} // which the same sync settles
	for _, name := range []string{"daily", string(memory.AuditLog), string(memory.JournalLog)} {
		path := filepath.Join(s.folder(), name)
		if info, err := s.fs.Lstat(path); err == nil {
			others[path] = fileID(info)
		}
	}
	if err := s.fs.SyncDir(s.folder()); err != nil {
		return s.seal(err)
	}
	maps.Copy(s.replaced, found)
	maps.Copy(s.settled, others)
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
