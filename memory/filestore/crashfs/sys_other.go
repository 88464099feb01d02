//go:build !unix

package crashfs

func sysOf(uint64) any { return nil }
