package templates

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// corpus is text that an attacker would write into a fact.
func corpus() []string {
	return []string{
		`<script>alert(1)</script>`,
		`</textarea><svg onload=alert(1)>`,
		`</title><img src=x onerror=alert(1)>`,
		`[x](javascript:alert(1))`,
		`&#106;avascript:alert(1)`,
		`"><div hx-post=/w/1/distill hx-trigger="load">`,
		`' data-hx-get="/x" autofocus onfocus='alert(1)`,
		"a\nevent: x\ndata: y",
		"## Approved",
		"<!-- x",
		`![t](https://evil.example/p)`,
		`//evil.example`,
		`" id="main`,
		"a\u202eb\u202c\u200bc\U000e0041\U000e007f",
		"\x1b[2J\x00\xff\ufeff",
		`=HYPERLINK("https://evil.example")`,
		strings.Repeat("[", 2000),
	}
}

// TestHostileTextIsInert renders every page twice, with plain and with hostile text:
// the elements, their attributes and what those lead to must be the same.
func TestHostileTextIsInert(t *testing.T) {
	plainly := (fixtures{plain}).shots()
	wants := make([][]string, len(plainly))
	for i, s := range plainly {
		wants[i] = skeleton(t, render(t, Layout(s.page, s.body)))
	}
	for _, text := range corpus() {
		hostile := (fixtures{func(s string) string { return s + text }}).shots()
		for i, s := range plainly {
			got := skeleton(t, render(t, Layout(hostile[i].page, hostile[i].body)))
			if !slices.Equal(wants[i], got) {
				t.Fatalf("%s with %q (-plain +hostile):\n%s", s.name, text, cmp.Diff(wants[i], got))
			}
		}
	}
}

// skeleton is what a browser acts on: every tag with its attributes, without the
// texts, the attributes that hold text, and the marks that a text may get.
func skeleton(t *testing.T, page string) []string {
	t.Helper()
	var tags []string
	var marks []bool // of the open spans, whether each is a mark
	folded := false  // inside what a long text is folded into
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if folded && kind != html.ErrorToken {
			name, _ := z.TagName()
			folded = kind != html.EndTagToken || string(name) != "details"
			continue
		}
		switch kind {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			return tags
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			isMark := attribute(token, "class") == "inv"
			if folded = token.Data == "details" && attribute(token, "class") == "whole"; folded {
				continue
			}
			if token.Data == "span" {
				marks = append(marks, isMark)
			}
			if !isMark && token.Data != "ins" && token.Data != "del" {
				tags = append(tags, tagWords(token))
			}
		case html.EndTagToken:
			token := z.Token()
			if token.Data == "span" && len(marks) > 0 {
				isMark := marks[len(marks)-1]
				marks = marks[:len(marks)-1]
				if isMark {
					continue
				}
			}
			if token.Data != "ins" && token.Data != "del" {
				tags = append(tags, "/"+token.Data)
			}
		case html.CommentToken:
			tags = append(tags, "comment")
		}
	}
}

// tagWords is a tag with its attributes. The values of those that hold a reader's or a
// fact's text are left out; of an address of a filter, its query is.
func tagWords(token html.Token) string {
	var b strings.Builder
	b.WriteString(token.Data)
	for _, a := range token.Attr {
		value := a.Val
		switch a.Key {
		case "value", "data-copy":
			value = ""
		case "href":
			value, _, _ = strings.Cut(value, "timeline?")
			value, _, _ = strings.Cut(value, "/?")
		}
		fmt.Fprintf(&b, " %s=%q", a.Key, value)
	}
	return b.String()
}

func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestWordsComeBack holds that a textarea gives a reader's words back byte for byte.
func TestWordsComeBack(t *testing.T) {
	for _, words := range []string{
		"", "plain", "\nleading line break", "\n\ntwo", "trailing\n\n", "  spaces  ", "&amp; &lt;b&gt;",
		"</textarea><svg onload=alert(1)>", "\u202e\u200b", "多行\n文字", typed,
	} {
		x := fixtures{plain}
		v := x.caseView()
		v.Form.Words = words
		open := render(t, Case(x.page(NavDesk, ""), v))
		if got := textareaOf(t, open, "rationale"); got != words {
			t.Errorf("form: %q came back as %q", words, got)
		}
		if words == "" {
			continue
		}
		v.Case, v.Refusal = x.resolvedCase(), &Refusal{Is: RefusedDecided}
		decided := render(t, Case(x.page(NavDesk, ""), v))
		if got := textareaOf(t, decided, "kept"); got != words {
			t.Errorf("decided: %q came back as %q", words, got)
		}
		out := render(t, SignedOut(Page{}, SignedOutView{Words: words}))
		if got := textareaOf(t, out, "kept"); got != words {
			t.Errorf("signed out: %q came back as %q", words, got)
		}
	}
}

// textareaOf is what a browser shows in the textarea of that id.
func textareaOf(t *testing.T, page, id string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data != "textarea" || attribute(html.Token{Attr: n.Attr}, "id") != id {
			continue
		}
		var b strings.Builder
		for text := range n.ChildNodes() {
			b.WriteString(text.Data)
		}
		return b.String()
	}
	t.Fatalf("no textarea %q", id)
	return ""
}
