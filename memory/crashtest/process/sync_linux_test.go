package process_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

// TestSyncsReachTheKernel watches the system calls of a first append, and of a
// distillation, which replaces documents. The disks that break on purpose stand in for
// the system's, so that they see what the store asks for, and not what the kernel is
// asked. Before each acknowledgement it is asked to sync the file and the folder of each
// entry that is new.
func TestSyncsReachTheKernel(t *testing.T) {
	acts := syncedActs()
	project, calls := traced(t, acts)
	begun := 0
	for _, a := range acts {
		length := slices.Index(calls[begun:], "acknowledge")
		if length < 0 {
			t.Fatalf("%s: not acknowledged: %q", a.name(), calls[begun:])
		}
		asked := calls[begun : begun+length]
		begun += length + 1
		if a.Append != nil {
			wantSynced(t, project, asked, string(memory.DailyLog(a.Append[0].RecordedAt)))
			continue
		}
		for _, document := range []memory.Name{memory.CuratedDocument, memory.Projection} {
			wantReplaced(t, project, asked, string(document))
		}
	}
}

// syncedActs are a first append, and a distillation of what it recorded.
func syncedActs() []act {
	script := newScript(1, 1)
	fact := memory.NewDraft("Keep paths relative.")
	fact.ID, fact.Kind, fact.Importance, fact.RecordedAt = script.name(), memory.Decision, 5, script.now()
	return []act{{Append: []memory.Draft{fact}}, script.distill()}
}

// folderOf is the memory folder of a project.
func folderOf(project string) string {
	return filepath.Join(project, filestore.DefaultNamespace, "memory")
}

// wantSynced wants a sync of a log that is new, and of each folder on the way to it.
func wantSynced(t *testing.T, project string, asked []string, log string) {
	t.Helper()
	path := filepath.Join(folderOf(project), log)
	for {
		if !slices.Contains(asked, "sync "+path) {
			t.Errorf("acknowledged without a sync of %s: %q", path, asked)
		}
		if path == project {
			return
		}
		path = filepath.Dir(path)
	}
}

// wantReplaced wants a sync before the rename that puts the document in its place, and
// one of the folder right behind it.
func wantReplaced(t *testing.T, project string, asked []string, document string) {
	t.Helper()
	folder := folderOf(project)
	at := slices.Index(asked, "rename "+filepath.Join(folder, document))
	if at < 1 || at+1 == len(asked) {
		t.Fatalf("%s: no rename between two syncs: %q", document, asked)
	}
	temp, err := filepath.Match("sync "+filepath.Join(folder, filestore.TempPattern), asked[at-1])
	must(t, err)
	if !temp {
		t.Errorf("%s: before the rename: %q", document, asked[at-1])
	}
	if asked[at+1] != "sync "+folder {
		t.Errorf("%s: behind the rename: %q", document, asked[at+1])
	}
}

// traced has a child perform the acts in a new project, and returns what it asked of the
// kernel, in order: "sync PATH", "rename PATH" with the new one, and "acknowledge".
func traced(t *testing.T, acts []act) (project string, calls []string) {
	t.Helper()
	project, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	record := filepath.Join(t.TempDir(), "calls")
	trace := append(tracer(t), "-y", "-o", record, "-e", "trace=fsync,fdatasync,?rename,?renameat,?renameat2,write")
	c := start(t, task{Name: "perform", Project: project, Acts: acts}, trace...)
	done, _, err := c.listen(nil)
	if err := c.Wait(); err != nil || len(done) != len(acts) {
		t.Fatalf("%d of %d acts were done: %v", len(done), len(acts), err)
	}
	must(t, err)
	text, err := os.ReadFile(record)
	must(t, err)
	// A call that another thread interrupts has its result in another line: what was
	// asked stands in the first. The store itself sees to the result.
	call := regexp.MustCompile(`(?m)^\d+ +(?:f(?:data)?(sync)\(\d+<([^>]*)>|(rename)\w*\(.*, "([^"\n]*)"|write\(1<[^>]*>, "\{\\"(Done)\\":true)`)
	for _, found := range call.FindAllStringSubmatch(string(text), -1) {
		if found[5] != "" {
			calls = append(calls, "acknowledge")
			continue
		}
		calls = append(calls, found[1]+found[3]+" "+found[2]+found[4])
	}
	return project, calls
}
