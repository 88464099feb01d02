// Package planted proves that the tests see what they are for. It plants one bug after
// the other into the sources, by the overlay of go test, and wants one test, named in
// full, to fail that passes without the bug: each fsync, folder fsync, lock, hash and check
// removed, a retry after an error of the disk, an error of the disk ignored, an
// acknowledgement before the sync, another order of writes. Another test's failure, one
// that hangs and sources that do not build count for nothing. None of it is in the shipped
// code. It takes minutes, so it asks for a flag:
//
//	go test ./memory/planted -planted -timeout 1h
//
// Without the flag the table alone is held against the sources: a bug that can no longer
// be planted, since its line changed, fails, and so does one whose test is gone.
package planted
