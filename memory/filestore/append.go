package filestore

import (
	"errors"
	"fmt"
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
	err = s.extend(file, path, keep, data)
	if err := errors.Join(err, file.Close()); err != nil {
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

// extend does the writing of Append, and makes the log's entry durable.
func (s *Store) extend(file File, path string, keep int64, data []byte) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := s.refuseOdd(path, info); err != nil {
		return err
	}
	if info.Size() < keep {
		return shorter(info.Size(), keep)
	}
	if info.Size() > keep {
		if err := s.cut(file, keep, len(data) > 0); err != nil {
			return err
		}
	}
	if err := writeAll(file, data); err != nil {
		return s.takeBack(file, keep, err)
	}
	err = s.sync(file)
	if err == nil {
		err = s.settle(path, info)
	}
	if err != nil && len(data) > 0 {
		return s.takeBack(file, keep, err)
	}
	return err
}

// cut cuts the log to keep bytes. Where more is to be written, the cut is made durable
// before: else a power cut could keep the bytes and lose the cut, and leave the rest of
// the old tail behind them.
func (s *Store) cut(file File, keep int64, more bool) error {
	if err := file.Truncate(keep); err != nil || !more {
		return err
	}
	return s.sync(file)
}

// takeBack cuts off again what err kept from being written or from being durable, so
// that half a record is not glued to the next, and none is read that a power cut may
// take away: after a failed sync it would look as if it were on the disk.
func (s *Store) takeBack(file File, keep int64, err error) error {
	if cut := file.Truncate(keep); cut != nil {
		return errors.Join(err, s.seal(cut))
	}
	return err
}

func shorter(size, keep int64) error {
	return fmt.Errorf("the log has %d bytes, not the %d that were read", size, keep)
}
