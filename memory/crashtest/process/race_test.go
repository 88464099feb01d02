//go:build race

package process_test

import "time"

// wonWithin is the same for the race detector, which slows down the holder's end too.
const wonWithin = 300 * time.Millisecond
