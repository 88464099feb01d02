package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	memoryTitle    = "# Workspace Memory"
	memorySentence = "Derived from append-only project facts. Edit the source log or policy, not this view."
)

// A section is one heading of MEMORY.md with its active entries in order.
type section struct {
	heading string
	entries []Entry
}

// sections groups the active entries as MEMORY.md shows them, empty ones left out.
func sections(entries []Entry) []section {
	var list []section
	for i, heading := range sectionHeadings() {
		var active []Entry
		for _, e := range entries {
			if e.Kind == Kinds()[i] && e.Status == StatusActive {
				active = append(active, e)
			}
		}
		if len(active) == 0 {
			continue
		}
		slices.SortFunc(active, func(a, b Entry) int {
			return cmp.Or(compareText(a.Content, b.Content), compareText(a.Key, b.Key))
		})
		list = append(list, section{heading, active})
	}
	return list
}

// sectionHeadings are the headings of the stable kinds, in the order of Kinds.
func sectionHeadings() []string { return []string{"## Decisions", "## Conventions", "## Pitfalls"} }

// MemoryLine returns the line of MEMORY.md that shows the entry, without its end.
func MemoryLine(e Entry) string {
	return fmt.Sprintf("- %s (seen %dx; evidence: %d)", escapeMarkdown(e.Content), e.Occurrences, len(e.EvidenceIDs))
}

// RenderMemory returns MEMORY.md as the entries say it.
func RenderMemory(entries []Entry) string {
	var b strings.Builder
	b.WriteString(memoryTitle + "\n\n" + memorySentence + "\n")
	for _, s := range sections(entries) {
		b.WriteString("\n" + s.heading + "\n\n")
		for _, e := range s.entries {
			b.WriteString(MemoryLine(e) + "\n")
		}
	}
	return b.String()
}

// escapeMarkdown keeps a content from opening a block or raw HTML, by backslashes;
// code and emphasis stay as they are.
func escapeMarkdown(content string) string {
	at := blockMark(content)
	if at < 0 {
		return escapeTags(content)
	}
	return escapeTags(content[:at]) + `\` + escapeTags(content[at:])
}

// blockMark returns where a backslash must stand so that the content opens no block,
// or -1.
func blockMark(s string) int {
	ends := func(rest string) bool { return rest == "" || rest[0] == ' ' }
	if s == "" {
		return -1
	}
	switch s[0] {
	case '#':
		if rest := strings.TrimLeft(s, "#"); len(s)-len(rest) <= 6 && ends(rest) {
			return 0
		}
	case '-', '+', '*':
		if ends(s[1:]) {
			return 0
		}
	case '>':
		return 0
	case '`', '~':
		if strings.HasPrefix(s, strings.Repeat(s[:1], 3)) {
			return 0
		}
	case '[':
		if strings.Contains(s, "]:") {
			return 0
		}
	}
	rest := strings.TrimLeft(s, "0123456789")
	digits := len(s) - len(rest)
	if 1 <= digits && digits <= 9 && rest != "" && (rest[0] == '.' || rest[0] == ')') && ends(rest[1:]) {
		return digits
	}
	return -1
}

// escapeTags puts a backslash before each < that would open a tag, a comment, a
// declaration or an instruction and is not escaped already.
func escapeTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	slashes := 0
	for i := range len(s) {
		if s[i] == '<' && slashes%2 == 0 && i+1 < len(s) && opensTag(s[i+1]) {
			b.WriteByte('\\')
		}
		if s[i] == '\\' {
			slashes++
		} else {
			slashes = 0
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func opensTag(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '/' || c == '!' || c == '?'
}
