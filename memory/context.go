package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The prompt context's bounds unless the caller sets others.
const (
	DefaultRecent = 6     // recent facts
	DefaultBudget = 12000 // code points in all
)

const recentHeading = "# Recent Workspace Facts"

// LeftOut is one line that fell so that the context fits its budget.
type LeftOut struct {
	Memory    bool   // a memory; else a recent fact
	Text      string // the line as it would have stood
	ID        string // entry key or fact id
	MemoryKey string // the memory's, "" for none
}

// Context is what an agent is given to read.
type Context struct {
	Text       string
	Characters int // of Text, in code points
	Memories   int // lines that stand in it
	Facts      int
	LeftOut    []LeftOut // in the order in which they fell
}

// contextLine is one line that may fall.
type contextLine struct {
	LeftOut
	block int // the block that it stands in
	rank  int // the lower, the sooner it falls
}

// contextBlock is a paragraph of the context: a heading with lines, or text that stays.
type contextBlock struct {
	heading string
	lines   []*contextLine
	list    bool // falls with its last line
}

// BuildContext puts the prompt context together. memory is MEMORY.md as it is to be
// shown; where curated is set it is what RenderMemory says of entries, and its lines
// may fall. recent are unkeyed facts, oldest first. budget bounds the whole in code
// points; 0 is no bound.
func BuildContext(memory string, curated bool, entries []Entry, recent []Fact, budget int) Context {
	blocks := memoryBlocks(memory, curated, entries)
	if len(recent) > 0 {
		blocks = append(blocks, recentBlock(recent))
	}
	if len(blocks) == 0 {
		text := "(no workspace memory yet)"
		return Context{Text: text, Characters: utf8.RuneCountInString(text)}
	}
	fallen := shrink(blocks, budget)
	c := Context{LeftOut: fallen, Text: joinBlocks(blocks, fallen)}
	c.Characters = utf8.RuneCountInString(c.Text)
	for _, b := range blocks {
		for _, l := range b.lines {
			if l.Memory {
				c.Memories++
			} else {
				c.Facts++
			}
		}
	}
	return c
}

func memoryBlocks(memory string, curated bool, entries []Entry) []*contextBlock {
	if !curated {
		if memory = trim(memory); memory == "" {
			return nil
		}
		return []*contextBlock{{heading: memory}}
	}
	blocks := []*contextBlock{{heading: memoryTitle}, {heading: memorySentence}}
	for _, s := range sections(entries) {
		b := &contextBlock{heading: s.heading, list: true}
		for _, e := range s.entries {
			b.lines = append(b.lines, &contextLine{
				LeftOut: LeftOut{Memory: true, Text: MemoryLine(e), ID: e.Key, MemoryKey: e.MemoryKey}})
		}
		blocks = append(blocks, b)
	}
	rankLines(blocks, entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Occurrences, b.Occurrences), a.LastSeen.Compare(b.LastSeen), compareText(a.Key, b.Key))
	}, func(e Entry) string { return e.Key })
	return blocks
}

func recentBlock(recent []Fact) *contextBlock {
	b := &contextBlock{heading: recentHeading, list: true}
	for _, f := range recent {
		text := fmt.Sprintf("- [%s] %s (%s)", f.Kind, f.Content, f.RecordedAt.Format("2006-01-02"))
		b.lines = append(b.lines, &contextLine{LeftOut: LeftOut{Text: text, ID: f.ID}})
	}
	rankLines([]*contextBlock{b}, recent, func(f, g Fact) int {
		return cmp.Or(cmp.Compare(f.Importance, g.Importance), f.compare(&g))
	}, func(f Fact) string { return f.ID })
	return b
}

// rankLines gives the blocks' lines their ranks, by the order of what they show.
func rankLines[T any](blocks []*contextBlock, values []T, compare func(a, b T) int, id func(T) string) {
	rank := make(map[string]int, len(values))
	for i, v := range slices.SortedFunc(slices.Values(values), compare) {
		rank[id(v)] = i
	}
	for _, b := range blocks {
		for _, l := range b.lines {
			l.rank = rank[l.ID]
		}
	}
}

// shrink drops lines until the context fits: recent facts first, then memories, each
// kind by rank. It returns what fell.
func shrink(blocks []*contextBlock, budget int) []LeftOut {
	var candidates []*contextLine
	for i, b := range blocks {
		for _, l := range b.lines {
			l.block = i
			candidates = append(candidates, l)
		}
	}
	slices.SortFunc(candidates, func(a, b *contextLine) int {
		if a.Memory != b.Memory {
			if b.Memory {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	size, count := sizeOf(blocks)
	fallen := []LeftOut{}
	for _, l := range candidates {
		if budget == 0 || size+trailerSize(fallen, count) <= budget {
			break
		}
		b := blocks[l.block]
		b.lines = slices.DeleteFunc(b.lines, func(other *contextLine) bool { return other == l })
		size -= utf8.RuneCountInString(l.Text) + 1
		if len(b.lines) == 0 {
			size -= utf8.RuneCountInString(b.heading) + 3
			if count--; count == 0 {
				size = 0
			}
		}
		fallen = append(fallen, l.LeftOut)
	}
	return fallen
}

// sizeOf returns the code points of the blocks as joined, and how many show anything.
func sizeOf(blocks []*contextBlock) (size, count int) {
	for _, b := range blocks {
		size += utf8.RuneCountInString(b.heading) + 2
		if b.list {
			size++
		}
		for _, l := range b.lines {
			size += utf8.RuneCountInString(l.Text) + 1
		}
	}
	return size - 2, len(blocks)
}

func trailer(fallen []LeftOut) string {
	memories := 0
	for _, l := range fallen {
		if l.Memory {
			memories++
		}
	}
	return fmt.Sprintf("(left out to fit: %d memories, %d recent facts)", memories, len(fallen)-memories)
}

// trailerSize counts the last line with the blank line before it.
func trailerSize(fallen []LeftOut, blocks int) int {
	if len(fallen) == 0 {
		return 0
	}
	n := utf8.RuneCountInString(trailer(fallen))
	if blocks > 0 {
		n += 2
	}
	return n
}

func joinBlocks(blocks []*contextBlock, fallen []LeftOut) string {
	var parts []string
	for _, b := range blocks {
		if b.list && len(b.lines) == 0 {
			continue
		}
		parts = append(parts, b.heading)
		if b.list {
			lines := make([]string, 0, len(b.lines))
			for _, l := range b.lines {
				lines = append(lines, l.Text)
			}
			parts = append(parts, strings.Join(lines, "\n"))
		}
	}
	if len(fallen) > 0 {
		parts = append(parts, trailer(fallen))
	}
	return strings.Join(parts, "\n\n")
}
