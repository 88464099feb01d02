package storetest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"docket/memory"
)

// testReadingBesideWriter reads while versions of different lengths replace each
// other and a log grows: what is read is one version, and a beginning of the log.
func testReadingBesideWriter(t *testing.T, open Open) {
	const rounds = 100
	store, reader := open(), open()
	version := func(n int) []byte { return bytes.Repeat([]byte{byte('a' + n%26)}, 1000+n) }
	line := "a line of the log\n"
	done := make(chan error, 1)
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		t.Fatal(err)
	}
	go func() { done <- writeRounds(store, rounds, version, line) }()
	for running := true; running; {
		select {
		case err = <-done:
			running = false
		default:
		}
		data, _, readErr := reader.Read(document, 0)
		if readErr != nil || len(data) > 0 && !bytes.Equal(data, version(len(data)-1000)) {
			t.Fatalf("read %d bytes of no version (%v)", len(data), readErr)
		}
		data, stamp, readErr := reader.Read(log, 0)
		if readErr != nil || !strings.HasPrefix(strings.Repeat(line, rounds), string(data)) || stamp.Size != int64(len(data)) {
			t.Fatalf("read a log of %d bytes that was never there (%v)", len(data), readErr)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, reader, document, string(version(rounds-1)))
	wantFile(t, reader, log, strings.Repeat(line, rounds))
}

func writeRounds(store memory.Store, rounds int, version func(int) []byte, line string) error {
	for n := range rounds {
		if err := store.Replace(document, version(n)); err != nil {
			return err
		}
		if err := store.Append(log, int64(n*len(line)), []byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// testLikeMap compares a store with a map from names to bytes, over random writes
// and reopenings.
func testLikeMap(t *testing.T, place func(t *testing.T) Open) {
	names := allNames()
	rapid.Check(t, func(rt *rapid.T) {
		open := place(t) // anew, so that a failure can be made smaller
		store, model := open(), map[memory.Name]string{}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			name := rapid.SampledFrom(names).Draw(rt, "name")
			data := rapid.StringOfN(rapid.RuneFrom([]rune("ab\n€")), 0, 30, -1).Draw(rt, "data")
			switch rapid.SampledFrom([]string{"append", "replace", "reopen"}).Draw(rt, "do") {
			case "append":
				keep := rapid.IntRange(0, len(model[name])).Draw(rt, "keep")
				add(rt, store, name, keep, data)
				model[name] = model[name][:keep] + data
			case "replace":
				replace(rt, store, name, data)
				model[name] = data
			case "reopen":
				store = open()
			}
		}
		got := map[memory.Name]string{}
		for name := range model {
			bytes, _, err := store.Read(name, 0)
			if err != nil {
				rt.Fatal(err)
			}
			got[name] = string(bytes)
		}
		if diff := cmp.Diff(model, got); diff != "" {
			rt.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
