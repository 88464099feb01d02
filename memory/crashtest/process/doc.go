// Package process holds the tests of what becomes of a store when whole processes die,
// stand still, or meet: nothing in it is part of the program.
//
//   - Kills. A child acts on a store and acknowledges each act on a pipe, after the
//     engine returned nil. It is killed at a random moment, or at its n-th call of one
//     system call (under strace, where that is present), and the store is opened again.
//   - Syncs. strace shows which files and folders the kernel was asked to sync before an
//     acknowledgement.
//   - A full disk. A small file system is filled so that each act fails at every page
//     and every file that it needs, and is then given room again.
//   - Meetings. Engines, command lines and a server append, read and decide on one store
//     at once; their histories must be linearizable. Readers that poll meanwhile must see
//     each adjudication wholly or not at all.
//   - The lease. Many processes contend for it; its holder is stopped, or killed.
//
// # The oracle
//
// A twin is an engine over a map in this process. Whatever a child announced and
// acknowledged is done on the twin, too. After a kill the store must then be what the
// twin is, before the one act that was announced and not acknowledged, or after it: an
// append may have left its first facts, and a distillation its first document, which the
// same act, repeated, makes whole. Beyond that, every reader's state must be whole, Verify
// must find no fault, and MEMORY.md must be what curated.json says.
//
// # How it is run
//
// A child is this test binary, started anew with a task on its standard input. It ends
// when that input ends, so that none outlives its test. Random tests print their seed:
//
//	go test ./memory/crashtest/process                    300 kills, 5 histories
//	go test ./memory/crashtest/process -seed 42           the same again
//	go test ./memory/crashtest/process -run Kills -kills 10000 -timeout 2h
//	go test ./memory/crashtest/process -run Histories -histories 200 -timeout 2h
package process
