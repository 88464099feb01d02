package filestore

import (
	"errors"
	"io"
	"testing"
)

// half takes half of what it is given and calls that success, as no file of the system
// does, but a file interface in between might.
type half struct{ calls int }

func (h *half) Write(data []byte) (int, error) {
	h.calls++
	return len(data) / 2, nil
}

func TestShortWriteWithoutAnError(t *testing.T) {
	w := &half{}
	if err := writeAll(w, []byte("a record\n")); !errors.Is(err, io.ErrShortWrite) || w.calls != 1 {
		t.Errorf("%v after %d writes, want a short write after one", err, w.calls)
	}
	if err := writeAll(w, nil); err != nil || w.calls != 1 {
		t.Errorf("nothing to write: %v after %d writes", err, w.calls)
	}
}
