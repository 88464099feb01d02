package web

import (
	"time"

	"docket/memory"
	"docket/templates"
)

// A reading is what the reader of one visit has marked, as it was when it was first
// asked for.
type reading struct {
	reader reader
	err    error
}

// readerOf returns what the reader has marked. It reads once a visit, so that one answer
// does not contradict itself.
func (s *server) readerOf(v *visit) (reader, error) {
	if v.reading == nil {
		found, err := s.readers.read(v.id, v.actor)
		if err != nil {
			s.log.Warn("marks not read", "id", requestID(v), "workspace", v.id, "error", err)
		}
		v.reading = &reading{found, err}
	}
	return v.reading.reader, v.reading.err
}

// marksFault is why what the reader has marked is not known, nil where it is.
func (s *server) marksFault(v *visit) *templates.MarksFault {
	if _, err := s.readerOf(v); err != nil {
		return s.faultOfMarks(err)
	}
	return nil
}

func (s *server) faultOfMarks(err error) *templates.MarksFault {
	return &templates.MarksFault{File: s.readers.path, Held: held(err)}
}

// markOn tells the page of a case how its reader stands to it.
func (s *server) markOn(v *visit, c memory.Case) templates.CaseMark {
	row := s.rowOf(v, c)
	shown := templates.CaseMark{Is: row.group, Reason: row.reason}
	if row.group == templates.GroupSeen || row.group == templates.GroupAside {
		shown.At = row.last.At
	}
	return shown
}

// set puts an act of the reader's on a case.
func (r *reader) set(c memory.Case, act templates.MarkAct, reason string, now time.Time) {
	m := r.marks[c.MemoryKey]
	switch act {
	case templates.ActSeen:
		m = marks{Seen: markOf(c, now)}
	case templates.ActAside:
		m = marks{Seen: markOf(c, now), Aside: markOf(c, now), Reason: reason}
	case templates.ActUnset:
		m = marks{Seen: m.Seen}
	case templates.ActBack:
		m = marks{}
	}
	if m == (marks{}) {
		delete(r.marks, c.MemoryKey)
	} else {
		r.marks[c.MemoryKey] = m
	}
}
