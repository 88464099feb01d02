package filestore_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/storetest"
)

// TestMain lets the test binary be another process: see process_test.go.
func TestMain(m *testing.M) {
	if task := os.Getenv("FILESTORE_TASK"); task != "" {
		os.Exit(runTask(task, os.Getenv("FILESTORE_PROJECT")))
	}
	flag.Bool("update", false, "write the golden files anew")
	os.Exit(m.Run())
}

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Open {
		project := newProject(t)
		return func() memory.Store {
			return open(t, project, filestore.Options{LeaseWait: 100 * time.Millisecond})
		}
	})
}

// newProject returns the resolved path of an empty folder.
func newProject(t testing.TB) string {
	t.Helper()
	project, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func open(t testing.TB, project string, opts filestore.Options) *filestore.Store {
	t.Helper()
	store, err := filestore.Open(project, opts)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return store
}

// lease takes the lease until the end of the test, or until release is called.
func lease(t testing.TB, store *filestore.Store) (release func() error) {
	t.Helper()
	release, err := store.Lease(context.Background(), true)
	if err != nil {
		t.Fatalf("Lease: %v", err)
	}
	t.Cleanup(func() { _ = release() })
	return release
}

func read(t testing.TB, store *filestore.Store, name memory.Name) string {
	t.Helper()
	data, _, err := store.Read(name, 0)
	if err != nil {
		t.Fatalf("Read(%q): %v", name, err)
	}
	return string(data)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// today is the log that the tests append to.
const today = memory.Name("daily/2026-02-28.jsonl")
