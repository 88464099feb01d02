package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"
)

// Status is the state of an entry or of a case.
type Status string

// The states. An entry is active or superseded; a case is open, resolved or
// superseded.
const (
	StatusActive     Status = "active"
	StatusSuperseded Status = "superseded"
	StatusOpen       Status = "open"
	StatusResolved   Status = "resolved"
)

// An Entry is one curated memory. Unkeyed entries stand alone; the entries of one
// memory key are the revisions of a domain, of which exactly one is active.
type Entry struct {
	Key          string // 16 hex digits, derived
	Kind         Kind
	Content      string
	FirstSeen    time.Time
	LastSeen     time.Time
	EvidenceIDs  []string // sorted, without doubles
	Occurrences  int      // len(EvidenceIDs)
	MemoryKey    string   // "" for none
	Revision     int      // from 1
	Status       Status
	Supersedes   string // the entry key of the revision before, "" for none
	SupersededBy string // the entry key of the revision after, "" for none
}

// equal reports whether both are the same record.
func (e Entry) equal(f Entry) bool {
	return e.Key == f.Key && e.Kind == f.Kind && e.Content == f.Content && e.MemoryKey == f.MemoryKey &&
		e.FirstSeen.Equal(f.FirstSeen) && e.LastSeen.Equal(f.LastSeen) && e.Occurrences == f.Occurrences &&
		e.Revision == f.Revision && e.Status == f.Status && e.Supersedes == f.Supersedes &&
		e.SupersededBy == f.SupersededBy && slices.Equal(e.EvidenceIDs, f.EvidenceIDs)
}

// compare gives the order of entries in curated.json.
func (e *Entry) compare(f *Entry) int {
	return cmp.Or(
		compareText(string(e.Kind), string(f.Kind)),
		compareText(e.MemoryKey, f.MemoryKey),
		cmp.Compare(e.Revision, f.Revision),
		compareText(e.Key, f.Key),
	)
}

// entryKey derives the key of an entry. An unkeyed entry hangs on what it says alone.
func entryKey(memoryKey string, revision int, kind Kind, content string) string {
	said := string(kind) + "\x00" + NormalForm(content)
	if memoryKey == "" {
		return hash16(said)
	}
	return hash16(memoryKey + "\x00revision:" + strconv.Itoa(revision) + "\x00" + said)
}

// hash16 returns the first 16 hex digits of the SHA-256 of s.
func hash16(s string) string { return hash64(s)[:16] }

// hash64 returns the SHA-256 of s in hex.
func hash64(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func (e Entry) record() entryRecord {
	return entryRecord{
		Content: &e.Content, EvidenceIDs: list(e.EvidenceIDs), FirstSeen: new(FormatTime(e.FirstSeen)), Key: &e.Key,
		Kind: (*string)(&e.Kind), LastSeen: new(FormatTime(e.LastSeen)), MemoryKey: null(e.MemoryKey),
		Occurrences: &e.Occurrences, Revision: &e.Revision, Status: (*string)(&e.Status),
		SupersededBy: null(e.SupersededBy), Supersedes: null(e.Supersedes),
	}
}

// MarshalJSON encodes the entry as its record.
func (e Entry) MarshalJSON() ([]byte, error) { return canonical(e.record()) }

// entry reads a stored record. One of schema 1 is unkeyed, revision 1 and active.
func (r entryRecord) entry(schema int) (Entry, error) {
	var f fields
	e := Entry{
		Key:         f.text("key", r.Key, maxID),
		Kind:        f.kind(r.Kind),
		Content:     f.words("content", r.Content, maxContent),
		FirstSeen:   f.time("first_seen", r.FirstSeen),
		LastSeen:    f.time("last_seen", r.LastSeen),
		EvidenceIDs: f.evidenceIDs(r.EvidenceIDs),
		Occurrences: required(&f, "occurrences", r.Occurrences),
		Revision:    1,
		Status:      StatusActive,
	}
	if schema > 1 {
		e.MemoryKey = f.key("memory_key", r.MemoryKey)
		e.Revision = required(&f, "revision", r.Revision)
		e.Status = Status(required(&f, "status", r.Status))
		e.Supersedes = f.optional("supersedes", r.Supersedes, maxID)
		e.SupersededBy = f.optional("superseded_by", r.SupersededBy, maxID)
	}
	f.check(checkNames(r, r.Others))
	f.check(e.check())
	return e, f.err
}

// evidenceIDs reads an entry's evidence, which old documents may hold in any order.
func (f *fields) evidenceIDs(v *[]string) []string {
	ids := slices.Sorted(slices.Values(required(f, "evidence_ids", v)))
	return f.ids("evidence_ids", &ids)
}

// check refuses an entry that cannot be, whatever stands beside it.
func (e *Entry) check() error {
	var f fields
	switch {
	case e.Status != StatusActive && e.Status != StatusSuperseded:
		f.fail("has the unknown status %q", clip(string(e.Status)))
	case !e.Kind.Stable():
		f.fail("is of kind %s, which is never curated", e.Kind)
	case e.Occurrences != len(e.EvidenceIDs):
		f.fail("counts %d occurrences and has %d distinct facts as evidence", e.Occurrences, len(e.EvidenceIDs))
	case e.Revision < 1:
		f.fail("has revision %d", e.Revision)
	case e.LastSeen.Before(e.FirstSeen):
		f.fail("was last seen before it was first seen")
	case e.MemoryKey == "" && (e.Revision != 1 || e.Status != StatusActive || e.Supersedes != "" || e.SupersededBy != ""):
		f.fail("has a lifecycle and no memory_key")
	case e.Status == StatusActive && e.SupersededBy != "":
		f.fail("is active and has superseded_by")
	case e.Status == StatusSuperseded && e.SupersededBy == "":
		f.fail("is superseded and has no superseded_by")
	case e.Revision == 1 && e.Supersedes != "":
		f.fail("is revision 1 and has supersedes")
	case e.Revision > 1 && e.Supersedes == "":
		f.fail("is revision %d and has no supersedes", e.Revision)
	}
	return f.err
}
