package templates

import "unicode"

// lookalikes pairs letters of Cyrillic and Greek with the Latin ones that they pass for.
const lookalikes = "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX аa вb еe ѕs іi јj кk оo рp сc уy хx һh ԁd ԛq ԝw ӏl " +
	"ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa γy ιi κk νv οo ρp τt υu χx"

// mixed returns the places in s, in bytes, of the letters that pass for another: in words
// that mix scripts, those of the script with fewer letters that have a double in the
// other. Where they are even, the Latin letters are taken for the honest ones.
func mixed(s string) map[int]bool {
	var marks map[int]bool
	start := -1
	word := func(end int) {
		if start < 0 {
			return
		}
		for _, at := range doubles(s[start:end]) {
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

// doubles returns the places in a word of the letters that pass for another.
func doubles(word string) []int {
	latin, other := 0, 0
	for _, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.In(r, unicode.Cyrillic, unicode.Greek):
			other++
		}
	}
	if latin == 0 || other == 0 {
		return nil
	}
	var places []int
	for i, r := range word {
		if unicode.Is(unicode.Latin, r) == (other > latin) && double(r) != 0 {
			places = append(places, i)
		}
	}
	return places
}

// double returns the letter that r passes for, 0 for none.
func double(r rune) rune {
	pair := []rune(lookalikes)
	for i := 0; i+1 < len(pair); i += 3 {
		switch r {
		case pair[i]:
			return pair[i+1]
		case pair[i+1]:
			return pair[i]
		}
	}
	return 0
}
