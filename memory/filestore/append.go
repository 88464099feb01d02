package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"docket/memory"
)

// Append cuts the log to its first keep bytes, if it has more, and adds data. With
// no data it still makes durable what the log holds.
func (s *Store) Append(name memory.Name, keep int64, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path, there, err := s.prepare(name)
	if err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	file, err := s.openLog(path, there, keep)
	if err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	info, err := file.Stat()
	if err == nil {
		err = s.extend(file, info, keep, data)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	if err := s.settle(path, info); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	return nil
}

// openLog opens the log, or makes it where only an empty one is asked for.
func (s *Store) openLog(path string, there bool, keep int64) (File, error) {
	if there {
		return s.fs.Open(path, os.O_WRONLY|os.O_APPEND)
	}
	if keep > 0 {
		return nil, shorter(0, keep)
	}
	file, err := s.fs.Open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	if err := file.Chmod(fileMode); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// extend does the writing of Append. A write that failed is taken back, so that
// half a record is not glued to the next.
func (s *Store) extend(file File, info fs.FileInfo, keep int64, data []byte) error {
	if err := s.refuseOdd(file.Name(), info); err != nil {
		return err
	}
	if info.Size() < keep {
		return shorter(info.Size(), keep)
	}
	if info.Size() > keep {
		if err := file.Truncate(keep); err != nil {
			return err
		}
	}
	if err := writeAll(file, data); err != nil {
		if cut := file.Truncate(keep); cut != nil {
			return errors.Join(err, s.seal(cut))
		}
		return err
	}
	return s.sync(file)
}

func shorter(size, keep int64) error {
	return fmt.Errorf("the log has %d bytes, not the %d that were read", size, keep)
}
