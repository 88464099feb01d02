package demo

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"docket/memory"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFactsAreTheSameForOneNow(t *testing.T) {
	for _, now := range moments() {
		for _, hours := range []int{-11, 0, 14} {
			zone := time.FixedZone("", hours*3600)
			if diff := cmp.Diff(Facts(now), Facts(now.In(zone))); diff != "" {
				t.Errorf("%s at %+d hours:\n%s", now, hours, diff)
			}
		}
	}
}

func TestFactsFillTheDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := anyNow(t)
		days := newCalendar(now)
		facts := Facts(now)
		if len(facts) < 250 {
			t.Fatalf("%d facts, fewer than 250", len(facts))
		}
		ids := map[string]bool{}
		weekend := 0
		for i, f := range facts {
			if f.RecordedAt.Before(days.day(Days-1)) || f.RecordedAt.After(now) {
				t.Errorf("%q at %s is outside the example's days", f.Content, f.RecordedAt)
			}
			if i > 0 && f.RecordedAt.Before(facts[i-1].RecordedAt) {
				t.Errorf("%q at %s is out of order", f.Content, f.RecordedAt)
			}
			if ids[f.ID] {
				t.Errorf("two facts have the id %s", f.ID)
			}
			ids[f.ID] = true
			if w := f.RecordedAt.Weekday(); w == time.Saturday || w == time.Sunday {
				weekend++
			}
		}
		if first, last := facts[0].RecordedAt, facts[len(facts)-1].RecordedAt; !first.Before(days.day(Days-4)) || last.Before(days.today) {
			t.Errorf("the facts run from %s to %s, not over %d days to %s", first, last, Days, now)
		}
		if weekend == 0 || weekend > len(facts)/10 {
			t.Errorf("%d of %d facts at weekends", weekend, len(facts))
		}
	})
}

func TestFactsAreOfEverySort(t *testing.T) {
	kinds, sources := map[memory.Kind]int{}, map[string]int{}
	var chinese, long, invisible, evidence int
	facts := Facts(time.Date(2026, 12, 1, 14, 5, 0, 0, time.UTC))
	for _, f := range facts {
		kinds[f.Kind]++
		sources[f.Source]++
		if f.Content != memory.Collapse(f.Content) {
			t.Errorf("%q is not stored as it is written here", f.Content)
		}
		if han(f.Content) > 0 {
			chinese++
		}
		if han(f.Content) >= 200 {
			long++
		}
		invisible += strings.Count(f.Content, "\u200b")
		if len(f.Evidence) > 0 {
			evidence++
		}
	}
	for _, kind := range memory.Kinds() {
		if kinds[kind] < 20 {
			t.Errorf("%d facts of kind %s, fewer than 20", kinds[kind], kind)
		}
	}
	if len(sources) < 5 {
		t.Errorf("facts of %d sources, fewer than 5: %v", len(sources), sources)
	}
	if chinese < 20 || long != 2 || invisible != 1 || evidence != len(facts) {
		t.Errorf("%d facts with Chinese, %d of them long, %d invisible characters, %d of %d with evidence",
			chinese, long, invisible, evidence, len(facts))
	}
	if n := utf8.RuneCountInString(longReleaseRule); n > 2000 {
		t.Errorf("the long rule has %d characters", n)
	}
}

// han counts the Chinese characters of s.
func han(s string) (n int) {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			n++
		}
	}
	return n
}
