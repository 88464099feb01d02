// Package storetest is the conformance suite of memory.Store: each sentence of the
// interface's contract that can be tried from outside is a subtest. A new store's
// test is
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) storetest.Open { … })
//	}
//
// What cannot be tried from outside, that what was acknowledged survives a power cut
// and that a failed sync seals the store, each store's own tests have to show.
package storetest
