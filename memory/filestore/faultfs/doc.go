// Package faultfs breaks a disk on purpose, for tests of what is above it.
//
// An FS wraps another filestore.FS, counts each change that is asked of it, writes
// it down as a line, and lets the one with a given number go wrong in a given Mode.
// A test runs a scenario with a fault at change 0, 1, 2, … until one runs through
// without the fault having fired, and looks each time at what a fresh store reads:
//
//	for n := 0; ; n++ {
//		disk := faultfs.New(filestore.OS(), project)
//		disk.FailAt(n, faultfs.DoneThenGone)
//		err := scenario(disk)
//		disk.Kill()
//		... open the project anew with filestore.OS(), compare ...
//		if !disk.Fired() {
//			break
//		}
//	}
//
// The end of the loop is Fired and not err == nil: an error may rightly be
// swallowed, such as that of removing a leftover.
//
// A change is what may leave a trace on disk: create, write, truncate, chmod, sync,
// close (of a file open for writing), rename, remove, mkdir, syncdir, lock. Opening
// for reading, reading and looking are no changes; they are counted by themselves, and
// FailReadAt lets one of them fail: lstat, readdir, open, stat, read.
//
// It must not be used outside tests: it holds on to every file that was opened.
package faultfs
