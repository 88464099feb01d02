package filestore

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// OS returns the operating system's file system.
func OS() FS { return osFS{} }

type osFS struct{}

func (osFS) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

func (osFS) ReadDir(path string) ([]string, error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Readdirnames(-1)
}

func (osFS) Open(path string, flag int) (File, error) {
	file, err := os.OpenFile(path, flag|noFollow, fileMode)
	if err != nil {
		return nil, err // and not file: a nil *os.File is not a nil File
	}
	return file, nil
}

func (osFS) CreateTemp(folder string) (File, error) {
	file, err := os.CreateTemp(folder, TempPattern)
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (osFS) Mkdir(path string) error {
	if err := os.Mkdir(path, folderMode); err != nil {
		return err
	}
	return chmodFolder(path)
}

func (osFS) Rename(from, to string) error { return os.Rename(from, to) }

func (osFS) Remove(path string) error { return os.Remove(path) }

func (osFS) SyncDir(path string) error {
	if !syncsFolders {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	// A file system that has nothing to sync in a folder answers EINVAL. That is
	// no failed sync, and must not seal the store.
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

func (osFS) UnsafeLocks(path string) (string, error) { return unsafeLocks(path) }
