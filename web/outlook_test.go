package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"docket/memory"
)

func TestForecastPage(t *testing.T) {
	b := newBench(t)
	b.record("storage.database", "Use SQLite.", "01-31")
	b.record("cache.engine", "Use Redis.", "02-05")
	b.record("", "Write tests first.", "02-20")
	desk := b.get(b.path("")).body
	if !strings.Contains(desk, `href="`+b.path("forecast")+`">Next</a>`) || !strings.Contains(desk, "1 promotes tomorrow") {
		t.Errorf("the desk says of the days to come: %s", desk)
	}
	page := b.get(b.path("forecast")).body
	for _, want := range []string{
		"By tomorrow · 1", "Within 7 days · 1", "Within 30 days · 1",
		`href="` + b.path("memory/k/storage.database") + `"`, "2026-03-02", "in 6 days", "Write tests first.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the forecast lacks %q", want)
		}
	}
	// It follows what is recorded, and the clock.
	b.record("queue.limit", "Three tries.", "01-31")
	if page = b.get(b.path("forecast")).body; !strings.Contains(page, "By tomorrow · 2") {
		t.Error("the forecast is that of before")
	}
	b.clock.move(24 * time.Hour)
	if page = b.get(b.path("forecast")).body; !strings.Contains(page, "in the next run") {
		t.Error("the forecast is that of yesterday")
	}
	b.clock.move(40 * 24 * time.Hour)
	b.distill()
	if desk = b.get(b.path("")).body; !strings.Contains(desk, "nothing within 30 days, unless facts come") {
		t.Error("the desk does not say that nothing comes")
	}
}

func TestForecastIsMadeOnceAState(t *testing.T) {
	b := newBench(t)
	b.record("storage.database", "Use SQLite.", "01-31")
	var f forecaster
	first, current := f.of(b.read(), memory.DocketPolicy(), today)
	if !current {
		t.Error("the first is of another state")
	}
	<-first.ready
	if second, current := f.of(b.read(), memory.DocketPolicy(), today.Add(time.Hour)); second != first || !current {
		t.Error("it is made again for the same state and day")
	}
	if third, _ := f.of(b.read(), memory.DocketPolicy(), today.Add(24*time.Hour)); third == first {
		t.Error("it is kept over midnight")
	} else {
		<-third.ready
	}
}

func TestForecastOfWhatCannotBeRead(t *testing.T) {
	b := newBench(t)
	b.dispute("storage.database")
	b.damage("curated.json")
	if page := b.get(b.path("")).body; !strings.Contains(page, "Next: not known") {
		t.Error("the desk foretells from what cannot be read")
	}
	answer := b.get(b.path("forecast"))
	if answer.status != http.StatusServiceUnavailable || !strings.Contains(answer.body, "is not known, since part of the record cannot be read") {
		t.Errorf("the forecast answers %d, or does not say why", answer.status)
	}
	if strings.Contains(answer.body, "busy") {
		t.Error("the forecast blames a busy store")
	}
}
