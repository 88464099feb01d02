//go:build !unix

package filestore

import "io/fs"

const (
	noFollow     = 0     // no such flag: what is there is looked at before it is opened
	syncsFolders = false // a folder cannot be opened for syncing
)

// fileID returns "": what describes a file does not tell its identity here.
func fileID(fs.FileInfo) string { return "" }

// chmodFolder does nothing: who may read a folder is inherited from the one above.
func chmodFolder(string) error { return nil }
