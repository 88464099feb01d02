package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// printJSON prints one value and a newline.
func (t *Terminal) printJSON(v any) error {
	b, err := encode(v)
	if err != nil {
		return err
	}
	_, err = t.Stdout.Write(append(b, '\n'))
	return err
}

// printList prints records as one array, a record a line: [] if there are none.
func printList[T json.Marshaler](t *Terminal, records iter.Seq[T]) error {
	separator := "[\n"
	for record := range records {
		b, err := encode(record)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(t.Stdout, separator+string(b)); err != nil {
			return err
		}
		separator = ",\n"
	}
	end := "\n]\n"
	if separator == "[\n" {
		end = "[]\n"
	}
	_, err := io.WriteString(t.Stdout, end)
	return err
}

// encode makes JSON of v in which every character that Escape would replace is an
// escape of JSON: the same value, and inert on a terminal.
func encode(v any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return inert(bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))), nil
}

// inert needs no parser: outside its strings JSON is ASCII, and inside them every
// character may be written as an escape.
func inert(b []byte) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if !hidden(r) {
			out = append(out, b[:size]...)
			b = b[size:]
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			out = append(out, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
		}
		b = b[size:]
	}
	return out
}
