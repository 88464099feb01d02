//go:build unix

package crashfs

import "syscall"

// sysOf carries the inode number to where the store looks for it.
func sysOf(number uint64) any { return &syscall.Stat_t{Ino: number} }
