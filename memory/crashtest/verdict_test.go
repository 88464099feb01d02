package crashtest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"docket/memory"
	"docket/memory/filestore/crashfs"
)

// verdict looks at a disk on which the file was changed. An error says that the change
// is silently taken for the truth, or written over.
func (x *editor) verdict(t testing.TB, disk *crashfs.FS, e *memory.Engine, name string) (verdict, error) {
	t.Helper()
	ctx := context.Background()
	edited := filesOf(disk)
	s := e.State(ctx)
	if faults := s.Faults(); len(faults) > 0 {
		var fault *memory.Fault
		if err := load(e); !errors.As(err, &fault) {
			return "", fmt.Errorf("%v, and a writer was let in: %v", faults, err)
		}
		return refused, x.keeps(edited, filesOf(disk), name)
	}
	got := viewOf(s)
	findings, err := e.Verify(ctx)
	if err != nil {
		return "", err
	}
	if err := load(e); err != nil {
		return "", fmt.Errorf("State names no fault, and Load says: %w", err)
	}
	if diff := cmp.Diff(got, viewOf(e.State(ctx))); diff != "" {
		return "", fmt.Errorf("another state after recovery:\n%s", diff)
	}
	if cmp.Equal(x.view, got) {
		return harmless, nil // a pending decision may write its documents
	}
	if err := x.keeps(edited, filesOf(disk), name); err != nil {
		return "", err
	}
	for _, f := range findings {
		mends := f.Severity == memory.SeverityNote && !strings.Contains(f.What, "is gone") // by itself
		if !x.known[f.File+f.What] && !mends {
			return told, nil
		}
	}
	return x.small(got, name, edited[name])
}

// keeps wants that the changed file is not written over. A torn tail may be cut off and
// more appended; MEMORY.md is made anew.
func (x *editor) keeps(edited, now map[string]string, name string) error {
	if name == string(memory.Projection) {
		return nil
	}
	text := edited[name]
	if strings.HasSuffix(name, ".jsonl") {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	if kept := strings.HasPrefix(now[name], text); !kept || now[name] != edited[name] && !strings.HasSuffix(name, ".jsonl") {
		return fmt.Errorf("%s was written over: %s", name, cmp.Diff(edited[name], now[name]))
	}
	return nil
}

// small lets changes pass that nothing in the format could tell, each of one record or of
// records that nothing else speaks of: the records carry no checksum.
func (x *editor) small(got view, name, text string) (verdict, error) {
	if name == string(memory.JournalLog) && cmp.Equal(x.undecided, got) {
		return undone, nil
	}
	facts, cases := differs(x.view.Facts, got.Facts), differs(x.view.Cases, got.Cases)
	rest := x.view
	rest.Facts, rest.Cases = got.Facts, got.Cases
	if !cmp.Equal(rest, got) {
		return silent("%s", cmp.Diff(x.view, got))
	}
	switch {
	case strings.HasPrefix(name, "daily/") && len(cases) == 0:
		if missing := slices.DeleteFunc(facts, func(id string) bool { return got.Facts[id] != "" }); len(got.Facts)+len(missing) == len(x.view.Facts) {
			if len(missing) == 0 && len(differs(x.view.Facts, got.Facts)) == 1 {
				return ownWords, nil
			}
			if !x.cited(missing) && !x.holds(name, text, missing) {
				return gone, nil
			}
		}
		if names := differs(x.view.Facts, got.Facts); len(names) == 2 && len(got.Facts) == len(x.view.Facts) && !x.cited(names) {
			return ownWords, nil // its name
		}
	case name == string(memory.ConflictsDocument) && len(facts) == 0 && len(cases) == 1:
		return ownWords, nil
	}
	return silent("%s", cmp.Diff(x.view, got))
}

// holds reports whether the line of one of the facts still stands in the text, whole.
func (x *editor) holds(name, text string, ids []string) bool {
	for line := range strings.Lines(x.files[name]) {
		for _, id := range ids {
			if strings.Contains(line, `"fact_id": "`+id+`"`) && strings.Contains(text, strings.TrimSuffix(line, "\n")) {
				return true
			}
		}
	}
	return false
}

// cited reports whether an entry or a case speaks of one of the facts.
func (x *editor) cited(ids []string) bool {
	for _, records := range []map[string]string{x.view.Entries, x.view.Cases} {
		for _, record := range records {
			for _, id := range ids {
				if strings.Contains(record, `"`+id+`"`) {
					return true
				}
			}
		}
	}
	return false
}
