package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"docket/memory"
)

// A domain is a memory key with everything that was said on it.
type domain struct {
	key    string
	kind   memory.Kind
	values []value
}

// A value is one answer to a domain's question, and who gave it when.
type value struct {
	text string
	said []saying
	kind memory.Kind // "" for the domain's
}

// A saying is one fact, without its words.
type saying struct {
	age        int // days before the day of now
	clock      string
	source     string
	importance int
	evidence   evidence
}

// A row is one fact without a key; which table it stands in says its kind.
type row struct {
	saying
	text string
}

// A note is a row with its kind.
type note struct {
	row
	kind  memory.Kind
	night bool // a nightly job: weekends too
}

func notesOf(kind memory.Kind, night bool, rows []row) []note {
	list := make([]note, len(rows))
	for i, r := range rows {
		list[i] = note{row: r, kind: kind, night: night}
	}
	return list
}

type evidence map[string]string

func file(path string, line int) evidence {
	return evidence{"file": path, "line": strconv.Itoa(line)}
}
func commit(hash string) evidence { return evidence{"commit": hash} }
func ticket(id string) evidence   { return evidence{"ticket": id} }
func page(url string) evidence    { return evidence{"url": url} }

// and adds other to a copy of e.
func (e evidence) and(other evidence) evidence {
	both := evidence{}
	for _, m := range []evidence{e, other} {
		for k, v := range m {
			both[k] = v
		}
	}
	return both
}

func (d domain) drafts(days calendar) []memory.Draft {
	var drafts []memory.Draft
	for _, v := range d.values {
		kind := d.kind
		if v.kind != "" {
			kind = v.kind
		}
		for _, s := range v.said {
			draft := s.draft(days, days.workday(s.age, 0), kind, d.key, v.text)
			draft.MemoryKey = &d.key
			drafts = append(drafts, draft)
		}
	}
	return drafts
}

// draft makes the note a fact. Notes that would fall on a weekend are dealt out over
// the days around it by their place in the tables.
func (n note) draft(days calendar, place int) memory.Draft {
	day := days.day(n.age)
	if !n.night {
		day = days.workday(n.age, place%3)
	}
	return n.saying.draft(days, day, n.kind, "", n.text)
}

// draft makes the saying a fact of that day. Its id hangs on its row alone, not on
// now or on the rows around it.
func (s saying) draft(days calendar, day time.Time, kind memory.Kind, key, text string) memory.Draft {
	sum := sha256.Sum256(fmt.Appendf(nil, "docket demo\x00%s\x00%s\x00%s\x00%d\x00%s", key, kind, text, s.age, s.clock))
	return memory.Draft{
		ID:         hex.EncodeToString(sum[:16]),
		RecordedAt: days.at(day, s.clock, int(sum[31])%60),
		Kind:       kind,
		Content:    text,
		Source:     s.source,
		Importance: s.importance,
		Evidence:   s.evidence,
	}
}
