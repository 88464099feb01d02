package crashtest_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// TestFlips flips random bits of all files, between two decisions and while one is
// pending, with the store open and opened after it.
func TestFlips(t *testing.T) {
	for _, phase := range []string{"", "curated_applied"} {
		t.Run("phase "+phase, func(t *testing.T) {
			t.Parallel()
			x, random := newEditor(t, phase), newRandom(t)
			names := slices.Sorted(maps.Keys(x.files))
			for range *flips / 2 {
				name := names[random.IntN(len(names))]
				text := []byte(x.files[name])
				at, bit := random.IntN(len(text)), random.IntN(8)
				text[at] ^= 1 << bit
				what := fmt.Sprintf("bit %d of byte %d of %s (%q)", bit, at, name, x.files[name][max(0, at-20):min(len(text), at+10)])
				x.try(t, what, name, random.IntN(2) == 0, func(disk *crashfs.FS) error { return disk.Edit(inFolder(memory.Name(name)), string(text)) })
			}
			x.report(t)
		})
	}
}
