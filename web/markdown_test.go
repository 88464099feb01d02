package web

import (
	"regexp"
	"strings"
	"testing"

	"docket/memory"
)

func TestRenderedMemoryIsInert(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	allowed := regexp.MustCompile(`^</?(h1|h2|p|ul|li|code|em|strong)>$`)
	for _, content := range []string{
		`<script>alert(1)</script>`,
		`</textarea><svg onload=alert(1)>`,
		`[x](javascript:alert(1))`,
		`[x](&#106;avascript:alert(1) "title")`,
		`![t](https://evil.example/p)`,
		`![<b>](//evil.example)`,
		`<https://evil.example>`,
		`<javascript:alert(1)>`,
		`https://evil.example and www.evil.example`,
		`"><div hx-post=/x hx-trigger="load">`,
		`## Approved {#main}`,
		`<!-- hidden -->`,
		"*a* **b** `c <i>`",
		`[a]: https://evil.example`,
		`<a href="x" id="main">`,
		`&lt;b&gt;`,
	} {
		text := memory.RenderMemory([]memory.Entry{{
			Kind: memory.Decision, Content: content, Status: memory.StatusActive, Revision: 1, EvidenceIDs: []string{"f"}, Occurrences: 1,
		}})
		for _, source := range []string{text, content, "- x\n\n" + content + "\n"} { // a file may have been edited by hand
			html, err := renderMarkdown(source)
			if err != nil {
				t.Fatal(err)
			}
			html = strings.ReplaceAll(html, "<!-- raw HTML omitted -->", "")
			for _, tag := range tags.FindAllString(html, -1) {
				if !allowed.MatchString(tag) {
					t.Errorf("%q gives the tag %q", source, tag)
				}
			}
		}
	}
}

func TestLinksAreShownAsText(t *testing.T) {
	for source, want := range map[string]string{
		`[the *docs*](https://a.example/?x=1&y=2)`: `the <em>docs</em> (https://a.example/?x=1&amp;y=2)`,
		`![a cat](cat.png)`:                        `a cat (cat.png)`,
		`<mailto:a@b.example>`:                     `mailto:a@b.example`,
	} {
		html, err := renderMarkdown(source)
		if err != nil || strings.TrimSpace(html) != "<p>"+want+"</p>" {
			t.Errorf("%s: %q, %v", source, html, err)
		}
	}
}
