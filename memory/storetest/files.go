package storetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

func testReplace(t *testing.T, open Open) {
	store := open()
	replace(t, store, document, "first version\n")
	wantFile(t, store, document, "first version\n")
	replace(t, store, document, "second\n")
	wantFile(t, store, document, "second\n")
	wantFile(t, open(), document, "second\n")
}

func testReplaceWithNothing(t *testing.T, open Open) {
	store := open()
	replace(t, store, document, "something\n")
	replace(t, store, document, "")
	wantFile(t, store, document, "")
	if stamp, err := store.Stat(document); stamp == (memory.Stamp{}) || err != nil {
		t.Errorf("Stat of an empty file = %+v, %v; want a stamp", stamp, err)
	}
}

func testAppend(t *testing.T, open Open) {
	store := open()
	add(t, store, log, 0, "one\n")
	add(t, store, log, 4, "two\n")
	wantFile(t, store, log, "one\ntwo\n")
	add(t, open(), log, 8, "three\n")
	wantFile(t, store, log, "one\ntwo\nthree\n")
}

func testAppendCreates(t *testing.T, open Open) {
	for _, name := range []memory.Name{log, memory.JournalLog} {
		store := open()
		wantAbsent(t, store, name)
		add(t, store, name, 0, "line\n")
		wantFile(t, open(), name, "line\n")
	}
}

func testAppendCuts(t *testing.T, open Open) {
	store := open()
	add(t, store, log, 0, "one\ntorn")
	add(t, store, log, 4, "two\n")
	wantFile(t, store, log, "one\ntwo\n")
	add(t, store, log, 0, "new\n")
	wantFile(t, store, log, "new\n")
}

func testAppendShorter(t *testing.T, open Open) {
	store := open()
	write(t, store, func() {
		if err := store.Append(log, 1, []byte("x\n")); err == nil {
			t.Error("Append with keep 1 to no log: no error")
		}
	})
	wantAbsent(t, store, log)
	add(t, store, log, 0, "one\n")
	write(t, store, func() {
		if err := store.Append(log, 5, []byte("x\n")); err == nil {
			t.Error("Append with keep 5 to a log of 4 bytes: no error")
		}
	})
	wantFile(t, store, log, "one\n")
}

func testAppendLarge(t *testing.T, open Open) {
	line := strings.Repeat("é", memory.MaxRecord/2) + "\n"
	store := open()
	add(t, store, log, 0, "one\n")
	add(t, store, log, 4, line+line)
	wantFile(t, store, log, "one\n"+line+line)
}

func testAppendNothing(t *testing.T, open Open) {
	store := open()
	add(t, store, log, 0, "one\ntorn")
	add(t, store, log, 4, "")
	wantFile(t, store, log, "one\n")
}

func testReadOffset(t *testing.T, open Open) {
	store := open()
	add(t, store, log, 0, "0123456789")
	for offset := range int64(11) {
		data, stamp, err := store.Read(log, offset)
		if want := "0123456789"[offset:]; string(data) != want || err != nil {
			t.Errorf("Read from %d = %q, %v; want %q", offset, data, err, want)
		}
		if stamp.Size != offset+int64(len(data)) {
			t.Errorf("Read from %d: Size %d is not offset plus %d bytes", offset, stamp.Size, len(data))
		}
	}
}

func testReadBeyond(t *testing.T, open Open) {
	store := open()
	add(t, store, log, 0, "0123456789")
	data, stamp, err := store.Read(log, 11)
	if len(data) != 0 || err == nil && stamp.Size >= 11 {
		t.Errorf("Read beyond the end = %q, %+v, %v; want no bytes and an error or the real size", data, stamp, err)
	}
}

func testNames(t *testing.T, open Open) {
	store := open()
	for _, name := range allNames() {
		if strings.HasSuffix(string(name), ".jsonl") {
			add(t, store, name, 0, "this is "+string(name))
		} else {
			replace(t, store, name, "this is "+string(name))
		}
	}
	for _, name := range allNames() {
		wantFile(t, store, name, "this is "+string(name))
	}
	replace(t, store, memory.JournalLog, "a log can be replaced, too\n")
	wantFile(t, store, memory.JournalLog, "a log can be replaced, too\n")
	add(t, store, memory.JournalLog, 27, "and goes on\n")
	wantFile(t, store, memory.JournalLog, "a log can be replaced, too\nand goes on\n")
}

func testUnknownNames(t *testing.T, open Open) {
	store := open()
	for _, name := range []memory.Name{"", ".", "..", "../x", "/x", "daily", "daily/", "daily/../curated.json",
		"daily/2026-02-30.jsonl", ".lease", "other.json"} {
		write(t, store, func() {
			if err := store.Replace(name, []byte("x")); err == nil {
				t.Errorf("Replace(%q): no error", name)
			}
			if err := store.Append(name, 0, []byte("x")); err == nil {
				t.Errorf("Append(%q): no error", name)
			}
		})
	}
}

func testStamps(t *testing.T, open Open) {
	store := open()
	stamps := map[memory.Stamp]string{{}: "nothing"}
	look := func(name memory.Name, state string) {
		t.Helper()
		stamp, err := store.Stat(name)
		if err != nil {
			t.Fatalf("Stat(%q): %v", name, err)
		}
		if earlier, ok := stamps[stamp]; ok {
			t.Errorf("%s has the stamp of %s: %+v", state, earlier, stamp)
		}
		stamps[stamp] = state
		if again, err := open().Stat(name); again != stamp || err != nil {
			t.Errorf("%s has the stamps %+v and %+v (%v)", state, stamp, again, err)
		}
	}
	add(t, store, log, 0, "")
	look(log, "an empty log")
	add(t, store, log, 0, "one\n")
	look(log, "a line")
	add(t, store, log, 4, "two\n")
	look(log, "two lines")
	replace(t, store, document, "aaaa\n")
	look(document, "a document")
	replace(t, store, document, "bbbb\n")
	look(document, "a document replaced by one of the same length")
}

func testDays(t *testing.T, open Open) {
	store := open()
	replace(t, store, document, "no day\n")
	add(t, store, memory.JournalLog, 0, "no day\n")
	want := map[memory.Name]memory.Stamp{}
	for _, name := range []memory.Name{"daily/2026-02-28.jsonl", "daily/2024-02-29.jsonl", "daily/1999-12-31.jsonl"} {
		add(t, store, name, 0, string(name)+"\n")
		stamp, err := store.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		want[name] = stamp
	}
	got, err := open().Days()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Days() (-want +got): %v\n%s", err, diff)
	}
}
