package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// whiteSpace is the set of the format, spelled out.
var whiteSpace = []rune{
	0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680,
	0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
	0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
}

func TestWhiteSpace(t *testing.T) {
	var got []rune
	for r := range rune(unicode.MaxRune + 1) {
		if isSpace(r) {
			got = append(got, r)
		}
	}
	if diff := cmp.Diff(whiteSpace, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCollapse(t *testing.T) {
	run := string(whiteSpace)
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" \t\r\n", ""},
		{run, ""},
		{"a", "a"},
		{run + "a" + run + "b" + run, "a b"},
		{"a\x1cb\x1dc\x1ed\x1fe", "a b c d e"},
		{"a\u0085b\u2028c", "a b c"},
		{"a\u200bb\ufeffc\u180ed\u2060e", "a\u200bb\ufeffc\u180ed\u2060e"},
		{"\x01a\x1bb\x7f", "\x01a\x1bb\x7f"},
	} {
		if got := Collapse(c.in); got != c.want {
			t.Errorf("Collapse(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCollapseProperties(t *testing.T) {
	runes := rapid.OneOf(rapid.SampledFrom(whiteSpace), rapid.Rune())
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(runes).Draw(t, "s")
		got := Collapse(s)
		if Collapse(got) != got {
			t.Fatalf("%q collapses again to %q", got, Collapse(got))
		}
		for _, r := range whiteSpace {
			if r != ' ' && strings.ContainsRune(got, r) {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		bare := func(s string) string { return strings.Join(strings.FieldsFunc(s, isSpace), "") }
		if bare(s) != bare(got) || strings.Contains(got, "  ") || strings.Trim(got, " ") != got {
			t.Fatalf("%q collapses to %q", s, got)
		}
	})
}

// TestFoldEveryCodePoint holds fold against the table, read here in another way, and
// against the digest of the same list made by a language whose Unicode is 14.0.0.
func TestFoldEveryCodePoint(t *testing.T) {
	const digest = "2642b18cbb398f807ca302b3c0e53f32367e4af426cca7755cb95dc0d844678b"
	table := map[rune]string{}
	for _, row := range strings.Split(casefoldTable, "\n") {
		if strings.HasPrefix(row, "#") || row == "" {
			continue
		}
		var from, to rune
		from, row = scanRune(t, row)
		var all []rune
		for row != "" {
			to, row = scanRune(t, row)
			all = append(all, to)
		}
		table[from] = string(all)
	}
	if len(table) != 1530 {
		t.Errorf("the table has %d code points", len(table))
	}
	sum := sha256.New()
	for r := range rune(unicode.MaxRune + 1) {
		if !utf8.ValidRune(r) {
			continue
		}
		want, ok := table[r]
		if !ok {
			want = string(r)
		}
		got := fold(string(r))
		if got != want {
			t.Errorf("%U folds to %q, want %q", r, got, want)
		}
		if got != string(r) {
			fmt.Fprintf(sum, "%04X", r)
			for _, to := range got {
				fmt.Fprintf(sum, " %04X", to)
			}
			fmt.Fprintln(sum)
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != digest {
		t.Errorf("digest %s", got)
	}
}

func scanRune(t *testing.T, s string) (rune, string) {
	t.Helper()
	var r rune
	first, rest, _ := strings.Cut(s, " ")
	if _, err := fmt.Sscanf(first, "%X", &r); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return r, rest
}

func TestNormalForm(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"  Use \t SQLite ", "use sqlite"},
		{"Straße STRASSE ẞ", "strasse strasse ss"},
		{"ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ"},
		{"İ I ı", "i\u0307 i ı"},
		{"\u212a \ufb03", "k ffi"},
		{"\u13a0 \uab70", "\u13a0 \u13a0"},
		{"e\u0301 \u00e9", "e\u0301 \u00e9"}, // no normalization
	} {
		if got := NormalForm(c.in); got != c.want {
			t.Errorf("NormalForm(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestCleanText(t *testing.T) {
	astral := strings.Repeat("\U0001F600", maxContent)
	for _, c := range []struct{ name, in, want string }{
		{"collapsed", "\u2028 a \u3000\n b ", "a b"},
		{"longest, in code points", astral, astral},
		{"measured after collapsing", strings.Repeat("a  ", 1000), strings.TrimSuffix(strings.Repeat("a ", 1000), " ")},
		{"too long", astral + "x", ""},
		{"empty", "", ""},
		{"white space alone", " \x1c\u2029", ""},
		{"NUL", "a\x00b", ""},
		{"NUL at an end", "\x00a", ""},
		{"invalid UTF-8", "a\xff", ""},
		{"cut UTF-8", "a\xe2\x80", ""},
		{"encoded surrogate", "a\xed\xa0\x80", ""},
		{"other controls stay", "a\x01\x1b[2J", "a\x01\x1b[2J"},
	} {
		got, err := cleanText("content", c.in, maxContent)
		checkCleaned(t, c.name, got, c.want, err)
	}
}

// checkCleaned wants the value, or an InvalidError where want is empty.
func checkCleaned(t *testing.T, name, got, want string, err error) {
	t.Helper()
	var invalid *InvalidError
	switch {
	case want == "" && !errors.As(err, &invalid):
		t.Errorf("%s: got %q and the error %v, want an InvalidError", name, got, err)
	case want != "" && (err != nil || got != want):
		t.Errorf("%s: got %q and the error %v, want %q", name, got, err, want)
	}
}

func TestCleanKey(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"runtime.python-version", "runtime.python-version"},
		{"\u00a0\x1fRunTime.Python\u2028", "runtime.python"},
		{"a", "a"},
		{"a1.b2_c3-d4", "a1.b2_c3-d4"},
		{"\u212aey.stra\u00dfe", "key.strasse"},
		{strings.Repeat("k", 120), strings.Repeat("k", 120)},
		{strings.Repeat("k", 121), ""},
		{strings.Repeat("ß", 61), ""}, // 122 when folded
		{"", ""}, {"  ", ""}, {"1a", ""}, {".a", ""}, {"a.", ""}, {"a..b", ""}, {"a.-b", ""}, {"a b", ""},
		{"a/b", ""}, {"ä", ""}, {"a\n", "a"}, {"a\nb", ""}, {"a.1", "a.1"}, {"a\x00", ""}, {"a\xff", ""}, {"\u0130", ""},
		{"a\u0660", ""},
	} {
		got, err := CleanKey(c.in)
		checkCleaned(t, fmt.Sprintf("%q", c.in), got, c.want, err)
	}
}

func TestCleanIDs(t *testing.T) {
	long := strings.Repeat("i", 200)
	for _, c := range []struct{ in, id, factID string }{
		{"review:a/b:42", "review:a/b:42", "review:a/b:42"},
		{" \u2028A.b_c-d\x1c", "A.b_c-d", "A.b_c-d"},
		{long, long, long},
		{long + "i", "", ""},
		{"", "", ""}, {" \t", "", ""}, {"a\x00b", "", ""}, {"a\xff", "", ""},
		{"-a", "", "-a"}, {":a", "", ":a"}, {"a b", "", "a b"}, {"ä", "", "ä"}, {"a\nb", "", "a\nb"},
		{strings.Repeat("é", 200), "", strings.Repeat("é", 200)},
	} {
		id, err := cleanID("event_id", c.in)
		checkCleaned(t, fmt.Sprintf("id %q", c.in), id, c.id, err)
		factID, err := cleanFactID(c.in)
		checkCleaned(t, fmt.Sprintf("fact id %q", c.in), factID, c.factID, err)
	}
}

func TestParseTime(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"2026-08-07T12:00:00Z", "2026-08-07T12:00:00Z"},
		{"2026-08-07T12:00:00", "2026-08-07T12:00:00Z"},
		{"2026-08-07T12:00:00.5", "2026-08-07T12:00:00.500000Z"},
		{"2026-08-07T12:00:00.0000000Z", "2026-08-07T12:00:00Z"},
		{"2026-08-07T12:00:00.9999999Z", "2026-08-07T12:00:00.999999Z"},
		{"2026-08-07T12:00:00.0000009Z", "2026-08-07T12:00:00Z"},
		{"2026-08-07T12:00:00.12345678901234567890123", "2026-08-07T12:00:00.123456Z"},
		{"2026-08-07T12:00:00+02:00", "2026-08-07T10:00:00Z"},
		{"2026-08-07T23:30:00.25-05:30", "2026-08-08T05:00:00.250000Z"},
		{"2026-08-07T12:00:00-00:00", "2026-08-07T12:00:00Z"},
		{"2026-08-07T12:00:00+23:59", "2026-08-06T12:01:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
		{"10000-01-01T00:00:00Z", ""}, {"0000-01-01T00:00:00Z", ""}, {"0000-12-31T23:30:00-01:00", "0001-01-01T00:30:00Z"},
		{"0001-01-01T00:00:00+00:01", ""}, {"9999-12-31T23:59:59-00:01", ""},
		{"2026-06-30T23:59:60Z", ""}, {"2026-08-07T24:00:00Z", ""}, {"2026-08-07T12:60:00Z", ""},
		{"2026-02-29T00:00:00Z", ""}, {"2026-00-01T00:00:00Z", ""}, {"2026-13-01T00:00:00Z", ""}, {"2026-01-00T00:00:00Z", ""},
		{"2026-08-07T12:00:00.Z", ""}, {"2026-08-07T12:00:00,5Z", ""}, {"2026-08-07T12:00Z", ""}, {"2026-08-07", ""},
		{"2026-08-07t12:00:00Z", ""}, {"2026-08-07T12:00:00z", ""}, {"2026-08-07 12:00:00Z", ""},
		{"2026-08-07T12:00:00+0200", ""}, {"2026-08-07T12:00:00+02", ""}, {"2026-08-07T12:00:00+02:00:00", ""},
		{"2026-08-07T12:00:00+24:00", ""}, {"2026-08-07T12:00:00-24:00", ""}, {"2026-08-07T12:00:00+99:00", ""},
		{"2026-08-07T12:00:00+10:60", ""},
		{" 2026-08-07T12:00:00Z", ""}, {"2026-08-07T12:00:00Z\n", ""}, {"٢026-08-07T12:00:00Z", ""}, {"", ""}, {"+2026-08-07T12:00:00Z", ""},
	} {
		got, err := ParseTime(c.in)
		text := ""
		if err == nil {
			text = FormatTime(got)
		}
		checkCleaned(t, c.in, text, c.want, err)
	}
}

func TestTimeProperties(t *testing.T) {
	first, _ := ParseTime("0001-01-01T00:00:00Z")
	last, _ := ParseTime("9999-12-31T23:59:59Z")
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(first.Unix(), last.Unix()).Draw(t, "seconds")
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "zone"))
		given := time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds"))
		text := FormatTime(given.In(zone))
		got, err := ParseTime(text)
		if err != nil {
			t.Fatal(err)
		}
		cut := given.Nanosecond() / 1000 * 1000
		if got.Unix() != seconds || got.Nanosecond() != cut || got.Location() != time.UTC || !got.Equal(cleanTime(given)) {
			t.Fatalf("%s becomes %s", text, FormatTime(got))
		}
		if FormatTime(got) != text || (len(text) != 20 && len(text) != 27) {
			t.Fatalf("%s is written again as %s", text, FormatTime(got))
		}
	})
}
