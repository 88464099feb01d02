// Package crashtest tries what must never happen to the data, on a disk in memory that
// loses its power (package crashfs) under the engine and the file store as they are. It
// holds tests alone; package process beside it does the same to real processes.
//
//	operations_test.go  which changes each operation makes, in testdata/operations
//	images_test.go      the process or the power dies before and after each change
//	recovery_test.go    and again in the recovery, three deep
//	torn_test.go        an append is cut at each of its bytes
//	errors_test.go      each change answers with an error
//	retries_test.go     each request is sent up to five times across crashes
//	edits_test.go       files are edited by hand, or are neither before nor after
//	flips_test.go       bits flip
//
// All of them ask one oracle (oracle_test.go). It knows what was acknowledged, and wants:
//
//   - no acknowledged record is lost, and none is there that nobody sent;
//   - a decision is there wholly or not at all, a fact too, and a distillation may
//     stand between its two documents, conflicts.json written and curated.json not;
//   - after recovery MEMORY.md is what curated.json says;
//   - the same request sent again ends in the bytes of a run without a crash;
//   - what cannot be understood is a memory.Fault, upon which nothing is written.
//
// After a loss of power a Fault is accepted in one place alone: where the image holds
// zeros or garbage in the unsynced part of a log. A line of garbage looks like any other
// line that somebody broke, so it is named, everything acknowledged is still shown, and
// when the named lines are deleted the store is as before or as after. Telling the two
// apart would take one more file and one more fsync at each append, to say how far the
// log was sound; file systems that show garbage behind an append are rare, and the line
// is named, so that price is not paid.
//
// Records carry no checksum. An edit or a flipped bit that leaves a sound record whose
// words no other record repeats (the text of a fact that is no evidence yet, a source,
// the time at which a case was found) cannot be told from the truth; edits_test.go and
// flips_test.go let it pass where that one record alone is different, and count it.
//
// # Flags
//
//	-seed N     of what is random; every failure names it
//	-images N   images of the disk at each boundary, 30 unless set; every subset of the
//	            unsynced changes is among them where there are up to ten
//	-flips N    bits to flip, 500 unless set
//	-update     write testdata/operations anew
//
// The long run:
//
//	go test ./memory/crashtest -images 1000 -flips 20000 -timeout 2h -v
package crashtest
