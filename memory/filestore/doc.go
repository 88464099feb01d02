// Package filestore keeps a workspace's memory in a folder of the project. It is a
// memory.Store and holds no rule of the domain: it does not know what a line means.
//
//	PROJECT/.learn_workbuddy/memory/          0700
//	  daily/YYYY-MM-DD.jsonl                  0600, a log, grows by Append
//	  conflict-adjudications.jsonl            a log
//	  conflict-resolution-transactions.jsonl  a log; also replaced whole
//	  curated.json conflicts.json MEMORY.md   documents, replaced whole
//	  .lease                                  locked by the writer, never removed
//	  .docket-*.tmp                           what a Replace that died left behind
//
// Open creates nothing; Lease (when told to), Append and Replace make the folders
// they need. Files in the folders that are not of the layout are left alone.
//
// # The format's rules, as far as a disk knows them
//
//   - A name is one of the layout's, or a day that exists: no other path is ever
//     opened, so that no text of a caller can lead elsewhere.
//   - Every file is 0600 and every folder 0700. Sealed and Inspect are for who keeps
//     watch: Inspect names other modes, leftovers and strangers, and changes nothing. Of
//     the folder around the memory folder, which others use too, only that they may not
//     write in it.
//   - A log grows by whole lines that one write adds, and is never changed before its
//     keep. A document is only ever replaced whole. Thus what was read of a log stays
//     read, and what has the stamp of a document is that document.
//   - The workspace id is the first 16 hex digits of the SHA-256 of the project's
//     path, absolute and without symbolic links: two paths to one folder are one
//     workspace and one lease. Options.Identity is for a project that was moved.
//
// # What holds after a crash
//
// A crash is the death of the process at any moment, or of the machine; with the
// machine, what was not synced may be kept, lost, or garbage.
//
//	Replace   The file is the old one or the new one. Before the rename there is
//	          also a temporary file, which the next lease removes.
//	Append    The log has its first keep bytes and then none, some or all of data;
//	          what lay after keep may still be there if data is not. After the
//	          machine's death, some of data may be garbage. Cutting such a tail off
//	          is the caller's part, who alone knows where a record ends: Append's keep.
//	Lease     The lock is the kernel's and ends with its holder. Nobody has to find
//	          out whether the holder is alive, or how old its lock is.
//	Open, Stat, Days, Read, Inspect
//	          Nothing: they write nothing.
//
// What Replace or Append answered nil for is on disk, together with every folder's
// entry on the way to it.
//
// After an error without a crash, the file holds what it held before or what was to
// be written; Append may have cut the log to keep, or have made it, empty. Reading
// on is safe. Writing on is, too, unless the store is sealed. What a sealed store
// wrote last may be there again after a power cut: it was on disk and was taken back.
//
// # Why
//
//   - A failed sync seals the store: the kernel may have marked the pages that it
//     could not write as clean, so that a second sync would succeed and mean nothing.
//     What a log got is cut off again: it would be read as if it were on disk, and
//     be built upon. For the same reason a log that cannot be cut back after a short
//     write seals the store.
//   - A torn tail is cut off and the cut synced before more is written: of two changes
//     that are not synced a power cut may keep the second alone.
//   - The first write of a Store to a log syncs the log's folder even if the log was
//     there, and so for each folder: whoever created it may have died before its entry
//     was durable, and an acknowledged record must not vanish with it. For the same
//     reason a lease syncs the folder of documents that others have replaced.
//   - A document is replaced by rename, with the temporary file in the same folder
//     (a rename is at once only within a file system) and synced before (else the
//     new name may point to nothing after a power cut).
//   - A log gets one write of whole records, under the lease: O_APPEND alone is no
//     promise, since a killed process or a full disk leaves part of a write.
//   - The lease is a kernel lock on one file. Its device and inode are compared with
//     the path's after locking, since somebody may remove the file (git clean) while
//     another waits for it; and stores of one folder in one process share a slot,
//     since a lock that belongs to a process would not keep them apart.
//   - Symbolic links below the project are refused: they would lead reads and writes
//     out of it. A file system of a network is refused, because its locks may not
//     hold between two machines; Options.AllowUnsafeLocks is for those who know.
//   - Modes are set on the descriptor, because the umask cuts those given to open.
//
// # What is refused
//
// Each with an error that names it, before anything is written:
//
//   - a folder of the store, or a file in it, that is a symbolic link or not of its kind
//     (*memory.Fault); one that the disk does not let us look at or read is a Fault as
//     well, of CodeIO, named without its path;
//   - a file system whose locks may not hold: NFS, SMB, FUSE, 9P and AFS, known on
//     Linux alone; a namespace that is more than one folder's name; a project that does
//     not exist (*memory.InvalidError);
//   - a write without the lease, into a log that is shorter than what was read of it, or
//     after a failed sync (memory.ErrSealed);
//   - to wait for the lease longer than Options.LeaseWait (*memory.BusyError).
//
// # What is assumed
//
// A local file system, whose flock excludes, whose rename is atomic, and whose disk
// keeps what it acknowledged to fsync. Whoever can write into the folders is
// trusted to take the lease; links are refused as a precaution, not as a defence
// against a racing attacker of the same user. Power that fails may turn what was not
// synced into garbage, but not what was.
//
// # Where less is promised
//
// The package builds for these systems; what it cannot keep there:
//
//	darwin   Sync asks for F_FULLFSYNC, which empties the disk's own cache too. A
//	         file system that does not know it gets a plain fsync, after which a
//	         power cut may lose what the disk had not written. File systems of a
//	         network are not told from others.
//	windows  A folder cannot be synced: in a power cut a new file may vanish, or a
//	         replaced document be the old one, though it was acknowledged. The lock
//	         is not flock: it keeps others from reading the lease file, so that a
//	         busy error names no holder. A file has no identity, so that a document
//	         replaced within one tick of the clock by one of the same size is taken
//	         for the old one. A log that is open for appending cannot be cut, so that
//	         a torn tail stays in the way of the next append, which fails. A
//	         document that somebody reads cannot be replaced, and the writer is
//	         told so. Modes mean nothing.
//	others   Where there is no flock, and closing any descriptor of a locked file
//	         unlocks it (AIX, Solaris), the package must not be used.
//
// Package faultfs breaks the disk on purpose, for tests.
package filestore
