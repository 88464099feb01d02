package templates

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An axis lays the evidence of a case's values out on one line of time.
type axis struct {
	rows  []axisRow
	ticks []axisTick
}

// An axisRow is one value, with a dot for each time at which it was said.
type axisRow struct {
	label     string // untrusted, where it is not ours
	incumbent bool
	dots      []axisDot
	dates     []string // of every fact that can be read, oldest first
	unread    int
}

// An axisDot stands for the facts that would be drawn on one another.
type axisDot struct {
	at    float64 // percent of the width
	facts int
	isNew bool
}

// An axisTick is a date under the line.
type axisTick struct {
	at     float64
	label  string
	anchor string // text-anchor
}

const (
	axisMargin = 3.0 // percent on both sides
	axisNear   = 1.5 // percent: closer dots are one
	labelWidth = 20  // columns; a character of Chinese takes two
)

// axis draws the evidence that can be read.
func (v CaseView) axis() axis {
	var times []time.Time
	for _, c := range v.Candidates {
		for _, e := range c.Evidence {
			if e.Found {
				times = append(times, e.Fact.RecordedAt)
			}
		}
	}
	if len(times) == 0 {
		return axis{}
	}
	first, last := slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
	place := func(t time.Time) float64 {
		if first.Equal(last) {
			return 50
		}
		return axisMargin + (100-2*axisMargin)*float64(t.Sub(first))/float64(last.Sub(first))
	}
	var a axis
	for _, c := range v.Candidates {
		a.rows = append(a.rows, v.axisRow(c, place))
	}
	a.ticks = ticks(times, place)
	return a
}

func (v CaseView) axisRow(c CandidateView, place func(time.Time) float64) axisRow {
	row := axisRow{label: v.axisLabel(c), incumbent: c.Incumbent}
	evidence := slices.Clone(c.Evidence)
	slices.SortStableFunc(evidence, func(a, b Evidence) int { return a.Fact.RecordedAt.Compare(b.Fact.RecordedAt) })
	for _, e := range evidence {
		if !e.Found {
			row.unread++
			continue
		}
		row.dates = append(row.dates, date(e.Fact.RecordedAt))
		at := place(e.Fact.RecordedAt)
		if n := len(row.dots); n > 0 && at-row.dots[n-1].at < axisNear {
			row.dots[n-1].facts++
			row.dots[n-1].isNew = row.dots[n-1].isNew || e.New
			continue
		}
		row.dots = append(row.dots, axisDot{at, 1, e.New})
	}
	return row
}

// axisLabel names a value by the words that tell it from what is in force.
func (v CaseView) axisLabel(c CandidateView) string {
	if c.Incumbent {
		return v.forceWords()
	}
	label := c.Content
	if marks := compareWords(v.incumbent(), c.Content); v.incumbent() != "" && related(marks) {
		var words []string
		for _, m := range marks {
			if m.side == onlyNow {
				words = append(words, strings.TrimSpace(m.text))
			}
		}
		label = cmp.Or(strings.Join(words, " … "), label)
	}
	return short(label)
}

// short cuts a label to its width.
func short(label string) string {
	width := 0
	for i, r := range label {
		if width++; r >= 0x1100 {
			width++
		}
		if width > labelWidth {
			return label[:i] + "…"
		}
	}
	return label
}

// ticks are the first day and the last: there is no room for more at 320 px, and every
// fact has its date in its card.
func ticks(times []time.Time, place func(time.Time) float64) []axisTick {
	first, last := slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
	if date(first) == date(last) {
		return []axisTick{{place(first), date(first), "middle"}}
	}
	return []axisTick{{place(first), date(first), "start"}, {place(last), date(last), "end"}}
}

// words say what the dots of a row show.
func (r axisRow) words() string {
	words := "no fact that can be read"
	if n := len(r.dates); n > 0 {
		words = count(n, "fact") + ": " + strings.Join(r.dates, ", ")
	}
	if r.unread > 0 {
		words += "; " + count(r.unread, "fact") + " cannot be read"
	}
	return words
}

// radius grows with the facts that a dot stands for.
func (d axisDot) radius() string { return strconv.Itoa(min(4+d.facts-1, 8)) }

func percent(at float64) string { return strconv.FormatFloat(at, 'f', 1, 64) + "%" }
