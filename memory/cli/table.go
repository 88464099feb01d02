package cli

import (
	"io"
	"strings"
)

// A table is lines of cells, printed so that the cells of a column start at the same
// place. The last cell of a line is as long as it likes.
type table struct {
	indent string
	rows   [][]string
}

// add takes one line. Cells are untrusted: they are escaped here.
func (t *table) add(cells ...string) {
	for i, cell := range cells {
		cells[i] = Escape(cell)
	}
	t.rows = append(t.rows, cells)
}

// write prints the lines. Where limit is not zero, a line is shortened to so many
// cells of the terminal.
func (t *table) write(w io.Writer, limit int) error {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row[:max(len(row)-1, 0)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		line.WriteString(t.indent)
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-columns(cell)+2))
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if _, err := io.WriteString(w, shorten(text, limit)+"\n"); err != nil {
			return err
		}
	}
	return nil
}
