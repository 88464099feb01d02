package web

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"docket/memory"
	"docket/memory/filestore"
	"docket/memory/filestore/faultfs"
)

// onEveryPage fails where a page of the workspace does not hold what is told.
func (b *bench) onEveryPage(address func(string) string, told string) {
	b.t.Helper()
	pages := 0
	for _, r := range b.server.routes() {
		if r.method != http.MethodGet || !strings.HasPrefix(r.path, "/w/:workspace/") {
			continue
		}
		answer := b.get(address(r.path))
		if !strings.Contains(answer.body, "<html") {
			continue
		}
		if pages++; !strings.Contains(answer.body, told) {
			b.t.Errorf("%s does not say %s", r.path, told)
		}
	}
	if pages < 10 {
		b.t.Errorf("only %d pages were asked", pages)
	}
}

// TestPendingDecisionIsToldOnEveryPage fails one change after the other until one comes
// behind the commit point.
func TestPendingDecisionIsToldOnEveryPage(t *testing.T) {
	b, address := world(t)
	c := b.open("cache.engine")
	form := b.decide(c, "Use Postgres.", awkward)
	for n := 0; ; n++ {
		disk := faultfs.New(filestore.OS(), b.project)
		store, err := filestore.Open(b.project, filestore.Options{FS: disk})
		if err != nil {
			t.Fatal(err)
		}
		b.engine = memory.Open(store, memory.Options{Now: b.clock.read})
		b.serve()
		disk.FailAt(n, faultfs.NotDone)
		answer := b.post(b.resolveURL(c), form)
		if answer.status == http.StatusSeeOther {
			t.Fatal("no failure of the disk leaves the decision to be finished")
		}
		if event, ok := b.read().Pending(); ok {
			if event != form.Get("event_id") || !strings.Contains(answer.body, "Recorded") || !strings.Contains(answer.body, `id="pending-title"`) {
				t.Errorf("told as %d:\n%s", answer.status, answer.body)
			}
			break
		}
	}
	b.onEveryPage(address, `id="pending-title"`)
	b.checkUp()
	b.expectHealth("No fault", "1 note", "is not finished", "the next command that writes finishes it")
}

// TestSealedStoreIsToldOnEveryPage fails one change after the other until a sync was
// one: from then on every page says that Docket only reads, the words come back, and a restart mends it.
func TestSealedStoreIsToldOnEveryPage(t *testing.T) {
	b, address := world(t)
	c := b.open("cache.engine")
	disk := faultfs.New(filestore.OS(), b.project)
	store, err := filestore.Open(b.project, filestore.Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	b.engine = memory.Open(store, memory.Options{Now: b.clock.read})
	b.serve()
	const told = `id="sealed-title"`
	if strings.Contains(b.get("/w/"+b.workspace()+"/").body, told) {
		t.Fatal("told before anything failed")
	}
	form := b.decide(c, "Use Postgres.", awkward)
	for n := 0; !b.engine.Sealed(); n++ {
		disk.Reset()
		disk.FailAt(n, faultfs.NotDone)
		if _, err := b.engine.Append(context.Background(), memory.NewDraft("Not written.")); !disk.Fired() {
			t.Fatalf("no failure of the disk seals the store: %v", err)
		}
	}
	b.onEveryPage(address, told)
	answer := b.post(b.resolveURL(c), form)
	if back := formOf(t, answer.body); answer.status != http.StatusServiceUnavailable || back.values.Get("rationale") != awkward ||
		!strings.Contains(answer.body, told) || !strings.Contains(answer.body, "restart") {
		t.Errorf("a decision: %d, the words %q", answer.status, back.values.Get("rationale"))
	}
	b.store, b.engine = openProject(t, b.project, b.clock)
	b.serve()
	if strings.Contains(b.get("/w/"+b.workspace()+"/").body, told) {
		t.Error("told after a restart")
	}
	if answer := b.post(b.resolveURL(c), form); answer.status != http.StatusSeeOther {
		t.Errorf("after a restart the same form is answered %d", answer.status)
	}
}
