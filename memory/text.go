package memory

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Lengths are counted in code points.
const (
	maxContent = 2000
	maxKey     = 120
	maxWords   = 1000 // actor and rationale
	maxID      = 200
)

var (
	keyPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$`)
	idPattern  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$`)
	timeShape  = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$`)
)

// casefoldTable is full case folding as of Unicode 14.0.0. It is frozen here
// because ids hang on it: they must not move with a toolchain's Unicode version.
//
//go:embed casefold.txt
var casefoldTable string

// foldings maps a code point to what it folds to; all others fold to themselves.
var foldings = sync.OnceValue(func() map[rune]string {
	table := make(map[rune]string, 1600)
	for line := range strings.Lines(casefoldTable) {
		fields := strings.Fields(line)
		if len(fields) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		var to strings.Builder
		for _, field := range fields[1:] {
			to.WriteRune(mustRune(field))
		}
		table[mustRune(fields[0])] = to.String()
	}
	return table
})

func mustRune(hex string) rune {
	n, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		panic("memory: casefold.txt: " + err.Error())
	}
	return rune(n)
}

// isSpace reports whether r is white space: Unicode's White_Space and the four
// separators U+001C..U+001F, which the reference's language counts and Go does not.
func isSpace(r rune) bool {
	return unicode.Is(unicode.White_Space, r) || '\x1c' <= r && r <= '\x1f'
}

// Collapse turns every run of white space into one space and trims the ends.
func Collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, isSpace), " ")
}

// trim cuts white space off both ends.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// fold applies full case folding by the frozen table.
func fold(s string) string {
	table := foldings()
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if 'a' <= r && r <= 'z' || r == ' ' {
			b.WriteRune(r)
		} else if to, ok := table[r]; ok {
			b.WriteString(to)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NormalForm is what two contents share that say the same: collapsed, trimmed and
// case-folded. It groups facts and derives ids, and is never stored.
func NormalForm(content string) string { return fold(Collapse(content)) }

// compareText orders strings by code point, which for UTF-8 is the order of bytes.
func compareText(a, b string) int { return strings.Compare(a, b) }

// checkText refuses what no field may hold.
func checkText(field, s string) error {
	if !utf8.ValidString(s) {
		return &InvalidError{field, "is not valid UTF-8"}
	}
	if strings.ContainsRune(s, 0) {
		return &InvalidError{field, "must not contain U+0000"}
	}
	return nil
}

// cleanText collapses a content, an actor or a rationale and measures it.
func cleanText(field, s string, limit int) (string, error) {
	if err := checkText(field, s); err != nil {
		return "", err
	}
	return measure(field, Collapse(s), limit)
}

func measure(field, s string, limit int) (string, error) {
	if s == "" {
		return "", &InvalidError{field, "must not be empty"}
	}
	if n := utf8.RuneCountInString(s); n > limit {
		return "", &InvalidError{field, fmt.Sprintf("has %d characters, more than the %d allowed", n, limit)}
	}
	return s, nil
}

// CleanKey trims and folds a memory key and refuses one of another form.
func CleanKey(s string) (string, error) {
	const field = "memory_key"
	if err := checkText(field, s); err != nil {
		return "", err
	}
	key, err := measure(field, fold(trim(s)), maxKey)
	if err != nil {
		return "", err
	}
	if !keyPattern.MatchString(key) {
		return "", &InvalidError{field, "must be lower-case words separated by single '.', '_' or '-', as in runtime.python-version"}
	}
	return key, nil
}

// cleanID trims an event, conflict, candidate or transaction id and refuses one of
// another form.
func cleanID(field, s string) (string, error) {
	if err := checkText(field, s); err != nil {
		return "", err
	}
	id, err := measure(field, trim(s), maxID)
	if err != nil {
		return "", err
	}
	if !idPattern.MatchString(id) {
		return "", &InvalidError{field, "must start with a letter or digit and use only letters, digits, '.', '_', ':', '/' and '-'"}
	}
	return id, nil
}

// cleanFactID trims a fact id; any other text may be one.
func cleanFactID(s string) (string, error) {
	if err := checkText("fact_id", s); err != nil {
		return "", err
	}
	return measure("fact_id", trim(s), maxID)
}

// FormatTime writes t as the store does: RFC 3339 in UTC with Z, without a fraction
// if it is zero, with six digits otherwise.
func FormatTime(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond()/1000 == 0 {
		return t.Format("2006-01-02T15:04:05Z")
	}
	return t.Format("2006-01-02T15:04:05.000000Z")
}

// ParseTime reads a time as the format accepts it. A time without zone is UTC;
// anything finer than a microsecond is cut.
func ParseTime(s string) (time.Time, error) {
	parts := timeShape.FindStringSubmatch(s)
	if parts == nil {
		return time.Time{}, &InvalidError{"time", fmt.Sprintf("%q is not of the form 2026-08-07T12:00:00Z", clip(s))}
	}
	zone := parts[3]
	if zone == "" {
		zone = "Z"
	}
	fraction := (parts[2] + "000000")[:6]
	t, err := time.Parse("2006-01-02T15:04:05.000000Z07:00", parts[1]+"."+fraction+zone)
	if err != nil {
		return time.Time{}, &InvalidError{"time", fmt.Sprintf("%q is no time of the calendar", clip(s))}
	}
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return time.Time{}, &InvalidError{"time", fmt.Sprintf("%q is outside the years 1 to 9999", clip(s))}
	}
	return t, nil
}

// cleanTime brings t to what the store can hold.
func cleanTime(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// clip shortens untrusted text for a message; %q around it makes it inert.
func clip(s string) string {
	const limit = 60
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "…"
}
