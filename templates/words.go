package templates

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/memory"
)

// number writes n with a comma between thousands.
func number(n int) string {
	digits := strconv.Itoa(n)
	var sign string
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// count writes "1 fact", "2 facts", "2 days" or "2 memories", and "facts" for Unknown.
func count(n int, one string) string {
	many := one + "s"
	if stem, ok := strings.CutSuffix(one, "y"); ok && !strings.HasSuffix(stem, "a") {
		many = stem + "ies"
	}
	switch n {
	case 1:
		return "1 " + one
	case Unknown:
		return many
	}
	return number(n) + " " + many
}

// duration says how long in the one unit that fits. Less than a minute, and times
// that lie ahead, are "moments".
func duration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "moments"
	case d < time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < day:
		return count(int(d/time.Hour), "hour")
	case d < 365*day:
		return count(int(d/day), "day")
	}
	return count(int(d/(365*day)), "year")
}

// ago says how long before now t was.
func ago(t, now time.Time) string {
	if now.Sub(t) < time.Minute {
		return "just now"
	}
	return duration(now.Sub(t)) + " ago"
}

func date(t time.Time) string   { return t.UTC().Format(time.DateOnly) }
func clock(t time.Time) string  { return t.UTC().Format("15:04") }
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }

// weekday writes a day as a heading.
func weekday(t, now time.Time) string {
	day := t.UTC().Format("Monday 2 January 2006")
	switch date(t) {
	case date(now):
		return "Today, " + day
	case date(now.AddDate(0, 0, -1)):
		return "Yesterday, " + day
	}
	return day
}

func kindHeading(k memory.Kind) string {
	switch k {
	case memory.Decision:
		return "Decisions"
	case memory.Convention:
		return "Conventions"
	case memory.Pitfall:
		return "Pitfalls"
	}
	return "Outcomes"
}

// references writes a fact's evidence map for a row: a file with its line first, then
// the others by name.
func references(evidence map[string]string) []string {
	var refs []string
	rest := maps.Clone(evidence)
	for _, name := range []string{"file", "path"} {
		if file := rest[name]; file != "" {
			delete(rest, name)
			if line := rest["line"]; line != "" && len(refs) == 0 {
				delete(rest, "line")
				file += ":" + line
			}
			refs = append(refs, file)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		refs = append(refs, name+"="+rest[name])
	}
	return refs
}

// place is where a fact was read: "daily/2026-08-07.jsonl:3".
func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}
