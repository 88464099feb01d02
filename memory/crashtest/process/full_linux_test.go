package process_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// diskMark is set in a process that has a file system tree of its own, in which it may
// mount what nobody else sees and what is gone when it ends.
const diskMark = "DOCKET_PROCESS_TEST_DISK"

const (
	pageSize  = 4096
	diskSize  = 4 << 20 // bytes
	diskFiles = 200
)

// TestFullDisk fills a small file system so that each act of the scene fails, for want of
// space or of room for one more file, at every place where it can.
func TestFullDisk(t *testing.T) {
	if os.Getenv(diskMark) == "" {
		runWithOwnTree(t)
		return
	}
	s := newScene(t)
	for _, shortOf := range []string{"space", "files"} {
		for _, reopen := range []bool{false, true} {
			for i, a := range s.acts {
				t.Run(fmt.Sprintf("%s/reopened %t/%d %s", shortOf, reopen, i, a.name()), func(t *testing.T) {
					w := s.twin.fork()
					w.do(t, s.acts[:i]...)
					failures := fillUntilDone(t, w, a, shortOf, reopen)
					t.Logf("failed %d times", failures)
					// An append to a log that is there needs no new file.
					if failures == 0 && (shortOf == "space" || a.Append == nil || len(a.Append) > 1) {
						t.Error("the disk was never full")
					}
				})
			}
		}
	}
}

// runWithOwnTree runs this test in another process, or skips it.
func runWithOwnTree(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	command := exec.Command(self, "-test.run=^TestFullDisk$", "-test.v")
	command.Env = append(os.Environ(), diskMark+"=1")
	command.SysProcAttr = diesWithParent()
	command.SysProcAttr.Unshareflags = syscall.CLONE_NEWNS
	if os.Geteuid() != 0 {
		// Who is root in a name space of users alone may mount there, where the kernel allows it.
		command.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := command.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Skipf("no process may mount here, a full disk was not tried: %v", err)
	}
	t.Logf("%s", out)
	if err != nil {
		t.Fail()
	}
	if bytes.Contains(out, []byte("--- SKIP")) {
		t.Skip("a full disk was not tried")
	}
}

// newDisk mounts an empty file system and returns its folder.
func newDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700", diskSize, diskFiles)
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, options); err != nil {
		t.Skipf("mount a tmpfs: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	return folder
}

// fillUntilDone does the act with nothing left on the disk, with one page or file left,
// with two, and so on, until it succeeds. It returns how often it failed.
func fillUntilDone(t *testing.T, w *twin, a act, shortOf string, reopen bool) (failures int) {
	t.Helper()
	const most = 100
	for left := range most {
		disk := newDisk(t)
		project := filepath.Join(disk, "project")
		must(t, os.Mkdir(project, 0o700))
		w.shelf.lay(t, project)
		// The lease's file, and what else a writer before us leaves, is there.
		store, engine := open(t, project, filestore.Options{Identity: identity})
		must(t, engine.Recover(t.Context()))
		ballast := filepath.Join(disk, "ballast")
		must(t, os.Mkdir(ballast, 0o700))
		fill(t, ballast, shortOf, left)

		err := a.do(engine)
		free := func() { must(t, os.RemoveAll(ballast)) }
		if err == nil {
			free()
			sound(t, store, engine)
			w.do(t, a)
			settled(t, w, store, engine, nil, false)
			return failures
		}
		failures++
		refusedForWant(t, w, engine, a, err)
		free()
		if reopen {
			store, engine = open(t, project, filestore.Options{Identity: identity})
		}
		must(t, engine.Recover(t.Context()))
		sound(t, store, engine)
		fork := w.fork()
		fork.judge(t, contentOf(engine.State(t.Context())), &a)
		settled(t, fork, store, engine, &a, true)
	}
	t.Fatalf("not done with room for %d", most)
	return failures
}

// refusedForWant looks at the engine while the disk is full: the error says so, readers
// go on, and a decision is recorded if the error says that, and only then.
func refusedForWant(t *testing.T, w *twin, engine *memory.Engine, a act, err error) {
	t.Helper()
	code := memory.CodeIO
	pending := new(memory.PendingError)
	if errors.As(err, &pending) {
		code = memory.CodePending
	}
	if !errors.Is(err, syscall.ENOSPC) || memory.CodeOf(err) != code {
		t.Fatalf("%s: code %s: %v", a.name(), memory.CodeOf(err), err)
	}
	state := engine.State(t.Context())
	if err := whole(state); err != nil {
		t.Fatal(err)
	}
	if a.Resolve == nil {
		return
	}
	_, recorded := state.Adjudication(a.Resolve.EventID)
	if (code == memory.CodePending) != recorded {
		t.Fatalf("recorded is %t, and the error is %v", recorded, err)
	}
	if !recorded {
		if d := diff(w.content(), contentOf(state)); d != "" {
			t.Fatalf("nothing was recorded, and something changed (-want +got):\n%s", d)
		}
	}
}

// fill takes all of the disk but for left pages, or files.
func fill(t *testing.T, ballast, shortOf string, left int) {
	t.Helper()
	if shortOf == "files" {
		made := 0
		for ; ; made++ {
			err := os.WriteFile(filepath.Join(ballast, fmt.Sprint(made)), nil, 0o600)
			if errors.Is(err, syscall.ENOSPC) {
				break
			}
			must(t, err)
		}
		for i := range min(left, made) {
			must(t, os.Remove(filepath.Join(ballast, fmt.Sprint(i))))
		}
		return
	}
	file, err := os.Create(filepath.Join(ballast, "pages"))
	must(t, err)
	defer file.Close()
	page := make([]byte, pageSize)
	size := int64(0)
	for ; size < math.MaxInt32; size += pageSize {
		if _, err := file.Write(page); errors.Is(err, syscall.ENOSPC) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	must(t, file.Truncate(max(0, size-int64(left)*pageSize)))
}
