package templates

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ name, text, keep, want string }{
		{"plain", "Use SQLite.", "", "Use SQLite."},
		{"escaped", `<b a="1">&'`, "", `&lt;b a=&#34;1&#34;&gt;&amp;&#39;`},
		{"bidi override", "a\u202eb", "", `a<span class="inv" title="U+202E">U+202E</span>b`},
		{"zero width at both ends", "\u200ba\u200d", "", `<span class="inv" title="U+200B">U+200B</span>a<span class="inv" title="U+200D">U+200D</span>`},
		{"tag", "x\U000e0041", "", `x<span class="inv" title="U+E0041">U+E0041</span>`},
		{"BOM, soft hyphen, filler, blank", "\ufeff\u00ad\u3164\u2800", "", inv("U+FEFF") + inv("U+00AD") + inv("U+3164") + inv("U+2800")},
		{"variation selector on a letter", "a\ufe0f\U000e0101", "", "a" + inv("U+FE0F") + inv("U+E0101")},
		{"emoji keep theirs", "❤\ufe0f 👩\u200d🚀", "", "❤\ufe0f 👩\u200d🚀"},
		{"controls", "a\x1b[2J\x00", "", "a" + inv("U+001B") + "[2J" + inv("U+0000")},
		{"line break in a line", "a\nb", "", "a" + inv("U+000A") + "b"},
		{"line break in lines", "a\n\tb", "\n\t", "a\n\tb"},
		{"line separators", "a\u2028b", "\n", "a" + inv("U+2028") + "b"},
		{"Chinese", "迁移测试全部通过。", "", "迁移测试全部通过。"},
		{"not UTF-8", "a\xffb", "", "a\ufffdb"},
	} {
		if got := visible(c.text, c.keep); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func inv(name string) string { return `<span class="inv" title="` + name + `">` + name + `</span>` }

func TestRunsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var b strings.Builder
		for _, r := range runs(text, "") {
			b.WriteString(r.text)
			if r.name == "" && strings.ContainsAny(r.text, "\u202e\u200b\u2066\n\x00") {
				t.Errorf("%q hides something", r.text)
			}
		}
		if b.String() != text {
			t.Errorf("%q became %q", text, b.String())
		}
	})
}

func TestCompareWords(t *testing.T) {
	for _, c := range []struct{ was, now, want string }{
		{"Use SQLite.", "Use Postgres.", "Use [-SQLite-][+Postgres+]."},
		{"Use flat files.", "Use flat files, one a customer.", "Use flat files[+, one a customer+]."},
		{"same", "same", "same"},
		{"", "new", "[+new+]"},
		{"old", "", "[-old-]"},
		{"每两周发布一次。", "每周发布一次。", "每[-两-]周发布一次。"},
		{"a b c", "c b a", "[-a-][+c+] b [-c-][+a+]"},
	} {
		if got := marksWords(compareWords(c.was, c.now)); got != c.want {
			t.Errorf("%q to %q: got %s, want %s", c.was, c.now, got, c.want)
		}
	}
}

func marksWords(marks []mark) string {
	var b strings.Builder
	for _, m := range marks {
		b.WriteString(map[side]string{both: "", onlyWas: "[-", onlyNow: "[+"}[m.side])
		b.WriteString(m.text)
		b.WriteString(map[side]string{both: "", onlyWas: "-]", onlyNow: "+]"}[m.side])
	}
	return b.String()
}

func TestCompareWordsLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.StringOfN(rapid.RuneFrom([]rune("ab 每周.,")), 0, 60, -1)
		was, now := some.Draw(t, "was"), some.Draw(t, "now")
		var before, after strings.Builder
		for _, m := range compareWords(was, now) {
			if m.side != onlyNow {
				before.WriteString(m.text)
			}
			if m.side != onlyWas {
				after.WriteString(m.text)
			}
		}
		if before.String() != was || after.String() != now {
			t.Errorf("%q to %q: marks give %q to %q", was, now, before.String(), after.String())
		}
	})
}

func TestUnrelatedIsNotMarked(t *testing.T) {
	if got := render(t, Added("Fly.", "自建机房。")); got != "<bdi>自建机房。</bdi>" {
		t.Errorf("got %s", got)
	}
	if got := render(t, Changed("Use SQLite.", "Use MySQL.")); got != "<bdi>Use <del>SQLite</del><ins>MySQL</ins>.</bdi>" {
		t.Errorf("got %s", got)
	}
}
