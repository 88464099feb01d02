package filestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"docket/memory"
)

// Lease waits for the right to write. A sealed store has none to give.
func (s *Store) Lease(ctx context.Context, create bool) (release func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	there, err := s.leaseFolder(create)
	if err != nil {
		return nil, fmt.Errorf("take the lease: %w", err)
	}
	if !there {
		return func() error { return nil }, nil
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	s.hold(true)
	release = sync.OnceValue(func() error {
		s.hold(false)
		if err := lock.Unlock(); err != nil {
			return fmt.Errorf("release the lease: %w", err)
		}
		return nil
	})
	s.clean()
	if err := s.settleDocuments(); err != nil {
		return nil, fmt.Errorf("take the lease: %w", errors.Join(err, release()))
	}
	return release, nil
}

// leaseFolder reports whether there is a folder for the lease to lie in.
func (s *Store) leaseFolder(create bool) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sealed {
		return false, memory.ErrSealed
	}
	folders := []string{s.namespaceFolder(), s.folder()}
	if create {
		return true, s.makeFolders(folders)
	}
	return s.checkPath(folders...)
}

func (s *Store) lock(ctx context.Context) (Lock, error) {
	if _, _, err := s.checkFile(s.leaseFile()); err != nil {
		return nil, fmt.Errorf("take the lease: %w", err)
	}
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	lock, err := s.fs.Lock(waiting, s.leaseFile(), s.holder)
	switch {
	case err == nil:
		return lock, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &memory.BusyError{Holder: s.readHolder()}
	}
	return nil, fmt.Errorf("take the lease: %w", err)
}

func (s *Store) hold(held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = held
}

// readHolder returns what the holder wrote about itself, "" if it cannot be read.
func (s *Store) readHolder() string {
	file, err := s.fs.Open(s.leaseFile(), os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer file.Close()
	words := make([]byte, 200)
	n, err := file.ReadAt(words, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	// Anybody may have written it, and it goes to terminals and logs.
	line, _, _ := strings.Cut(string(words[:n]), "\n")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, line)
}

// clean removes the temporary files of writers that died: no other writer is alive
// while we hold the lease. What cannot be removed is left for the next lease, since
// nothing reads it.
func (s *Store) clean() {
	for _, folder := range []string{s.folder(), s.dailyFolder()} {
		if there, err := s.checkFolder(folder); err != nil || !there {
			return
		}
		names, err := s.fs.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, name := range names {
			s.cleanFile(folder, name)
		}
	}
}

func (s *Store) cleanFile(folder, name string) {
	if ours, err := path.Match(TempPattern, name); err != nil || !ours {
		return
	}
	whole := filepath.Join(folder, name)
	if there, _, err := s.checkFile(whole); err != nil || !there {
		return
	}
	_ = s.fs.Remove(whole)
}
