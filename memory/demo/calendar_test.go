package demo

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyNow draws a moment of 60 years, to the second.
func anyNow(t *rapid.T) time.Time {
	return time.Unix(rapid.Int64Range(0, 60*365*24*60*60).Draw(t, "now"), 0)
}

func TestWorkdayIsNeverAtAWeekend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := newCalendar(anyNow(t))
		age, spread := rapid.IntRange(1, Days-1).Draw(t, "age"), rapid.IntRange(0, 2).Draw(t, "spread")
		got := days.workday(age, spread)
		if w := got.Weekday(); w == time.Saturday || w == time.Sunday {
			t.Fatalf("age %d of %s is a %s", age, days.now, w)
		}
		if got.Before(days.day(Days-1)) || got.After(days.today) {
			t.Fatalf("age %d of %s is %s, outside the example's days", age, days.now, got)
		}
	})
}

// The tables count on this: see the package comment.
func TestRunsCountWhatTheTablesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := newCalendar(anyNow(t))
		d := rapid.SampledFrom(runs()).Draw(t, "run")
		cutoff := days.at(days.day(d), "05:30", 0).AddDate(0, 0, -30)
		if aged := d + 32; aged < Days && !days.at(days.workday(aged, 0), "18:00", 59).Before(cutoff) {
			t.Errorf("the run at %d of %s does not count age %d", d, days.now, aged)
		}
		if days.at(days.workday(d+29, 0), "07:00", 0).Before(cutoff) {
			t.Errorf("the run at %d of %s counts age %d", d, days.now, d+29)
		}
	})
}

// The first day alone may move on to where the one two days later is: nothing is
// before it.
func TestWorkdaysKeepTheOrderOfAgesTwoApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := newCalendar(anyNow(t))
		age := rapid.IntRange(0, Days-4).Draw(t, "age")
		if newer, older := days.workday(age, 0), days.workday(age+2, 0); !older.Before(newer) {
			t.Fatalf("of %s: age %d is %s, age %d is %s", days.now, age, newer, age+2, older)
		}
	})
}

func TestNothingOfTodayIsStillToCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := newCalendar(anyNow(t))
		clock := time.Duration(rapid.IntRange(0, 24*60-1).Draw(t, "minute")) * time.Minute
		got := days.at(days.today, days.today.Add(clock).Format("15:04"), rapid.IntRange(0, 59).Draw(t, "second"))
		if got.Before(days.today) || got.After(days.now) {
			t.Fatalf("at %s: %s", days.now, got)
		}
	})
}
