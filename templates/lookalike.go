package templates

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// lookalikes pairs letters of Cyrillic, Greek, Armenian and Lisu, and Latin's own small
// capitals, with the Latin ones that they pass for.
const lookalikes = "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX аa вb еe ѕs іi јj кk оo рp сc уy хx һh ԁd ԛq ԝw ӏl " +
	"ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy ιi κk νv οo ρp τt υu χx " +
	"օo ոn սu հh ցg ԼL ՕO ՍU " +
	"ꓐB ꓑP ꓓD ꓔT ꓖG ꓗK ꓙJ ꓚC ꓜZ ꓝF ꓟM ꓠN ꓡL ꓢS ꓣR ꓦV ꓧH ꓪW ꓫX ꓬY ꓮA ꓰE ꓲI ꓳO ꓴU " +
	"ᴀa ʙb ᴄc ᴅd ᴇe ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"

// mixed returns the places in s, in bytes, of the letters that pass for another: in words
// that mix scripts, those of the script with fewer letters that have a double in the
// other (where they are even, the Latin letters are taken for the honest ones); in a text
// with Latin letters, a word of another script that could be read as Latin throughout;
// and forms of Latin letters for other ends, such as mathematical ones.
func mixed(s string) map[int]bool {
	var marks map[int]bool
	besideLatin := strings.ContainsFunc(s, plainLatin)
	start := -1
	word := func(end int) {
		if start < 0 {
			return
		}
		for _, at := range doubles(s[start:end], besideLatin) {
			if marks == nil {
				marks = map[int]bool{}
			}
			marks[start+at] = true
		}
		start = -1
	}
	for i, r := range s {
		if unicode.In(r, unicode.L, unicode.M) {
			if start < 0 {
				start = i
			}
		} else {
			word(i)
		}
	}
	word(len(s))
	return marks
}

// plainLatin reports whether r is a Latin letter that passes for no other.
func plainLatin(r rune) bool { return unicode.Is(unicode.Latin, r) && disguised(r) == 0 }

// disguised returns the Latin letter of which r is another form: wide, mathematical or
// the like, or a small capital; 0 for none.
func disguised(r rune) rune {
	if r < 0x80 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
		return 0
	}
	if form := norm.NFKC.String(string(r)); len(form) == 1 && unicode.IsLetter(rune(form[0])) {
		return rune(form[0])
	}
	if unicode.Is(unicode.Latin, r) {
		return double(r)
	}
	return 0
}

// doubles returns the places in a word of the letters that pass for another. A word that
// is written in wide letters throughout deceives nobody.
func doubles(word string, besideLatin bool) []int {
	const mathematical, pastMathematical = 0x1d400, 0x1d800
	latin, other, paired := 0, 0, 0
	var places []int
	for _, r := range word {
		switch {
		case plainLatin(r):
			latin++
		case disguised(r) == 0 && unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Lisu):
			other++
			if double(r) != 0 {
				paired++
			}
		}
	}
	for i, r := range word {
		if disguised(r) != 0 && (latin > 0 || mathematical <= r && r < pastMathematical) {
			places = append(places, i)
		}
	}
	if latin == 0 && besideLatin && other > 1 && paired == other {
		for i, r := range word {
			if double(r) != 0 {
				places = append(places, i)
			}
		}
	}
	if latin == 0 || other == 0 {
		return places
	}
	for i, r := range word {
		if disguised(r) == 0 && plainLatin(r) == (other > latin) && double(r) != 0 {
			places = append(places, i)
		}
	}
	return places
}

// twins is lookalikes both ways; of several pairs of a letter the first counts.
var twins = func() map[rune]rune {
	twins := map[rune]rune{}
	for pair := range strings.FieldsSeq(lookalikes) {
		one, size := utf8.DecodeRuneInString(pair)
		other, _ := utf8.DecodeRuneInString(pair[size:])
		twins[one] = cmp.Or(twins[one], other)
		twins[other] = cmp.Or(twins[other], one)
	}
	return twins
}()

// double returns the letter that r passes for, 0 for none.
func double(r rune) rune { return twins[r] }
