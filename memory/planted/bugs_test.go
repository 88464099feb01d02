package planted

const (
	store   = "./memory/filestore"
	engine  = "./memory"
	crash   = "./memory/crashtest"
	process = "./memory/crashtest/process"
)

// bugs is the table: what is planted, and which test catches it.
func bugs() []bug {
	return append(storeBugs(), engineBugs()...)
}

func storeBugs() []bug {
	const (
		appends = "memory/filestore/append.go"
		replace = "memory/filestore/replace.go"
		durable = "memory/filestore/durable.go"
		lock    = "memory/filestore/lock.go"
		layout  = "memory/filestore/layout.go"
		unix    = "memory/filestore/os_unix.go"
	)
	return []bug{
		{"an append is not synced", appends, "	err = s.sync(file)\n", "", store, "TestOperations"},
		{"acknowledged though the sync failed", appends, "	err = s.sync(file)\n", "	_ = s.sync(file)\n", store, "TestSealed"},
		{"the cut of a torn tail is not synced", appends, "	return s.sync(file)\n", "	return nil\n", store, "TestOperations"},
		{"written on though the sync of a cut failed", appends, "	return s.sync(file)\n", "	_ = s.sync(file)\n	return nil\n", store, "TestSealed"},
		{"half a record is not cut back", appends, "if cut := file.Truncate(keep); cut != nil {", "if cut := error(nil); cut != nil {", store, "Short|Fault|Append"},
		{"a torn tail is not dropped", appends, "if info.Size() > keep {", "if false {", store, "Conform|Store|Append"},
		{"a log shorter than was read is appended to", appends, "if info.Size() < keep {", "if false {", store, "Conform|Store|Append"},
		{"the temporary file is not synced", replace, "	if err == nil {\n		err = s.sync(file)\n	}\n", "", store, "TestOperations"},
		{"the folder is not synced behind a rename", replace, "if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {", "if err := error(nil); err != nil {", store, "TestOperations"},
		{"no folder is synced", unix, "syncsFolders = true", "syncsFolders = false", process, "TestSyncsReachTheKernel"},
		{"a leftover of a failed replace stays", replace, "_ = s.fs.Remove(temp) // else the next lease does", "", store, "."},
		{"the entry of a new file is not made durable", durable, "	if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {", "	if filepath.Dir(path) == \"\" {\n		err := s.fs.SyncDir(path)", store, "TestOperations"},
		{"writing goes on after a failed sync", durable, "	s.sealed = true\n", "", store, "Seal|Sync|Fault"},
		{"a short write passes for a whole one", durable, "if err == nil && n < len(data) {", "if err == nil && n < 0 {", store, "Short|Write|Fault"},
		{"a write without the lease", durable, "if !s.held {", "if false {", store, "."},
		{"the lock is not waited for", lock, "errors.Is(err, fs.ErrNotExist) || err == nil && !locked", "errors.Is(err, fs.ErrNotExist) || err == nil && !locked && path == \"\"", store, "Holder|Processes"},
		{"a dead holder's lock lies unused", lock, "	firstPause   = 5 * time.Millisecond\n	longestPause = 25 * time.Millisecond\n", "	firstPause   = 800 * time.Millisecond\n	longestPause = 800 * time.Millisecond\n", process, "TestKilledHolder"},
		{"two stores of one process do not know each other", lock, "slot, _ := slots.LoadOrStore(key, make(chan struct{}, 1))", "var slot any = make(chan struct{}, 1)", store, "."},
		{"a lock on a file that is no longer there", lock, "return err == nil && os.SameFile(held, named), err", "return err == nil && (os.SameFile(held, named) || err == nil), err", store, "TryLock"},
		{"a file that is a link is followed", layout, "func (s *Store) refuseOdd(path string, info fs.FileInfo) error {\n", "func (s *Store) refuseOdd(path string, info fs.FileInfo) error {\n	return nil\n", store, "Link|Odd|Refuse"},
	}
}

func engineBugs() []bug {
	const (
		appends = "memory/append.go"
		apply   = "memory/apply.go"
		follow  = "memory/follow.go"
		journal = "memory/journal.go"
		resolve = "memory/resolve.go"
		run     = "memory/engine.go"
		propose = "memory/propose.go"
		cases   = "memory/conflicts.go"
	)
	return []bug{
		{"a decision without its journal", apply, "	if err := e.store.Append(JournalLog, e.follow.journalTail.end, data); err != nil {\n		return e.unsure(t, err)\n	}\n", "", engine, "TestFaults|TestVectors"},
		{"a pending adjudication is not finished", apply, "if e.follow.journal.pending != nil {", "if false {", engine, "TestFaults|TestVectors"},
		{"the journal is trusted as read", apply, "	if recovering {\n		if err := e.renewJournal()", "	if false {\n		if err := e.renewJournal()", crash, "TestOperations|TestPowerLoss"},
		{"torn tails stay", apply, "		if !t.torn() {\n			continue\n		}\n", "		continue\n", engine, "TestTornTailsAreCut"},
		{"MEMORY.md is not rebuilt", apply, "	if f.curated.stamp == (Stamp{}) || f.curated.fault != nil {\n		return nil\n	}\n", "	return nil\n", engine, "TestVectors"},
		{"a retry is not made durable", appends, "	return e.secure(retried)\n", "	return nil\n", crash, "TestOperations"},
		{"a moved store is written to", appends, "		if fault.Code == CodeScope {\n			return fault\n		}\n", "		_ = fault\n", engine, "Moved"},
		{"files are written over, whatever they hold", journal, "	return false, &Fault{Code: CodeCorrupt, File: string(name), Reason: fmt.Sprintf(", "	return true, nil\n	return false, &Fault{Code: CodeCorrupt, File: string(name), Reason: fmt.Sprintf(", engine, "TestVectors"},
		{"the intent's hash is not checked", journal, "	if err := checkHash(raw, hash); err != nil {", "	if err := error(nil); err != nil {", engine, "TestVectors"},
		{"phases come in any order", journal, "case slices.Index(phases(), p) != slices.Index(phases(), t.phase)+1:", "case false:", engine, "TestPhases"},
		{"an event of other contents passes", journal, "		if !a.equal(i.adjudication) {", "		if false {", engine, "."},
		{"a retried event decides again", resolve, "	a, ok = s.Adjudication(r.EventID)\n", "", engine, "."},
		{"a stale revision decides", resolve, "	case c.Revision != r.Revision:\n", "	case false:\n", engine, "TestVectors"},
		{"evidence that came since is not looked at", resolve, "if !slices.Equal(c.ObservedFactIDs, observed(s, c.MemoryKey, active.EvidenceIDs)) {", "if false {", engine, "TestVectors"},
		{"readers see half of an adjudication", follow, "	return s.with(func(s *State) { s.foresee(t) })\n", "	return s\n", engine, "Readers|TestFaults"},
		{"a rewritten log is read on from its middle", follow, "	case now.ID != t.stamp.ID || now.Size < t.end || now.Size == t.stamp.Size:\n		return rewritten\n", "", engine, "."},
		{"another fact under a known id passes", follow, "	if !fact.same(&known, false) {", "	if false {", engine, "."},
		{"a fact in another day's log passes", follow, "if own := DailyLog(fact.RecordedAt); own != name {", "if false {", engine, "."},
		{"curated.json is written before conflicts.json", run, "	if len(result.Cases) > 0 {\n", "	if len(result.Entries) > 0 {\n		if err := e.store.Replace(CuratedDocument, documents.curated); err != nil {\n			return err\n		}\n	}\n	if len(result.Cases) > 0 {\n", crash, "TestOperations"},
		{"a human's choice is replaced by a run", propose, "	if active == nil || !p.policy.AdjudicationsHold {", "	if true {", engine, "Human"},
		{"a fingerprint is not checked", "memory/conflicts.go", "	if c.Fingerprint != fingerprint {", "	if fingerprint == \"\" {", engine, "TestVectors"},
		{"two open cases in a domain pass", cases, "			if open[c.MemoryKey] {", "			if false {", engine, "."},
	}
}
