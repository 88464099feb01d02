package web

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	formAction  = regexp.MustCompile(`action="([^"]*/resolve)"`)
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)
	radioField  = regexp.MustCompile(`<input type="radio"[^>]*>`)
	radioValue  = regexp.MustCompile(`value="([^"]*)"`)
	wordsField  = regexp.MustCompile(`(?s)<textarea[^>]*id="rationale"[^>]*>(.*?)</textarea>`)
	keptField   = regexp.MustCompile(`(?s)<textarea[^>]*readonly[^>]*>(.*?)</textarea>`)
)

// A shownForm is the decision form as a browser takes it from a page.
type shownForm struct {
	action string
	values url.Values
}

// formOf reads the decision form of a page.
func formOf(t *testing.T, page string) shownForm {
	t.Helper()
	action := formAction.FindStringSubmatch(page)
	words := wordsField.FindStringSubmatch(page)
	if action == nil || words == nil {
		t.Fatalf("the page holds no decision form:\n%s", page)
	}
	f := shownForm{action: html.UnescapeString(action[1]), values: url.Values{}}
	for _, field := range hiddenField.FindAllStringSubmatch(page, -1) {
		f.values.Set(field[1], html.UnescapeString(field[2]))
	}
	for _, radio := range radioField.FindAllString(page, -1) {
		if strings.Contains(radio, " checked") {
			f.values.Add("candidate", html.UnescapeString(radioValue.FindStringSubmatch(radio)[1]))
		}
	}
	f.values.Set("rationale", shown(words[1]))
	return f
}

// keptWords reads the words that a page gives back for copying.
func keptWords(t *testing.T, page string) string {
	t.Helper()
	kept := keptField.FindStringSubmatch(page)
	if kept == nil {
		t.Fatalf("the page gives no words back:\n%s", page)
	}
	return shown(kept[1])
}

// shown is what a browser makes of the source of a textarea: it drops one line break at
// the beginning.
func shown(source string) string { return strings.TrimPrefix(html.UnescapeString(source), "\n") }

func (f shownForm) id() string { return f.values.Get("event_id") }
