package demo

import "time"

// A calendar turns ages into dates: which weekday an age falls on depends on now.
type calendar struct {
	now   time.Time // UTC
	today time.Time // its midnight
}

func newCalendar(now time.Time) calendar {
	now = now.UTC().Truncate(time.Second)
	return calendar{now: now, today: now.Truncate(24 * time.Hour)}
}

// day returns the midnight of the day that many days ago.
func (c calendar) day(age int) time.Time { return c.today.AddDate(0, 0, -age) }

// workday is day, moved off a weekend: from Saturday back to Friday, from Sunday on
// to Monday, and spread days further. It stays within the example's days, and what
// happens today happens today.
func (c calendar) workday(age, spread int) time.Time {
	day := c.day(age)
	if age == 0 {
		return day
	}
	var friday time.Time
	switch day.Weekday() {
	case time.Saturday:
		friday = day.AddDate(0, 0, -1)
	case time.Sunday:
		friday = day.AddDate(0, 0, -2)
	default:
		return day
	}
	back, on := friday.AddDate(0, 0, -spread), friday.AddDate(0, 0, 3+spread)
	tooEarly, tooLate := back.Before(c.day(Days-1)), on.After(c.today)
	if tooLate || day.Weekday() == time.Saturday && !tooEarly {
		return back
	}
	return on
}

// at adds a time of the day, "15:04", and some seconds to day. A time of today that
// is still to come is brought forward in proportion, so that nothing is later than now.
func (c calendar) at(day time.Time, clock string, seconds int) time.Time {
	hm, err := time.Parse("15:04", clock)
	if err != nil {
		panic("demo: " + err.Error())
	}
	past := time.Duration(hm.Hour())*time.Hour + time.Duration(hm.Minute())*time.Minute + time.Duration(seconds)*time.Second
	if t := day.Add(past); !t.After(c.now) {
		return t
	}
	gone := c.now.Sub(day)
	return day.Add(time.Duration(float64(gone) * past.Hours() / 24).Truncate(time.Second))
}
