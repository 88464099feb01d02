package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Use Postgres.", "Use Postgres."},
		{"chinese", "发布前必须运行迁移。", "发布前必须运行迁移。"},
		{"emoji", "ship it 🚀", "ship it 🚀"},
		{"accent as a mark", "cafe\u0301", "cafe\u0301"},
		{"markup stays text", `<script>alert(1)</script>`, `<script>alert(1)</script>`},
		{"link stays text", `[x](javascript:alert(1))`, `[x](javascript:alert(1))`},
		{"formula stays text", `=HYPERLINK("//evil.example")`, `=HYPERLINK("//evil.example")`},
		{"clear the screen", "\x1b[2J", `\x1b[2J`},
		{"set the title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
		{"one-byte CSI", "\u009b2J", `\x9b2J`},
		{"line ends", "a\r\nb\tc", `a\r\nb\tc`},
		{"event line", "x\nevent: y\ndata: z", `x\nevent: y\ndata: z`},
		{"nul, backspace, delete", "a\x00b\bc\x7f", `a\x00b\x08c\x7f`},
		{"right to left override", "user\u202etxt.exe", `user\u202etxt.exe`},
		{"isolates", "\u2066a\u2069", `\u2066a\u2069`},
		{"zero width space", "pass\u200bword", `pass\u200bword`},
		{"byte order mark", "\ufeffx", `\ufeffx`},
		{"tags", "a\U000e0041b", `a\U000e0041b`},
		{"variation selector as carrier", "a\U000e0100", `a\U000e0100`},
		{"Hangul filler", "a\u3164b", `a\u3164b`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"no-break space", "a\u00a0b", `a\xa0b`},
		{"not UTF-8", "a\xffb", `a\xffb`},
		{"half a character", "\xe2\x80", `\xe2\x80`},
		{"a replacement character that was written", "a\ufffdb", "a\ufffdb"},
		{"empty", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Escape(test.in); got != test.want {
				t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestEscapeIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		out := Escape(in)
		if !utf8.ValidString(out) {
			t.Fatalf("Escape(%q) = %q is not UTF-8", in, out)
		}
		for _, r := range out {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("Escape(%q) = %q holds %U", in, out, r)
			}
		}
		if again := Escape(out); again != out {
			t.Fatalf("escaping %q again gives %q", out, again)
		}
	})
}

func TestEscapeLinesKeepsLineEnds(t *testing.T) {
	got := escapeLines("# Memory\n\n- a\x1b[2J\u2028b\n")
	if want := "# Memory\n\n- a" + `\x1b[2J\u2028b` + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestJSONIsInertAndTheSameValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "text") + "\x1b\u009b\u202e\U000e0041<&>\u2028"
		b, err := encode(map[string]string{"text": in})
		if err != nil {
			t.Fatal(err)
		}
		if escaped := Escape(string(b)); escaped != string(b) {
			t.Fatalf("%s is not inert", b)
		}
		var out map[string]string
		if err := json.Unmarshal(b, &out); err != nil {
			t.Fatal(err)
		}
		if out["text"] != in {
			t.Fatalf("%q came back as %q", in, out["text"])
		}
	})
}

func TestColumnsAndShorten(t *testing.T) {
	tests := []struct {
		in    string
		cells int
		limit int
		want  string
	}{
		{"abc", 3, 3, "abc"},
		{"abcd", 4, 3, "ab…"},
		{"使用", 4, 4, "使用"},
		{"使用数据库", 10, 6, "使用…"},
		{"使用数据库", 10, 5, "使用…"},
		{"cafe\u0301s", 5, 5, "cafe\u0301s"},
		{"🚀🚀", 4, 3, "🚀…"},
		{"abcd", 4, 0, "abcd"},
		{"abcd", 4, 1, "…"},
	}
	for _, test := range tests {
		if got := columns(test.in); got != test.cells {
			t.Errorf("columns(%q) = %d, want %d", test.in, got, test.cells)
		}
		if got := shorten(test.in, test.limit); got != test.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
}

func TestTableAlignsByCells(t *testing.T) {
	rows := table{indent: "  "}
	rows.add("键", "a", "first")
	rows.add("key", "使用", "second\nline")
	rows.add("", "", "third")
	var out strings.Builder
	if err := rows.write(&out, 0); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"  键   a     first\n" +
		"  key  使用  second\\nline\n" +
		"             third\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
