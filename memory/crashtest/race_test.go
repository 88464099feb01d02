//go:build race

package crashtest_test

// raced is set under the race detector, which makes all of this ten times slower and has
// nothing to find in it: one goroutine does everything.
const raced = true
