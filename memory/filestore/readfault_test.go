package filestore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// TestReadErrors lets the reads below each call fail, one after the other. What cannot be
// looked at is not taken for what is not there.
func TestReadErrors(t *testing.T) {
	project := newProject(t)
	store := open(t, project, filestore.Options{})
	release := lease(t, store)
	must(t, store.Append(today, 0, []byte("one\n")))
	must(t, release())
	for _, test := range []struct {
		name  string
		reads int // at least
		call  func(s *filestore.Store) (empty bool, err error)
	}{
		{"Exists", 2, func(s *filestore.Store) (bool, error) { there, err := s.Exists(); return !there, err }},
		{"Stat", 4, func(s *filestore.Store) (bool, error) { now, err := s.Stat(today); return now == memory.Stamp{}, err }},
		{"Days", 5, func(s *filestore.Store) (bool, error) { days, err := s.Days(); return len(days) == 0, err }},
		{"Read", 7, func(s *filestore.Store) (bool, error) {
			data, _, err := s.Read(today, 0)
			return len(data) == 0, err
		}},
	} {
		disk := faultfs.New(filestore.OS(), project)
		store := open(t, project, filestore.Options{FS: disk})
		for n := 0; ; n++ {
			disk.FailReadAt(n)
			empty, err := test.call(store)
			if !disk.Fired() {
				if empty || err != nil || n < test.reads {
					t.Errorf("%s: after %d reads: empty %t, %v", test.name, n, empty, err)
				}
				break
			}
			// A day that cannot be looked at may be named without a stamp.
			if err == nil && empty || err != nil && (!empty || !told(err)) {
				t.Errorf("%s: read %d failed: empty %t, %v", test.name, n, empty, err)
			}
		}
	}
}

// TestInspectTellsWhatItCouldNotLookAt lets its reads fail: there is an error or a finding.
func TestInspectTellsWhatItCouldNotLookAt(t *testing.T) {
	project := newProject(t)
	store := open(t, project, filestore.Options{})
	release := lease(t, store)
	must(t, store.Append(today, 0, []byte("one\n")))
	must(t, release())
	for n := 0; ; n++ {
		disk := faultfs.New(filestore.OS(), project)
		store := open(t, project, filestore.Options{FS: disk})
		disk.FailReadAt(n)
		found, err := store.Inspect()
		if silent := err == nil && len(found) == 0; silent == disk.Fired() || err != nil && !told(err) {
			t.Errorf("read %d: fired %t, found %+v, %v", n, disk.Fired(), found, err)
		}
		if !disk.Fired() {
			if n < 7 {
				t.Errorf("only %d reads", n)
			}
			break
		}
	}
}

// told reports whether err says that the disk refused to be read, be it by the file.
func told(err error) bool {
	fault := new(memory.Fault)
	return errors.Is(err, faultfs.ErrInjected) || errors.As(err, &fault) && fault.Code == memory.CodeIO
}

// TestLeaseSettlesOrFails lets the reads of taking the lease fail. Who has it, though
// whoever replaced a document may have died before its entry was durable, finds that it
// is: what cannot be looked at may be such a document.
func TestLeaseSettlesOrFails(t *testing.T) {
	project := scenarios()[1].prepare(t)
	refused := 0
	for n := 0; ; n++ {
		disk := faultfs.New(filestore.OS(), project)
		store := open(t, project, filestore.Options{FS: disk})
		disk.FailReadAt(n)
		release, err := store.Lease(context.Background(), false)
		if err == nil {
			must(t, release())
			if lines := disk.Lines(); !slices.Contains(lines, "syncdir .learn_workbuddy/memory") {
				t.Errorf("read %d failed: the lease is had, and the folder is not synced: %q", n, lines)
			}
		} else if refused++; !told(err) {
			t.Errorf("read %d failed: %v", n, err)
		}
		if !disk.Fired() {
			break
		}
	}
	if refused == 0 {
		t.Error("the lease was never refused")
	}
}
