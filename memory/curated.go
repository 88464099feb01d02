package memory

import (
	"fmt"
	"slices"
)

// curatedSchema is the schema of curated.json that Docket writes; 1 is read too.
const curatedSchema = 2

// encodeCurated encodes entries, in document order, as curated.json.
func encodeCurated(entries []Entry, workspaceID string) ([]byte, error) {
	records := make([]entryRecord, 0, len(entries))
	for _, e := range sortedEntries(entries) {
		records = append(records, e.record())
	}
	return document(curatedRecord{Entries: &records, SchemaVersion: new(curatedSchema), WorkspaceID: &workspaceID})
}

// decodeCurated reads curated.json, or refuses it whole with a Fault.
func decodeCurated(data []byte, workspaceID string) ([]Entry, *Fault) {
	var r curatedRecord
	if err := strict(data, &r); err != nil {
		return nil, documentFault(CuratedDocument, data, "", err)
	}
	var f fields
	schema := f.schema(r.SchemaVersion, 1, curatedSchema)
	f.scope(r.WorkspaceID, workspaceID)
	records := required(&f, "entries", r.Entries)
	f.check(checkNames(r, r.Others))
	if f.err != nil {
		return nil, documentFault(CuratedDocument, data, "", f.err)
	}
	entries, bad, err := decodeEntries(records, schema)
	if err != nil {
		return nil, documentFault(CuratedDocument, data, bad, err)
	}
	return entries, nil
}

// decodeEntries reads a list of entries and returns it in document order. On an error,
// bad is text of the entry that is refused.
func decodeEntries(records []entryRecord, schema int) (entries []Entry, bad string, err error) {
	entries = make([]Entry, 0, len(records))
	for i, r := range records {
		e, err := r.entry(schema)
		if err != nil {
			if r.Key != nil {
				return nil, *r.Key, fmt.Errorf("entry %q %w", clip(*r.Key), err)
			}
			return nil, "", fmt.Errorf("entry number %d %w", i+1, err)
		}
		entries = append(entries, e)
	}
	entries = sortedEntries(entries)
	bad, err = checkEntries(entries)
	return entries, bad, err
}

func sortedEntries(entries []Entry) []Entry {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, func(a, b Entry) int { return a.compare(&b) })
	return sorted
}

// checkEntries holds the rules between entries: no key twice, and in each domain an
// unbroken chain from revision 1 with one active entry, its last. bad names the entry.
func checkEntries(entries []Entry) (bad string, err error) {
	seen := make(map[string]bool, len(entries))
	chains := map[string][]*Entry{}
	for i := range entries {
		e := &entries[i]
		if seen[e.Key] {
			return e.Key, fmt.Errorf("entry %q stands there twice", clip(e.Key))
		}
		seen[e.Key] = true
		if e.MemoryKey != "" {
			chains[e.MemoryKey] = append(chains[e.MemoryKey], e)
		}
	}
	for _, e := range entries { // in document order, so that the same fault is named each time
		if chain := chains[e.MemoryKey]; chain != nil {
			delete(chains, e.MemoryKey)
			if bad, err := checkChain(e.MemoryKey, chain); err != nil {
				return bad, err
			}
		}
	}
	return "", nil
}

func checkChain(memoryKey string, chain []*Entry) (bad string, err error) {
	slices.SortFunc(chain, func(a, b *Entry) int { return a.Revision - b.Revision })
	active := 0
	for i, e := range chain {
		if e.Status == StatusActive {
			active++
		}
		switch {
		case active > 1:
			return e.Key, fmt.Errorf("the domain %s has more than one active entry", memoryKey)
		case e.Revision != i+1:
			return e.Key, fmt.Errorf("entry %q is revision %d of %s where %d was expected", clip(e.Key), e.Revision, memoryKey, i+1)
		case i > 0 && e.Supersedes != chain[i-1].Key:
			return e.Key, fmt.Errorf("entry %q supersedes %q, not the revision before it", clip(e.Key), clip(e.Supersedes))
		case i+1 < len(chain) && e.Status == StatusSuperseded && e.SupersededBy != chain[i+1].Key:
			return e.Key, fmt.Errorf("entry %q is superseded by %q, not by the revision after it", clip(e.Key), clip(e.SupersededBy))
		}
	}
	if last := chain[len(chain)-1]; last.Status != StatusActive {
		return last.Key, fmt.Errorf("the domain %s has no active entry behind its last revision", memoryKey)
	}
	return "", nil
}
