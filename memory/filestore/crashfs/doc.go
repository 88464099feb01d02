// Package crashfs is a disk that loses its power, for tests of what is above it.
//
// An FS is a filestore.FS in memory. It keeps apart what a process sees and what is on
// the disk: a write, a truncation and a folder's new, moved or removed entry are seen at
// once, and are on the disk when the file or the folder is synced. Until then each of
// them is open, and an Image decides: it is the disk as it may be found after the power
// came back. In an image, each open change on its own is
//
//	kept     on the disk as it was made
//	dropped  not on the disk
//	cut      of a write: only its first bytes are on the disk
//	torn     of a write: each 512-byte sector of the file that it touches is kept, zero,
//	         or random
//
// and a change that is dropped does not keep a later one from being kept, so that a file
// may hold a hole, and a folder an entry for a file whose bytes were lost.
//
//	disk := crashfs.New(project)
//	disk.Record()
//	... let a store on disk do something ...
//	for n, moment := range disk.Moments() {
//		for image := range moment.Images(random, 30) {
//			... open a store on image.Disk, look what it holds ...
//		}
//	}
//
// A moment is the disk before one of the changes, the last one that after all of them.
// Used as it is, without an Image, it is what the death of the process leaves: all that
// it wrote can be read by the next one, and is still open.
//
// FailAt lets one change go wrong. Where it is a sync, the disk may behave as Linux
// does: it reports the error, forgets what it should have written and calls it written,
// so that a second sync answers well and has done nothing. A file on which sync was
// called again after that is noted by SyncedAgain.
//
// # What is assumed
//
// A rename is on the disk wholly or not at all. What was synced is not harmed by a later
// write to the same sector. A folder's sync that failed is made good by a later one, and
// so is a truncation: file systems keep folders and sizes in a journal. A file's mode is never lost: the store
// gives it when the file is made. Locks end with their holder.
//
// It must not be used outside tests: it remembers everything.
package crashfs
