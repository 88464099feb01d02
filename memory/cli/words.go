package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"docket/memory"
)

// minute shows a time to the minute, in UTC.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04Z") }

// day shows the UTC day of a time.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// span shows the days between which something was seen.
func span(first, last time.Time) string {
	if day(first) == day(last) {
		return day(first)
	}
	return day(first) + " to " + day(last)
}

// age says how long ago t was, in the largest unit that fits.
func age(now, t time.Time) string {
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(int(d/time.Minute), "minute") + " ago"
	case d < 24*time.Hour:
		return count(int(d/time.Hour), "hour") + " ago"
	}
	return count(int(d/(24*time.Hour)), "day") + " ago"
}

// count joins a number and a noun, in the plural where it needs one.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		noun = stem + "rie"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// quote puts a content in quotation marks.
func quote(content string) string { return "“" + content + "”" }

// orDash shows that there is nothing where there is nothing.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// place says where a fact was read.
func place(f memory.Fact) string {
	if f.File == "" {
		return "-"
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}
