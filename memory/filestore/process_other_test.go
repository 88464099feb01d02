//go:build !unix

package filestore_test

// runTask has no tasks here: the tests with processes use signals.
func runTask(string, string) int { return 1 }
