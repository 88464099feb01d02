package templates

import (
	"context"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/aymanbagabas/go-udiff/lcs"
)

// A mark is a piece of a comparison: in both texts, or in one of them.
type mark struct {
	text string
	side side
}

type side int

const (
	both side = iota
	onlyWas
	onlyNow
)

// compareWords compares two contents word by word, and character by character where a
// script writes no spaces.
func compareWords(was, now string) []mark {
	a, b := words(was), words(now)
	var marks []mark
	add := func(s side, texts []string) {
		text := strings.Join(texts, "")
		if last := len(marks) - 1; last >= 0 && marks[last].side == s {
			marks[last].text += text
		} else if text != "" {
			marks = append(marks, mark{text, s})
		}
	}
	at := 0
	for _, d := range lcs.DiffLines(a, b) {
		add(both, a[at:d.Start])
		add(onlyWas, a[d.Start:d.End])
		add(onlyNow, b[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	add(both, a[at:])
	return marks
}

// words cuts s into words, single characters of scripts without spaces, and single
// other characters. The point of 1.26 is no end of a word. Joined, they are s.
func words(s string) []string {
	var cut []string
	start := -1
	for i, r := range s {
		if inWord(r) || start >= 0 && r == '.' && digitsAround(s, i) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			cut = append(cut, s[start:i])
			start = -1
		}
		cut = append(cut, string(r))
	}
	if start >= 0 {
		cut = append(cut, s[start:])
	}
	return cut
}

func inWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.M) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func digitsAround(s string, at int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	return digit(at-1) && digit(at+1)
}

// related reports whether the two sides share enough that marking tells more than that
// everything is different: a word, and of a longer text a quarter. A character kept here
// and there is noise.
func related(marks []mark) bool {
	const short = 40 // letters
	shared, whole := 0, 0
	for _, m := range marks {
		letters := 0
		for _, r := range m.text {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		whole += letters
		if m.side == both {
			shared += letters
		}
	}
	return shared > 0 && (whole <= short || shared*4 >= whole)
}

// joined makes one mark of words that were added one behind the other, with the blanks
// between them.
func joined(marks []mark) []mark {
	var out []mark
	for i := 0; i < len(marks); i++ {
		m, last := marks[i], len(out)-1
		blank := m.side == both && strings.TrimSpace(m.text) == ""
		if blank && last >= 0 && out[last].side == onlyNow && i+1 < len(marks) && marks[i+1].side == onlyNow {
			out[last].text += m.text + marks[i+1].text
			i++
			continue
		}
		out = append(out, m)
	}
	return out
}

// Added shows now with the words marked that was does not have. Nothing is marked
// where there is no was, or where the two have no word in common.
func Added(was, now string) templ.Component {
	marks := compareWords(was, now)
	if was == "" || !related(marks) {
		return Text(now)
	}
	return marked(joined(slices.DeleteFunc(marks, func(m mark) bool { return m.side == onlyWas })))
}

// longText is how many characters a value has at most that is shown whole at once, and
// shownText how many of a longer one are.
const (
	longText  = 200
	shownText = 150
)

func long(content string) bool { return utf8.RuneCountInString(content) > longText }

// AddedBrief is Added for a long text: a piece of it, which holds the first word that was
// does not have.
func AddedBrief(was, now string) templ.Component {
	marks := compareWords(was, now)
	if was == "" || !related(marks) {
		marks = []mark{{now, both}}
	}
	marks = slices.DeleteFunc(marks, func(m mark) bool { return m.side == onlyWas })
	return marked(excerpt(joined(marks)))
}

// excerpt cuts a piece out of marks, from shortly before the first difference on.
func excerpt(marks []mark) []mark {
	first := 0
	for _, m := range marks {
		if m.side != both {
			break
		}
		first += utf8.RuneCountInString(m.text)
	}
	from := 0
	if first > shownText/2 && len(marks) > 1 {
		from = first - shownText/3
	}
	var piece []mark
	at := 0
	for _, m := range marks {
		var text []rune
		for _, r := range m.text {
			if from <= at && at < from+shownText {
				text = append(text, r)
			}
			at++
		}
		if len(text) > 0 {
			piece = append(piece, mark{string(text), m.side})
		}
	}
	if from > 0 {
		piece = append([]mark{{"… ", both}}, piece...)
	}
	if at > from+shownText {
		piece = append(piece, mark{" …", both})
	}
	return piece
}

// Changed shows now with the words marked that was does not have, and those of was
// that are gone.
func Changed(was, now string) templ.Component {
	marks := compareWords(was, now)
	if was == "" || !related(marks) {
		return Text(now)
	}
	return marked(marks)
}

func marked(marks []mark) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString("<bdi>")
		for _, m := range marks {
			switch text := visible(m.text, ""); m.side {
			case onlyWas:
				b.WriteString("<del>" + text + "</del>")
			case onlyNow:
				b.WriteString("<ins>" + text + "</ins>")
			default:
				b.WriteString(text)
			}
		}
		b.WriteString("</bdi>")
		_, err := io.WriteString(w, b.String())
		return err
	})
}
