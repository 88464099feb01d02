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
//
// What Replace or Append answered nil for is on disk, together with every folder's
// entry on the way to it.
//
// After an error without a crash, the file holds what it held before or what was to
// be written; Append may have cut the log to keep, or have made it, empty. Reading
// on is safe. Writing on is, too, unless the store is sealed.
//
// # Why
//
//   - A failed sync seals the store: the kernel may have marked the pages that it
//     could not write as clean, so that a second sync would succeed and mean nothing.
//     What is on disk is known again after opening and reading anew. For the same
//     reason a log that cannot be cut back after a short write seals the store.
//   - The first write of a Store to a log syncs the log's folder even if the log was
//     there, and so for each folder: whoever created it may have died before its entry
//     was durable, and an acknowledged record must not vanish with it.
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
// # What is assumed
//
// A local file system, whose flock excludes, whose rename is atomic, and whose disk
// keeps what it acknowledged to fsync. Whoever can write into the folders is
// trusted to take the lease; links are refused as a precaution, not as a defence
// against a racing attacker of the same user.
//
// On Windows the package builds, and promises less: a folder is not synced, so that
// a file's new entry may be lost in a power cut; a log that is open for appending
// cannot be cut; a lease's holder is not named, and a stamp has no identity. AIX and
// Solaris, where closing any descriptor of a locked file unlocks it, are not
// supported.
//
// Package faultfs breaks the disk on purpose, for tests.
package filestore
