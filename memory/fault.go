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
		at = max(at, place(data, bad))
	}
	return newFault(name, lineAt(data, at), err)
}

// place returns where in a document the record of that key or conflict id stands: where
// the text is the value of one of the two, else where it first is anything.
func place(data []byte, name string) int64 {
	quoted := strconv.Quote(name)
	for _, field := range []string{`"key": `, `"key":`, `"conflict_id": `, `"conflict_id":`} {
		if at := bytes.Index(data, []byte(field+quoted)); at >= 0 {
			return int64(at)
		}
	}
	return int64(bytes.Index(data, []byte(quoted)))
}

// faultOf returns the Fault that err is, or makes one of it.
func faultOf(name Name, line int, err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return newFault(name, line, err)
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
