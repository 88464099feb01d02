package filestore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// How long to sleep between two tries for the lock. The longest sleep bounds how
// long a dead holder's lock lies unused.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 25 * time.Millisecond
)

// slots holds, for each folder that was ever locked in this process, a channel of
// size one: who put a value in it may try for the kernel's lock. The lock has to be
// one between all stores of a folder in this process, which know nothing of each
// other, so it cannot be a field of any of them. It is keyed by the folder's
// identity: two paths to one folder share a slot.
var slots sync.Map // string -> chan struct{}

// errHeld says that the lock could not be had at this try.
var errHeld = errors.New("the lock is held")

type osLock struct {
	kernel *flock.Flock
	slot   chan struct{}
	once   sync.Once
}

func (l *osLock) Unlock() (err error) {
	l.once.Do(func() {
		err = l.kernel.Unlock()
		<-l.slot
	})
	return err
}

func (osFS) Lock(ctx context.Context, path, words string) (Lock, error) {
	slot, err := slotOf(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	select {
	case slot <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	kernel, err := waitForLock(ctx, path)
	if err != nil {
		<-slot
		return nil, err
	}
	sign(path, words)
	return &osLock{kernel: kernel, slot: slot}, nil
}

func slotOf(folder string) (chan struct{}, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	key := fileID(info)
	if key == "" {
		key = folder
	}
	slot, _ := slots.LoadOrStore(key, make(chan struct{}, 1))
	return slot.(chan struct{}), nil
}

func waitForLock(ctx context.Context, path string) (*flock.Flock, error) {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		kernel, err := tryLock(path, (*flock.Flock).TryLock)
		if !errors.Is(err, errHeld) {
			return kernel, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// tryLock opens the file anew at each try, because the one that was opened before
// may have been replaced. lock is (*flock.Flock).TryLock, unless a test lets
// something happen after it.
func tryLock(path string, lock func(*flock.Flock) (bool, error)) (*flock.Flock, error) {
	if err := createLockFile(path); err != nil {
		return nil, err
	}
	kernel := flock.New(path, flock.SetFlag(os.O_RDWR|noFollow))
	locked, err := lock(kernel)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !locked {
		return nil, errHeld
	}
	if err != nil {
		return nil, err
	}
	// If somebody removed the file between its opening and its locking, another
	// process may hold the lock on the file that is there now: ours is worth nothing.
	same, err := sameFile(kernel, path)
	if err == nil && same {
		return kernel, nil
	}
	if err == nil {
		err = errHeld
	}
	return nil, errors.Join(err, kernel.Unlock())
}

func sameFile(kernel *flock.Flock, path string) (bool, error) {
	held, err := kernel.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(held, named), err
}

// createLockFile makes the file with its mode, which the lock's own package would
// leave to the umask.
func createLockFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil // as a rule: it is never removed
	}
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(fileMode), file.Close())
}

// sign writes the holder's words into the locked file. They are neither synced nor
// checked: a lock is as good without them, and where a lock keeps its file from
// being written (on Windows) there are none.
func sign(path, words string) {
	file, err := os.OpenFile(path, os.O_WRONLY|noFollow, 0)
	if err != nil {
		return
	}
	defer file.Close()
	line := words + "\n"
	if _, err := file.WriteString(line); err == nil {
		_ = file.Truncate(int64(len(line))) // after the write, so that the file is never empty
	}
}
