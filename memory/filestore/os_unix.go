//go:build unix

package filestore

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

const (
	// noFollow makes opening a symbolic link an error.
	noFollow = syscall.O_NOFOLLOW

	syncsFolders = true
)

// fileID returns "device:inode", which two files have in common only if they are one.
func fileID(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}

// chmodFolder sets the mode on the descriptor: a path could have become another
// folder's in the meantime.
func chmodFolder(path string) error {
	folder, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|noFollow, 0)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Chmod(folderMode)
}
