//go:build unix

package process_test

import (
	"testing"

	"docket/memory"
)

// A meetingShelf lets somebody else write between the reader's look at the daily logs
// and its look at the documents.
type meetingShelf struct {
	*shelf
	between func()
}

func (s *meetingShelf) Stat(name memory.Name) (memory.Stamp, error) {
	if name == memory.JournalLog && s.between != nil {
		between := s.between
		s.between = nil
		between()
	}
	return s.shelf.Stat(name)
}

// TestReaderMeetsWriter has a fact appended and distilled while a reader is half done:
// what it reads must go together, and verify must not call it a fault.
func TestReaderMeetsWriter(t *testing.T) {
	script := newScript(1, 1)
	w := newTwin(newShelf("0123456789abcdef"))
	w.do(t, act{Append: script.tie()}, script.distill())
	meeting := &meetingShelf{shelf: w.shelf}
	reader := memory.Open(meeting, memory.Options{})
	write := func() {
		script.n++
		remark := script.remark()
		remark[0].Kind, remark[0].Importance = memory.Pitfall, 5 // alone it makes an entry
		w.do(t, act{Append: script.tie()}, act{Append: remark}, script.distill())
	}

	meeting.between = write
	if err := whole(reader.State(t.Context())); err != nil {
		t.Errorf("a reader saw: %v", err)
	}
	meeting.between = write
	findings, err := reader.Verify(t.Context())
	must(t, err)
	for _, f := range findings {
		if f.Severity == memory.SeverityFault {
			t.Errorf("a reader found %s:%d: %s", f.File, f.Line, f.What)
		}
	}
}
