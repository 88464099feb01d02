package templates

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// A run is a piece of a text: letters as they are, or one character that a reader
// would not see, or would take for another.
type run struct {
	text string
	name string // "U+202E" where text is that one character, "" for letters
	like rune   // the letter that text passes for, 0 for none
}

// runs cuts s, mended where it is not UTF-8, so that every character without a shape
// of its own, and every letter that passes for another, stands alone. The characters of keep count as letters: line breaks, where
// a text is shown line by line.
func runs(s, keep string) []run {
	var (
		pieces []run
		start  int
		before rune
	)
	s = strings.ToValidUTF8(s, string(unicode.ReplacementChar))
	poses := mixed(s)
	for i, r := range s {
		size := utf8.RuneLen(r)
		if poses[i] || hidden(r) && !strings.ContainsRune(keep, r) && !joins(before, r, s[i+size:]) {
			if start < i {
				pieces = append(pieces, run{text: s[start:i]})
			}
			piece := run{text: s[i : i+size], name: fmt.Sprintf("U+%04X", r)}
			if poses[i] {
				piece.like = cmp.Or(disguised(r), double(r))
			}
			pieces = append(pieces, piece)
			start = i + size
		}
		before = r
	}
	if start < len(s) {
		pieces = append(pieces, run{text: s[start:]})
	}
	return pieces
}

// hidden reports whether r has no shape of its own: controls, zero-width and bidi
// characters, tags, variation selectors, fillers and the blank Braille pattern.
func hidden(r rune) bool {
	const blankBraille = '\u2800'
	return r == blankBraille || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// joins reports whether r, between before and after, does the honest work of an emoji:
// a presentation selector after a symbol, or a joiner between two.
func joins(before, r rune, after string) bool {
	const joiner, asText, asEmoji = '\u200d', '\ufe0e', '\ufe0f'
	symbol := func(r rune) bool { return unicode.In(r, unicode.So, unicode.Sk) && !hidden(r) }
	switch r {
	case asText, asEmoji:
		return symbol(before)
	case joiner:
		for _, next := range after {
			return (symbol(before) || before == asEmoji) && symbol(next)
		}
	}
	return false
}

// Text shows untrusted text: isolated, escaped, with what is invisible in it, or passes
// for another letter, shown by name.
func Text(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "<bdi>"+visible(s, "")+"</bdi>")
		return err
	})
}

// Quote shows untrusted text in quotation marks.
func Quote(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "“<bdi>"+visible(s, "")+"</bdi>”")
		return err
	})
}

// Lines shows untrusted text that has lines, for a preformatted element.
func Lines(s string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, visible(s, "\n\t"))
		return err
	})
}

// visible is the HTML of s: nothing in it but text and marks of our own.
func visible(s, keep string) string {
	var b strings.Builder
	for _, r := range runs(s, keep) {
		if r.name == "" {
			b.WriteString(templ.EscapeString(r.text))
		} else {
			b.WriteString(r.named())
		}
	}
	return b.String()
}

// named is the HTML of a piece that has a name.
func (r run) named() string {
	if r.like != 0 {
		return fmt.Sprintf(`<span class="inv" title="%s looks like %c">%s %s</span>`, r.name, r.like, r.text, r.name)
	}
	return fmt.Sprintf(`<span class="inv" title="%s">%s</span>`, r.name, r.name)
}

// VisibleHTML shows what is invisible in the texts of ready HTML, and leaves its tags as
// they are.
func VisibleHTML(html string) string {
	var b strings.Builder
	for html != "" {
		text, rest, _ := strings.Cut(html, "<")
		for _, r := range runs(text, "\n\t") {
			if r.name == "" {
				b.WriteString(r.text)
			} else {
				b.WriteString(r.named())
			}
		}
		if len(text) == len(html) {
			break
		}
		tag, after, _ := strings.Cut(rest, ">")
		b.WriteString("<" + tag + ">")
		html = after
	}
	return b.String()
}

// dot sets two parts of a line apart.
func dot() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, ` <span class="dot">·</span> `)
		return err
	})
}
