package crashfs_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/crashfs"
	"docket/memory/storetest"
)

var seed = flag.Uint64("seed", 1, "seed of the random images")

func newRandom(t *testing.T) *rand.Rand {
	t.Helper()
	t.Logf("-seed %d", *seed)
	return rand.New(rand.NewPCG(*seed, 0))
}

func newFolder(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return root
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Open {
		root := newFolder(t)
		disk := crashfs.New(root)
		return func() memory.Store {
			store, err := filestore.Open(root, filestore.Options{FS: disk, LeaseWait: 100 * time.Millisecond})
			must(t, err)
			return store
		}
	})
}

// create makes a file with text in it, nothing of it synced.
func create(t *testing.T, disk *crashfs.FS, path, text string) filestore.File {
	t.Helper()
	file, err := disk.Open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL)
	must(t, err)
	write(t, file, text)
	return file
}

func write(t *testing.T, file filestore.File, text string) {
	t.Helper()
	_, err := file.Write([]byte(text))
	must(t, err)
}

// contents collects what the file is in each image, "-" where there is none.
func contents(t *testing.T, disk *crashfs.FS, n int, name string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for image := range disk.Images(newRandom(t), n) {
		text, ok := image.Disk.Files()[name]
		if !ok {
			text = "-"
		}
		found[text]++
	}
	return found
}

func TestEveryChoiceIsMade(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	file := create(t, disk, filepath.Join(root, "a"), "one,")
	must(t, file.Sync())
	must(t, disk.SyncDir(root))
	write(t, file, "two,")
	write(t, file, "three")
	got := contents(t, disk, 0, "a")
	for _, want := range []string{"one,", "one,two,", "one,two,three", "one,\x00\x00\x00\x00three"} {
		if got[want] != 1 {
			t.Errorf("%q is in %d images", want, got[want])
		}
	}
	must(t, file.Sync())
	if got := contents(t, disk, 100, "a"); len(got) != 1 || got["one,two,three"] != 1 {
		t.Errorf("after a sync: %v", got)
	}
}

func TestTruncationIsOpen(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	path := filepath.Join(root, "a")
	file := create(t, disk, path, "whole,torn")
	must(t, file.Sync())
	must(t, disk.SyncDir(root))
	must(t, file.Truncate(6))
	write(t, file, "X")
	got := contents(t, disk, 0, "a")
	for _, want := range []string{"whole,torn", "whole,", "whole,X", "whole,Xorn"} {
		if got[want] != 1 {
			t.Errorf("%q is in %d images: %v", want, got[want], got)
		}
	}
}

func TestEntriesAreOpenUntilTheFolderIsSynced(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	path := filepath.Join(root, "a")
	must(t, create(t, disk, path, "old").Sync())
	if got := contents(t, disk, 0, "a"); got["-"] != 1 || got["old"] != 1 {
		t.Errorf("a synced file of an unsynced folder: %v", got)
	}
	must(t, disk.SyncDir(root))
	temp, err := disk.CreateTemp(root)
	must(t, err)
	write(t, temp, "new")
	must(t, temp.Sync())
	must(t, disk.Rename(temp.Name(), path))
	if got := contents(t, disk, 0, "a"); got["old"] == 0 || got["new"] == 0 || got["-"] != 0 {
		t.Errorf("a rename in an unsynced folder: %v", got)
	}
	must(t, disk.SyncDir(root))
	must(t, disk.Remove(path))
	if got := contents(t, disk, 0, "a"); got["new"] != 1 || got["-"] != 1 {
		t.Errorf("an unsynced removal: %v", got)
	}
	must(t, disk.Mkdir(filepath.Join(root, "f")))
	must(t, create(t, disk, filepath.Join(root, "f", "b"), "in").Sync())
	if got := contents(t, disk, 0, "f/b"); got["-"] < got["in"] || got["in"] == 0 {
		t.Errorf("a file in an unsynced folder: %v", got)
	}
}

func TestWritesAreCutAndTorn(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	text := strings.Repeat("x", 1500)
	file := create(t, disk, filepath.Join(root, "a"), strings.Repeat("-", 100))
	must(t, file.Sync())
	must(t, disk.SyncDir(root))
	write(t, file, text)
	var zeros, garbage, cuts int
	for image := range disk.Images(newRandom(t), 200) {
		got := image.Disk.Files()["a"]
		if !strings.HasPrefix(got, strings.Repeat("-", 100)) {
			t.Fatalf("what was synced is harmed: %q", got[:100])
		}
		got = got[100:]
		switch prefix := strings.HasPrefix(text, got); {
		case prefix == image.Damaged["a"]:
			t.Fatalf("damaged %v: %v", image.Damaged, image.Fates)
		case prefix && got != "" && got != text:
			cuts++
		case strings.Contains(got, strings.Repeat("\x00", 412)):
			zeros++
		case !prefix:
			garbage++
		}
	}
	if cuts == 0 || zeros == 0 || garbage == 0 {
		t.Errorf("%d cut, %d with zeros, %d with garbage", cuts, zeros, garbage)
	}
}

func TestFailedSyncForgets(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	path := filepath.Join(root, "a")
	file := create(t, disk, path, "old,")
	must(t, file.Sync())
	must(t, disk.SyncDir(root))
	write(t, file, "new")
	disk.FailAt(0, crashfs.SyncDropped)
	if err := file.Sync(); !errors.Is(err, crashfs.ErrInjected) || !errors.Is(err, syscall.EIO) || !disk.Fired() {
		t.Fatalf("the sync said %v", err)
	}
	if got := disk.Files()["a"]; got != "old,new" {
		t.Errorf("a process reads %v", got)
	}
	must(t, file.Sync())
	if got := contents(t, disk, 0, "a"); len(got) != 1 || got["old,"] != 1 {
		t.Errorf("the disk holds %v", got)
	}
	if got := disk.SyncedAgain(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("synced again: %v", got)
	}
}

func TestModes(t *testing.T) {
	for _, test := range []struct {
		mode  crashfs.Mode
		text  string
		errno error
	}{
		{crashfs.IOError, "", syscall.EIO},
		{crashfs.NoSpace, "", syscall.ENOSPC},
		{crashfs.ShortWrite, "te", syscall.ENOSPC},
		{crashfs.DoneFailed, "text", syscall.EIO},
		{crashfs.Gone, "", crashfs.ErrGone},
	} {
		t.Run(test.mode.String(), func(t *testing.T) {
			root := newFolder(t)
			disk := crashfs.New(root)
			file := create(t, disk, filepath.Join(root, "a"), "")
			disk.FailAt(0, test.mode)
			if n, err := file.Write([]byte("text")); !errors.Is(err, test.errno) || n != len(test.text) {
				t.Errorf("Write = %d, %v", n, err)
			}
			if got := disk.Files()["a"]; got != test.text {
				t.Errorf("the file holds %v", got)
			}
		})
	}
}

func TestMomentsAndRestart(t *testing.T) {
	root := newFolder(t)
	disk := crashfs.New(root)
	path := filepath.Join(root, "a")
	disk.Record()
	file := create(t, disk, path, "text")
	moments := disk.Moments()
	if want := []string{"create a", "write a"}; !slices.Equal(disk.Lines(), want) || len(moments) != 3 {
		t.Fatalf("%q, %d moments", disk.Lines(), len(moments))
	}
	for n, want := range []string{"-", "", "text"} {
		if got, ok := moments[n].Files()["a"]; got != want && (ok || want != "-") {
			t.Errorf("moment %d holds %v", n, got)
		}
	}
	digest := disk.Digest()
	disk.Restart()
	if _, err := file.Write([]byte("more")); !errors.Is(err, crashfs.ErrGone) {
		t.Errorf("a file of the dead process: %v", err)
	}
	if disk.Digest() != digest || disk.Pending() != 2 || moments[1].Digest() == digest {
		t.Error("a restart changes the disk, or a digest does not tell disks apart")
	}
}
