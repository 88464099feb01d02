package memory

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func TestEscapeMarkdown(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain text.", "plain text."},
		{"# a", `\# a`}, {"###### a", `\###### a`}, {"#", `\#`}, {"######", `\######`}, {"####### a", "####### a"}, {"#a", "#a"}, {"#\u00a0a", "#\u00a0a"}, {"a # b", "a # b"},
		{"##a # b", "##a # b"}, {"# #", `\# #`},
		{"- a", `\- a`}, {"+ a", `\+ a`}, {"* a", `\* a`}, {"-", `\-`}, {"+", `\+`}, {"*", `\*`}, {"-a", "-a"}, {"-- a", "-- a"}, {"*a*", "*a*"}, {"**a** b", "**a** b"},
		{"--- a", "--- a"}, {"- - -", `\- - -`}, {"_ _ _", "_ _ _"}, {"– a", "– a"},
		{"> a", `\> a`}, {">", `\>`}, {">a", `\>a`}, {">>", `\>>`}, {"a > b", "a > b"},
		{"```", "\\```"}, {"```go", "\\```go"}, {"~~~", `\~~~`}, {"~~~~ a", `\~~~~ a`}, {"``", "``"}, {"~~a~~", "~~a~~"}, {"`a`", "`a`"}, {"a ```", "a ```"}, {"``~", "``~"},
		{"[a]: b", `\[a]: b`}, {"[a] b]: c", `\[a] b]: c`}, {"[a](b)", "[a](b)"}, {"[", "["}, {"[a] :", "[a] :"}, {"a [b]: c", "a [b]: c"}, {"[a\\]: b", `\[a\]: b`}, {"[]:", `\[]:`},
		{"1. a", `1\. a`}, {"1) a", `1\) a`}, {"123456789. a", `123456789\. a`}, {"1234567890. a", "1234567890. a"}, {"1.", `1\.`}, {"0)", `0\)`}, {"1.a", "1.a"}, {"1.5 a", "1.5 a"},
		{"1: a", "1: a"}, {"١. a", "١. a"}, {". a", ". a"}, {"1 . a", "1 . a"}, {"1.. a", "1.. a"}, {"1.\u00a0a", "1.\u00a0a"},
		{"<b>", `\<b>`}, {"</b>", `\</b>`}, {"<!-- a -->", `\<!-- a -->`}, {"<?a?>", `\<?a?>`}, {"<B", `\<B`}, {"<1", "<1"}, {"< b", "< b"}, {"<", "<"}, {"<é", "<é"}, {"a<b", `a\<b`},
		{`\<b`, `\<b`}, {`\\<b`, `\\\<b`}, {`\\\<b`, `\\\<b`}, {`\ <b`, `\ \<b`}, {"<<b", `<\<b`}, {"`<b>`", "`\\<b>`"}, {`a\`, `a\`}, {"<[", "<["},
		{"# <b>", `\# \<b>`}, {"1. <b>", `1\. \<b>`}, {"<http://a>", `\<http://a>`}, {"&lt;b&gt;", "&lt;b&gt;"}, {`\# a`, `\# a`}, {"[<b]: c", `\[\<b]: c`},
		{"= a", "= a"}, {"===", "==="}, {"| a | b |", "| a | b |"}, {"![a](b)", "![a](b)"},
	} {
		if got := escapeMarkdown(c.in); got != c.want {
			t.Errorf("%q is escaped as %q, want %q", c.in, got, c.want)
		}
	}
}

func TestRenderMemory(t *testing.T) {
	entry := func(kind Kind, content, key string, evidence ...string) Entry {
		return Entry{Key: key, Kind: kind, Content: content, EvidenceIDs: evidence, Occurrences: len(evidence), Status: StatusActive}
	}
	old := entry(Decision, "Old", "k0", "f")
	old.Status = StatusSuperseded
	const title = "# Workspace Memory\n\nDerived from append-only project facts. Edit the source log or policy, not this view.\n"
	for _, c := range []struct {
		name    string
		entries []Entry
		want    string
	}{
		{"nothing", nil, title},
		{"only superseded", []Entry{old}, title},
		{"all kinds, by code point", []Entry{
			entry(Pitfall, "p", "k1", "f"), old, entry(Decision, "\U0001F600", "k2", "f"), entry(Decision, "\uffee", "k3", "f", "g"),
			entry(Decision, "a", "k5", "f"), entry(Decision, "Z", "k6"), entry(Decision, "a", "k4", "f", "g", "h"), entry(Convention, "# c", "k7", "f"),
		}, title + "\n## Decisions\n\n- Z (seen 0x; evidence: 0)\n- a (seen 3x; evidence: 3)\n- a (seen 1x; evidence: 1)\n" +
			"- \uffee (seen 2x; evidence: 2)\n- \U0001F600 (seen 1x; evidence: 1)\n" +
			"\n## Conventions\n\n- \\# c (seen 1x; evidence: 1)\n\n## Pitfalls\n\n- p (seen 1x; evidence: 1)\n"},
		{"last alone", []Entry{entry(Pitfall, "p", "k1", "f")}, title + "\n## Pitfalls\n\n- p (seen 1x; evidence: 1)\n"},
	} {
		given := slices.Clone(c.entries)
		if diff := cmp.Diff(c.want, RenderMemory(c.entries)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(given, c.entries); diff != "" {
			t.Errorf("%s: the entries were changed (-before +after):\n%s", c.name, diff)
		}
	}
}

// markdownEntries makes decisions of the contents.
func markdownEntries(contents []string) []Entry {
	entries := make([]Entry, 0, len(contents))
	for i, content := range contents {
		entries = append(entries, Entry{Key: fmt.Sprintf("k%02d", i), Kind: Decision, Content: content, Status: StatusActive})
	}
	return entries
}

// outline parses MEMORY.md and says what is wrong with its shape: a title, a sentence, a
// heading, and one list with one item of one paragraph for each entry.
func outline(source string, items int) error {
	pc := parser.NewContext()
	doc := goldmark.DefaultParser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	if refs := pc.References(); len(refs) > 0 {
		return fmt.Errorf("%d link reference definitions", len(refs))
	}
	var kinds []string
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		kinds = append(kinds, n.Kind().String())
	}
	if got := strings.Join(kinds, " "); got != "Heading Paragraph Heading List" {
		return fmt.Errorf("it is %s", got)
	}
	for item := doc.LastChild().FirstChild(); item != nil; item = item.NextSibling() {
		items--
		if item.ChildCount() != 1 || item.FirstChild().Kind() != ast.KindTextBlock {
			return fmt.Errorf("an item that starts with %v has %d blocks", item.FirstChild(), item.ChildCount())
		}
	}
	if items != 0 {
		return fmt.Errorf("%d items are missing", items)
	}
	return ast.Walk(doc, func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindRawHTML, ast.KindHTMLBlock, ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindBlockquote, ast.KindThematicBreak:
			return ast.WalkStop, fmt.Errorf("it holds a %s", n.Kind())
		}
		return ast.WalkContinue, nil
	})
}

// contents draws contents as they are stored, from tokens that Markdown takes for marks.
func contents(t *rapid.T, tokens []string) []string {
	token := rapid.OneOf(rapid.SampledFrom(tokens), rapid.SampledFrom(tokens), rapid.StringN(1, 3, -1))
	content := rapid.Map(rapid.SliceOfN(token, 1, 12), func(tokens []string) string {
		return Collapse(strings.ReplaceAll(strings.Join(tokens, ""), "\x00", ""))
	}).Filter(func(s string) bool { return s != "" })
	return rapid.SliceOfN(content, 1, 4).Draw(t, "contents")
}

func marks() []string {
	return []string{
		"#", "##", "-", "+", "*", "_", ">", "`", "```", "~~~", "[", "]", "]:", "(", ")", "!", "<", "</", "<!", "<!--", "-->", "<?", "?>",
		"<![CDATA[", "]]>", "<script>", "</textarea>", "<a href=\"x\">", "<pre", "=", "===", "---", "***", "|", ":", "\\", "\\\\", "&lt;", "&#60;", "&#x3c;",
		"1.", "1)", "123456789.", "0", " ", " ", "  ", "    ", "\t", "\n", "\u0085", "\u2028", "\u00a0", "\u200b", "\ufeff", "a", "b", "<b>", "\"", "'",
		"http://a", "<http://a>", "<a@b.c>", "[a]: /u", "[a](javascript:b)", "![a](//b)", "[ ]", "[x]", "$$", "{%", "\x1b[2J", "\u202e",
	}
}

func TestOneItemOfOneParagraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := contents(t, marks())
		source := RenderMemory(markdownEntries(list))
		if err := outline(source, len(list)); err != nil {
			t.Fatalf("%v in:\n%s", err, source)
		}
	})
}

// TestShapeIsJudged makes sure that the property above can fail.
func TestShapeIsJudged(t *testing.T) {
	good := RenderMemory(markdownEntries([]string{"x"}))
	for _, content := range []string{
		"# x", "> x", "- x", "1. x", "```", "<script>", "<!-- x", "a <b> c", "[a]: b", "    x", "\n\n***\n\n", "x\n\n  x", "x\n- y",
	} {
		if err := outline(strings.Replace(good, "- x (seen 0x; evidence: 0)", "- "+content, 1), 1); err == nil {
			t.Errorf("%q passes", content)
		}
	}
	if err := outline(good, 1); err != nil {
		t.Error(err)
	}
}

var listItem = regexp.MustCompile(`(?s)<li>(.*?)</li>`)

// TestReadersSeeTheContent: what holds no emphasis, code, link, entity or backslash is
// read as it was written.
func TestReadersSeeTheContent(t *testing.T) {
	inert := []string{
		"#", "##", "-", "+", ">", "~~~", "<", "</", "<b>", "<!--", "-->", "<?", "=", "---", "|", ":", "1.", "1)", "123456789.", "0", " ", "a", "b", ".", ")", "(", "!", "/", "?", "\"", "'", "é", "\u200b",
	}
	rapid.Check(t, func(t *rapid.T) {
		token := rapid.SampledFrom(inert)
		content := rapid.Map(rapid.SliceOfN(token, 1, 10), func(s []string) string { return Collapse(strings.Join(s, "")) })
		list := rapid.SliceOfN(content.Filter(func(s string) bool { return s != "" }), 1, 3).Draw(t, "contents")
		slices.Sort(list)
		var page strings.Builder
		if err := goldmark.Convert([]byte(RenderMemory(markdownEntries(list))), &page); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, item := range listItem.FindAllStringSubmatch(page.String(), -1) {
			got = append(got, html.UnescapeString(item[1]))
		}
		for _, content := range list {
			want = append(want, content+" (seen 0x; evidence: 0)")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// TestOnlyBackslashesAreAdded: without them the content is there, whole and in order.
func TestOnlyBackslashesAreAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, content := range contents(t, marks()) {
			rest := content
			for _, r := range escapeMarkdown(content) {
				if next, ok := strings.CutPrefix(rest, string(r)); ok {
					rest = next
				} else if r != '\\' {
					t.Fatalf("%q becomes %q", content, escapeMarkdown(content))
				}
			}
			if rest != "" {
				t.Fatalf("%q becomes %q", content, escapeMarkdown(content))
			}
		}
	})
}
