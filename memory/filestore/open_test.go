package filestore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
)

func TestOpenResolvesProject(t *testing.T) {
	project := newProject(t)
	must(t, os.Mkdir(filepath.Join(project, "sub"), 0o755))
	must(t, os.Symlink(project, filepath.Join(project, "link")))
	home := filepath.Join(project, "sub")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(home)
	tests := []struct{ given, want string }{
		{project, project},
		{project + "/sub/..", project},
		{project + "/link", project},
		{project + "/link/link/sub", home},
		{".", home},
		{"..", project},
		{"~", home},
		{"~/", home},
		{"~/..", project},
		{"~/../link/sub", home},
	}
	for _, test := range tests {
		store := open(t, test.given, filestore.Options{})
		if store.Project() != test.want {
			t.Errorf("Open(%q): project %q, want %q", test.given, store.Project(), test.want)
		}
		if want := open(t, test.want, filestore.Options{}).WorkspaceID(); store.WorkspaceID() != want {
			t.Errorf("Open(%q): id %q, want that of %q, %q", test.given, store.WorkspaceID(), test.want, want)
		}
	}
}

func TestOpenRefusesProject(t *testing.T) {
	project := newProject(t)
	must(t, os.WriteFile(filepath.Join(project, "file"), nil, 0o600))
	must(t, os.Symlink("loop", filepath.Join(project, "loop")))
	must(t, os.Symlink("nowhere", filepath.Join(project, "dangling")))
	t.Chdir(project)
	for _, given := range []string{"", "missing", "file", "file/below", "loop", "dangling", "~missing", "a\x00b"} {
		store, err := filestore.Open(given, filestore.Options{})
		var invalid *memory.InvalidError
		if !errors.As(err, &invalid) || invalid.Field != "project" || store != nil {
			t.Errorf("Open(%q) = %v, %v; want an InvalidError of the project", given, store, err)
		}
	}
}

func TestWorkspaceID(t *testing.T) {
	project := newProject(t)
	// The first is the identity of a published vector, and its id.
	identities := map[string]string{
		"/srv/docket-vectors/append": "c4f7df6a2bc3b6f4",
		"/srv/项目":                    "d965ae67b7af43d8",
		"~/as written/../x/":         "e4c9fb8c594d313d",
	}
	for identity, want := range identities {
		store := open(t, project, filestore.Options{Identity: identity})
		if store.WorkspaceID() != want {
			t.Errorf("id of %q is %q, want %q", identity, store.WorkspaceID(), want)
		}
	}
	_, err := filestore.Open(project, filestore.Options{Identity: "/srv/\xff"})
	if memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("identity of invalid UTF-8: %v", err)
	}
}

func TestNamespace(t *testing.T) {
	project := newProject(t)
	for _, name := range []string{".", "..", "a/b", "../x", "/x", `a\b`, "a/", "a\x00"} {
		_, err := filestore.Open(project, filestore.Options{Namespace: name})
		var invalid *memory.InvalidError
		if !errors.As(err, &invalid) || invalid.Field != "namespace" {
			t.Errorf("namespace %q: %v; want an InvalidError", name, err)
		}
	}
	for given, folder := range map[string]string{"": ".learn_workbuddy", "other": "other", "..x": "..x"} {
		store := open(t, project, filestore.Options{Namespace: given})
		if want := filepath.Join(project, folder, "memory"); store.Folder() != want {
			t.Errorf("namespace %q: folder %q, want %q", given, store.Folder(), want)
		}
		lease(t, store)
		must(t, store.Append(today, 0, []byte("one\n")))
		if _, err := os.Stat(filepath.Join(project, folder, "memory", string(today))); err != nil {
			t.Errorf("namespace %q: %v", given, err)
		}
	}
}

func TestOpenCreatesNothing(t *testing.T) {
	project := newProject(t)
	store := open(t, project, filestore.Options{})
	_, _ = store.Days()
	entries, err := os.ReadDir(project)
	if err != nil || len(entries) != 0 {
		t.Errorf("after Open the project has %v, %v", entries, err)
	}
}

// A networkFS is on a file system without working locks.
type networkFS struct{ filestore.FS }

func (networkFS) UnsafeLocks(string) (string, error) { return "NFS", nil }

func TestUnsafeLocks(t *testing.T) {
	opts := filestore.Options{FS: networkFS{filestore.OS()}}
	store, err := filestore.Open(newProject(t), opts)
	if memory.CodeOf(err) != memory.CodeInvalid || !strings.Contains(err.Error(), "NFS") || store != nil {
		t.Errorf("Open on a network's file system = %v, %v; want an InvalidError that names it", store, err)
	}
	opts.AllowUnsafeLocks = true
	lease(t, open(t, newProject(t), opts))
}
