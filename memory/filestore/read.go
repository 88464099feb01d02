package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docket/memory"
)

// Stat returns the file's stamp, the zero Stamp if it is not there.
func (s *Store) Stat(name memory.Name) (memory.Stamp, error) {
	path, there, err := s.find(name)
	if err != nil || !there {
		return memory.Stamp{}, err
	}
	there, info, err := s.checkFile(path)
	if err != nil || !there {
		return memory.Stamp{}, err
	}
	return stampOf(info), nil
}

// Days returns the stamp of every daily log. One that is no regular file or cannot be
// looked at has a stamp, too, so that reading it names what is wrong with it.
func (s *Store) Days() (map[memory.Name]memory.Stamp, error) {
	days := map[memory.Name]memory.Stamp{}
	there, err := s.checkPath(s.namespaceFolder(), s.folder(), s.dailyFolder())
	if err != nil || !there {
		return days, err
	}
	names, err := s.fs.ReadDir(s.dailyFolder())
	if err != nil {
		return nil, s.unreadable(s.dailyFolder(), err)
	}
	for _, name := range names {
		if !isDay(name) {
			continue
		}
		info, err := s.fs.Lstat(filepath.Join(s.dailyFolder(), name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // removed since it was listed
		case errors.Is(err, fs.ErrPermission):
			return nil, s.unreadable(s.dailyFolder(), err) // it is the folder that does not let us
		case err != nil:
			days[memory.Name("daily/"+name)] = memory.Stamp{ID: "unknown"}
			continue
		}
		days[memory.Name("daily/"+name)] = stampOf(info)
	}
	return days, nil
}

// Read returns the bytes of the file from offset to its end, with the stamp of the
// file that was read. A file that is shorter than offset gives no bytes and its
// stamp, whose Size tells.
func (s *Store) Read(name memory.Name, offset int64) ([]byte, memory.Stamp, error) {
	if offset < 0 {
		return nil, memory.Stamp{}, fmt.Errorf("read %s from %d: %w", name, offset, fs.ErrInvalid)
	}
	path, there, err := s.find(name)
	if err != nil || !there {
		return nil, memory.Stamp{}, err
	}
	// Looked at before it is opened: opening a pipe would wait for a writer.
	if there, _, err = s.checkFile(path); err != nil || !there {
		return nil, memory.Stamp{}, err
	}
	file, err := s.fs.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, memory.Stamp{}, nil
	}
	if err != nil {
		return nil, memory.Stamp{}, s.unreadable(path, err)
	}
	defer file.Close()
	return s.readFrom(file, offset)
}

// readFrom takes the stamp before the bytes: if a writer comes between, the stamp
// is that of a state that has passed, and the next Stat differs.
func (s *Store) readFrom(file File, offset int64) ([]byte, memory.Stamp, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, memory.Stamp{}, s.unreadable(file.Name(), err)
	}
	if err := s.refuseOdd(file.Name(), info); err != nil {
		return nil, memory.Stamp{}, err
	}
	stamp := stampOf(info)
	if stamp.Size <= offset {
		return nil, stamp, nil
	}
	data := make([]byte, stamp.Size-offset)
	n, err := file.ReadAt(data, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, memory.Stamp{}, s.unreadable(file.Name(), err)
	}
	stamp.Size = offset + int64(n) // less, where the file was cut in the meantime
	return data[:n], stamp, nil
}

func stampOf(info fs.FileInfo) memory.Stamp {
	return memory.Stamp{ID: fileID(info), Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
