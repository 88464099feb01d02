package templates

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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

// axisLabel names a value in a few words: those that tell it from what its card is
// compared with, without the ones with which another challenger begins too.
func (v CaseView) axisLabel(c CandidateView) string {
	if c.Incumbent {
		return v.forceWords()
	}
	own := v.ownWords(c)
	shared := ""
	for _, other := range v.Candidates {
		if other.ID != c.ID && !other.Incumbent {
			if s := sameStart(own, v.ownWords(other)); len(s) > len(shared) && len(s) < len(own) {
				shared = s
			}
		}
	}
	if columns(shared) > labelWidth/4 {
		own = "…" + strings.TrimPrefix(own, shared)
	}
	return short(own, labelWidth)
}

// ownWords are the words of a value that its card marks, or all.
func (v CaseView) ownWords(c CandidateView) string {
	against := v.against(c)
	marks := compareWords(against, c.Content)
	if against == "" || !related(marks) {
		return c.Content
	}
	var own []string
	for _, m := range joined(slices.DeleteFunc(marks, func(m mark) bool { return m.side == onlyWas })) {
		if m.side == onlyNow {
			own = append(own, strings.TrimSpace(m.text))
		}
	}
	return cmp.Or(strings.Join(own, " … "), c.Content)
}

// sameStart is the run of whole words with which both begin.
func sameStart(a, b string) string {
	start := ""
	for i, word := range words(a) {
		if other := words(b); i >= len(other) || other[i] != word {
			break
		}
		start += word
	}
	return start
}

// columns is how wide text is: a character of Chinese takes two.
func columns(text string) int {
	n := 0
	for _, r := range text {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// short cuts text to so many columns.
func short(text string, width int) string {
	for i := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); columns(text[:i+size]) > width {
			return text[:i] + "…"
		}
	}
	return text
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
