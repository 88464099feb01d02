package templates

import (
	"strings"
	"testing"
)

func TestLookalikes(t *testing.T) {
	for _, test := range []struct{ text, marked string }{
		{"Use Postgres.", ""},
		{"Use Рostgres.", "Р"},
		{"pаypаl", "аа"},
		{"Используем Postgres", ""},         // two words, each of one script
		{"cервер", "c"},                     // one Latin letter in a Cyrillic word
		{"Αlpha", "Α"},                      // Greek
		{"Жx", ""},                          // mixed, and no letter passes for another
		{"数据库 Рostgres", "Р"},               // beside another script
		{"aа", "а"},                         // even: the Latin one is honest
		{"μs", ""},                          // a unit
		{strings.Repeat("а", 9) + "b", "b"}, // b passes for в
		{"naïve café", ""},                  // Latin all through
		{"Use АСЕ for cache.", "АСЕ"},       // wholly Cyrillic, in a Latin text
		{"АСЕ", ""}, {"Берём а не Б", ""},   // in a text of its own
		{"Use Postgres, а не MySQL", ""},                // an honest word beside Latin ones
		{"Ｐostgres", "Ｐ"}, {"ＡＰＩ", ""}, {"数据库 ＡＰＩ", ""}, // wide
		{"\U0001d40fostgres", "\U0001d40f"}, {"\U0001d40f\U0001d40e", "\U0001d40f\U0001d40e"},
		{"ꓑostgres", "ꓑ"}, {"ᴘostgres", "ᴘ"}, {"pօstgres", "օ"}, {"ﬁle 1ª", ""},
		{"Рo\u0301stgres", "Р"}, {"Р-ostgres", ""}, // a mark joins, a dash parts
	} {
		var got strings.Builder
		marks := mixed(test.text)
		for i, r := range test.text {
			if marks[i] {
				got.WriteRune(r)
			}
		}
		if got.String() != test.marked {
			t.Errorf("%q: marked are %q, want %q", test.text, got.String(), test.marked)
		}
	}
	if got := visible("Use Рostgres.", ""); !strings.Contains(got, "U+0420") || !strings.Contains(got, "looks like P") || !strings.Contains(got, "Р") {
		t.Errorf("shown as %s", got)
	}
}

func TestVisibleHTML(t *testing.T) {
	got := VisibleHTML("<h1 title=\"a\u202eb\">A\u202eB</h1>\n<p>&amp; Рostgres\u200b</p>\n")
	want := "<h1 title=\"a\u202eb\">A" + `<span class="inv" title="U+202E">U+202E</span>B</h1>` + "\n" +
		`<p>&amp; <span class="inv" title="U+0420 looks like P">Р U+0420</span>ostgres<span class="inv" title="U+200B">U+200B</span></p>` + "\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
