//go:build !race

package process_test

import "time"

// wonWithin bounds how long the lease of a killed holder lies unused, in the median.
const wonWithin = 100 * time.Millisecond
