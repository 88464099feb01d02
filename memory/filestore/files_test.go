package filestore_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// TestDaysLeavesOthersAlone lists a folder in which there are other files, too.
func TestDaysLeavesOthersAlone(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{})
	lease(t, store)
	must(t, store.Append(today, 0, []byte("x\n")))
	for _, name := range []string{"2026-02-30.jsonl", "2026-13-01.jsonl", "2026-2-3.jsonl", "2026-02-28.json", "2026-02-28.jsonl.bak",
		"x2026-02-28.jsonl", "2026-02-28.jsonl\n", "２０２６-02-28.jsonl", ".docket-1.tmp", "notes.txt"} {
		must(t, os.WriteFile(filepath.Join(store.Folder(), "daily", name), []byte("x\n"), 0o600))
	}
	days, err := store.Days()
	if diff := cmp.Diff([]memory.Name{today}, slices.Collect(maps.Keys(days))); diff != "" || err != nil {
		t.Errorf("Days (-want +got): %v\n%s", err, diff)
	}
}

// TestLeaseCleans leaves files behind as dead writers would. Only ours go.
func TestLeaseCleans(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{})
	release := lease(t, store)
	must(t, store.Append(today, 0, []byte("x\n")))
	must(t, release())
	ours := []string{".docket-123.tmp", "daily/.docket-456.tmp"}
	others := []string{".curated.json.abc.tmp", ".docket-1", "x.docket-1.tmp", "notes.tmp", "daily/.other.tmp"}
	for _, name := range slices.Concat(ours, others) {
		must(t, os.WriteFile(filepath.Join(store.Folder(), name), []byte("x"), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(store.Folder(), ".docket-folder.tmp"), 0o700))
	others = append(others, ".docket-folder.tmp", string(today), ".lease")

	_, _ = store.Days() // reading cleans nothing
	if _, err := os.Stat(filepath.Join(store.Folder(), ours[0])); err != nil {
		t.Errorf("gone without the lease: %v", err)
	}
	lease(t, store)
	for _, name := range ours {
		if _, err := os.Lstat(filepath.Join(store.Folder(), name)); err == nil {
			t.Errorf("%s was not cleaned", name)
		}
	}
	for _, name := range others {
		if _, err := os.Lstat(filepath.Join(store.Folder(), name)); err != nil {
			t.Errorf("%s was not left alone: %v", name, err)
		}
	}
}

func TestWriteWithoutLease(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{})
	try := func(when string) {
		t.Helper()
		if store.Append(today, 0, []byte("x\n")) == nil || store.Replace(memory.CuratedDocument, nil) == nil {
			t.Errorf("%s: written without the lease", when)
		}
	}
	try("at first")
	release, err := store.Lease(context.Background(), false)
	must(t, err)
	try("with the lease of a store that is not there")
	must(t, release())
	release = lease(t, store)
	must(t, release())
	try("after the release")
	if exists, err := store.Exists(); !exists || err != nil {
		t.Errorf("Exists = %v, %v", exists, err)
	}
}

func TestReadNegativeOffset(t *testing.T) {
	store := open(t, newProject(t), filestore.Options{})
	if _, _, err := store.Read(today, -1); err == nil {
		t.Error("Read from -1: no error")
	}
}

// TestLogReplacedByAnother has another process put a new file in the log's place,
// and die before its entry is durable: the next append makes it so.
func TestLogReplacedByAnother(t *testing.T) {
	project := newProject(t)
	disk := faultfs.New(filestore.OS(), project)
	store := open(t, project, filestore.Options{FS: disk})
	lease(t, store)
	must(t, store.Append(today, 0, []byte("one\n")))
	path := filepath.Join(store.Folder(), string(today))
	must(t, os.Rename(path, path+".old"))
	must(t, os.WriteFile(path, []byte("two\n"), 0o600))
	disk.Reset()
	must(t, store.Append(today, 4, []byte("three\n")))
	lines := disk.Lines()
	if want := "syncdir .learn_workbuddy/memory/daily"; !slices.Contains(lines, want) {
		t.Errorf("changes %q; want %q among them", lines, want)
	}
}

// TestTornTail cuts an appended line at every byte, as a crash may, and appends
// after what is whole.
func TestTornTail(t *testing.T) {
	const whole, torn, next = "one\ntwo\n", `{"content": "né"}` + "\n", "three\n"
	store := open(t, newProject(t), filestore.Options{})
	lease(t, store)
	must(t, store.Append(today, 0, nil))
	path := filepath.Join(store.Folder(), string(today))
	for cut := range len(torn) {
		must(t, os.WriteFile(path, []byte(whole+torn[:cut]), 0o600))
		must(t, store.Append(today, int64(len(whole)), []byte(next)))
		if got := read(t, store, today); got != whole+next {
			t.Errorf("cut at %d: %q", cut, got)
		}
	}
}
