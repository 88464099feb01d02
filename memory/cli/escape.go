package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Escape returns s as it may be shown on one line of a terminal: control characters,
// line and paragraph separators, and whatever is invisible or turns the direction of
// writing are replaced by an escape that names them, as \x1b or \u202e; a byte that
// is no UTF-8 by \xff.
func Escape(s string) string {
	clean := true
	for i, r := range s {
		if hidden(r) || r == utf8.RuneError && badByte(s[i:]) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && badByte(s[i:]):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			b.WriteString(escapeRune(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeLines is Escape for a text of many lines, whose line ends stay.
func escapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Escape(line)
	}
	return strings.Join(lines, "\n")
}

// badByte reports whether s starts with a byte that is no UTF-8, rather than with a
// U+FFFD that somebody wrote.
func badByte(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	return size == 1
}

func escapeRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// hidden reports whether a reader would not see r for what it is. Everything without
// a picture of its own counts, a space other than U+0020 too; so do the letters and
// marks that Unicode draws as nothing, which can carry a text inside a text.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case !unicode.IsPrint(r):
		return true
	case r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0': // Hangul fillers
		return true
	case r == '\u034f', r == '\u17b4', r == '\u17b5': // joiner and vowels without a glyph
		return true
	case '\u180b' <= r && r <= '\u180f', 0xe0100 <= r && r <= 0xe01ef: // variation selectors
		return true
	}
	return false
}

// columns counts the cells that s takes on a terminal. East Asian wide characters
// take two, combining marks none.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// shorten cuts s to at most limit cells, the last of which is then an ellipsis. Zero
// does not limit.
func shorten(s string, limit int) string {
	if limit <= 0 || columns(s) <= limit {
		return s
	}
	used := 0
	for i, r := range s {
		if used+runeColumns(r) > limit-1 {
			return s[:i] + "…"
		}
		used += runeColumns(r)
	}
	return s
}
