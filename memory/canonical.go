package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxNesting is how deep a value may nest; anything deeper is refused unread.
const maxNesting = 32

// canonical encodes v without white space: what hashes are taken over.
func canonical(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true))
}

// line encodes v as one line of a log, with the spacing that the reference writes.
func line(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true),
		jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	return append(b, '\n'), err
}

// document encodes v as a whole file.
func document(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(b, '\n'), err
}

// canonicalize rewrites a value as canonical JSON, whatever its keys: keys sorted by
// code point, which RFC 8785 does not do. Numbers stay as they are written.
func canonicalize(value jsontext.Value) ([]byte, error) {
	var v any
	if err := json.Unmarshal(value, &v, json.WithUnmarshalers(json.UnmarshalFromFunc(keepNumber))); err != nil {
		return nil, err
	}
	return canonical(v)
}

// keepNumber reads a number as its own text, which is written back unchanged.
func keepNumber(dec *jsontext.Decoder, v *any) error {
	if dec.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	number, err := dec.ReadValue()
	*v = number.Clone()
	return err
}

// strict reads one whole JSON value as the format wants it: no invalid UTF-8, no
// lone surrogate, no duplicate key, no wrong type, nothing behind it, not too deep.
func strict(data []byte, v any) error {
	if err := checkNesting(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return explainJSON(err)
	}
	return nil
}

// checkNesting counts brackets outside strings; malformed text is left to the parser.
func checkNesting(data []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return &shapeError{offset: int64(i), reason: fmt.Sprintf("nests deeper than %d", maxNesting)}
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// A shapeError says why bytes are not the JSON that was wanted, in words fit for
// a page, and where.
type shapeError struct {
	offset int64 // in bytes from the start of the value
	reason string
}

func (e *shapeError) Error() string { return e.reason }

// explainJSON turns an error of the JSON library into our words. Names of Go types
// mean nothing to a reader, and untrusted text is quoted.
func explainJSON(err error) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		reason := "invalid JSON: " + strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ")
		if errors.Is(err, io.ErrUnexpectedEOF) {
			reason = "invalid JSON: it ends too early"
		}
		return &shapeError{syntactic.ByteOffset, reason}
	case errors.As(err, &semantic):
		at := strings.TrimPrefix(string(semantic.JSONPointer), "/")
		if at == "" {
			at = "the value"
		} else {
			at = strconv.QuoteToGraphic(clip(at))
		}
		return &shapeError{semantic.ByteOffset, fmt.Sprintf("%s has the wrong type: want %s", at, wanted(semantic.GoType))}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &shapeError{0, "invalid JSON: it ends too early"}
	}
	return &shapeError{0, "invalid JSON"}
}

func wanted(t reflect.Type) string {
	if t == nil {
		return "another"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// lineAt returns the number of the line that holds the byte at offset.
func lineAt(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte{'\n'})
}

// checkNames refuses, among the members that a record does not know, one that is a
// known name in another case: it would be read by some programs and not by others.
// The known names are those in record's tags; others holds the unknown members.
func checkNames(record any, others jsontext.Value) error {
	if len(others) == 0 {
		return nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(others, &members); err != nil {
		return explainJSON(err)
	}
	known := recordNames(record)
	for name := range members {
		if folded := fold(name); slices.Contains(known, folded) {
			return &shapeError{0, fmt.Sprintf("the key %q must be written %q", clip(name), folded)}
		}
	}
	return nil
}

func recordNames(record any) []string {
	t := reflect.TypeOf(record)
	names := make([]string, 0, t.NumField())
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}
