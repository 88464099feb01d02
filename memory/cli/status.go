package cli

import (
	"io"

	"docket/memory"
)

// Status returns the exit status of a command that ended with err: 0 for none.
func Status(err error) int {
	if err == nil {
		return 0
	}
	switch memory.CodeOf(err) {
	case memory.CodeInvalid:
		return 2
	case memory.CodeNotFound:
		return 3
	case memory.CodeStale, memory.CodeNotOpen, memory.CodeEventReused:
		return 4
	case memory.CodeCorrupt:
		return 5
	case memory.CodeScope:
		return 6
	case memory.CodeBusy:
		return 7
	}
	return 1
}

type errorRecord struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    memory.Code `json:"code"`
	Message string      `json:"message"`
}

// Complain writes err to w, as JSON or as a line of text. A write that fails is let
// be: there is nowhere left to tell it, and the exit status tells that err happened.
func Complain(w io.Writer, err error, asJSON bool) {
	if !asJSON {
		io.WriteString(w, "docket: "+Escape(err.Error())+"\n")
		return
	}
	b, encodeErr := encode(errorRecord{errorBody{Code: memory.CodeOf(err), Message: err.Error()}})
	if encodeErr == nil {
		w.Write(append(b, '\n'))
	}
}
