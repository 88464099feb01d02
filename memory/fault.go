package memory

import (
	"bytes"
	"errors"
	"strconv"
)

// documentFault says what is wrong with a document and, as well as it can be told,
// in which line: where the JSON breaks, or where the text bad first stands.
func documentFault(name Name, data []byte, bad string, err error) *Fault {
	var shape *shapeError
	at := int64(0)
	if errors.As(err, &shape) {
		at = shape.offset
	}
	if bad != "" {
		at = max(at, int64(bytes.Index(data, []byte(strconv.Quote(bad)))))
	}
	return newFault(name, lineAt(data, at), err)
}

// newFault makes a Fault of what was found in one line of a file.
func newFault(name Name, line int, err error) *Fault {
	var scope *scopeError
	code := CodeCorrupt
	if errors.As(err, &scope) {
		code = CodeScope
	}
	return &Fault{Code: code, File: string(name), Line: line, Reason: err.Error()}
}
