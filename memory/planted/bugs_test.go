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
		lease   = "memory/filestore/lease.go"
		read    = "memory/filestore/read.go"
		unix    = "memory/filestore/os_unix.go"
	)
	return []bug{
		{"an append is not synced", appends, "	err = s.sync(file)\n", "", store, "TestOperations"},
		{"acknowledged though the sync failed", appends, "	err = s.sync(file)\n", "	_ = s.sync(file)\n", store, "TestSealed"},
		{"the cut of a torn tail is not synced", appends, "	return s.sync(file)\n", "	return nil\n", store, "TestOperations"},
		{"written on though the sync of a cut failed", appends, "	return s.sync(file)\n", "	_ = s.sync(file)\n	return nil\n", store, "TestSealed"},
		{"what was not synced is not taken back", appends, "	if err != nil && len(data) > 0 {\n", "	if false {\n", store, "TestUnsyncedIsTakenBack"},
		{"half a record is not cut back", appends, "if cut := file.Truncate(keep); cut != nil {", "if cut := error(nil); cut != nil {", store, "TestFaults"},
		{"a torn tail is not dropped", appends, "if info.Size() > keep {", "if false {", store, "TestConformance"},
		{"a log shorter than was read is appended to", appends, "if info.Size() < keep {", "if false {", store, "TestConformance"},
		{"the temporary file is not synced", replace, "	if err == nil {\n		err = s.sync(file)\n	}\n", "", store, "TestOperations"},
		{"the folder is not synced behind a rename", replace, "if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {", "if err := error(nil); err != nil {", store, "TestOperations"},
		{"documents of others are not made durable", replace, "if err := s.fs.SyncDir(s.folder()); err != nil {", "if err := error(nil); err != nil {", store, "TestOperations"},
		{"a document that cannot be looked at needs no sync", replace, "			return err // not passed over", "			continue // passed over", store, "TestLeaseSettlesOrFails"},
		{"no folder is synced", unix, "syncsFolders = true", "syncsFolders = false", process, "TestSyncsReachTheKernel"},
		{"a leftover of a failed replace stays", replace, "_ = s.fs.Remove(temp) // else the next lease does", "", store, "TestErrors"},
		{"the entry of a new file is not made durable", durable, "	if err := s.fs.SyncDir(filepath.Dir(path)); err != nil {", "	if filepath.Dir(path) == \"\" {\n		err := s.fs.SyncDir(path)", store, "TestOperations"},
		{"writing goes on after a failed sync", durable, "	s.sealed = true\n", "", store, "TestSealed"},
		{"a sealed store is written to", durable, "	if s.sealed {\n", "	if false {\n", store, "TestSealed"},
		{"a sealed store leases", lease, "	if s.sealed {\n", "	if false {\n", store, "TestSealed"},
		{"a failed sync is tried again, and believed", durable, "	if err := file.Sync(); err != nil {\n", "	if err := file.Sync(); err != nil && file.Sync() != nil {\n", store, "TestSealed"},
		{"a failed sync is tried again, and told", durable, "	if err := file.Sync(); err != nil {\n", "	if err := file.Sync(); err != nil {\n		_ = file.Sync()\n", store, "TestSealed"},
		{"a short write passes for a whole one", durable, "if err == nil && n < len(data) {", "if err == nil && n < 0 {", store, "TestShortWriteWithoutAnError"},
		{"a write without the lease", durable, "if !s.held {", "if false {", store, "TestWriteWithoutLease"},
		{"the lock is not waited for", lock, "errors.Is(err, fs.ErrNotExist) || err == nil && !locked", "errors.Is(err, fs.ErrNotExist) || err == nil && !locked && path == \"\"", store, "TestStoppedHolder"},
		{"a dead holder's lock lies unused", lock, "	firstPause   = 5 * time.Millisecond\n	longestPause = 25 * time.Millisecond\n", "	firstPause   = 800 * time.Millisecond\n	longestPause = 800 * time.Millisecond\n", process, "TestKilledHolder"},
		{"two stores of one process do not know each other", lock, "slot, _ := slots.LoadOrStore(key, make(chan struct{}, 1))", "var slot any = make(chan struct{}, 1)", store, "TestSlot"},
		{"a lock on a file that is no longer there", lock, "return err == nil && os.SameFile(held, named), err", "return err == nil && (os.SameFile(held, named) || err == nil), err", store, "TestTryLock"},
		{"a file that is a link is followed", layout, "func (s *Store) refuseOdd(path string, info fs.FileInfo) error {\n", "func (s *Store) refuseOdd(path string, info fs.FileInfo) error {\n	return nil\n", store, "TestOddFiles/link"},
		{"a link is followed where it is opened", unix, "noFollow = syscall.O_NOFOLLOW", "noFollow = 0", store, "TestReadBecomesOdd"},
		{"a file that cannot be looked at is not there", layout, "	if errors.Is(err, fs.ErrNotExist) {\n		return false, nil, nil", "	if err != nil {\n		return false, nil, nil", store, "TestReadErrors"},
		{"days that cannot be listed are none", read, "	if err != nil {\n		return nil, s.unreadable(s.dailyFolder(), err)\n	}\n", "	if err != nil {\n		return days, nil\n	}\n", store, "TestReadErrors"},
		{"bytes that cannot be read are none", read, "	if err != nil && !errors.Is(err, io.EOF) {", "	if err != nil && errors.Is(err, io.ErrClosedPipe) {", store, "TestReadErrors"},
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
		facts   = "memory/fact.go"
	)
	return []bug{
		{"a decision without its journal", apply, "	if err := e.store.Append(JournalLog, e.follow.journalTail.end, data); err != nil {\n		return e.unsure(t, err)\n	}\n", "", engine, "TestFaults"},
		{"a pending adjudication is not finished", apply, "if e.follow.journal.pending != nil {", "if false {", engine, "TestFaults"},
		{"the journal is trusted as read", apply, "	if recovering {\n		if err := e.renewJournal()", "	if false {\n		if err := e.renewJournal()", crash, "TestOperations"},
		{"torn tails stay", apply, "		if !t.torn() {\n			continue\n		}\n", "		continue\n", engine, "TestTornTailsAreCut"},
		{"MEMORY.md is not rebuilt", apply, "	if f.curated.stamp == (Stamp{}) || f.curated.fault != nil {\n		return nil\n	}\n", "	return nil\n", engine, "TestVectors"},
		{"a retry is not made durable", appends, "	return e.secure(retried)\n", "	return nil\n", crash, "TestOperations"},
		{"a moved store is written to", appends, "		if fault.Code == CodeScope || fault.Code == CodeIO {\n			return fault\n		}\n", "		_ = fault\n", engine, "TestAppendIntoAMovedStoreIsRefused"},
		{"files are written over, whatever they hold", journal, "	return false, &Fault{Code: CodeCorrupt, File: string(name), Reason: fmt.Sprintf(", "	return true, nil\n	return false, &Fault{Code: CodeCorrupt, File: string(name), Reason: fmt.Sprintf(", engine, "TestVectors"},
		{"the intent's hash is not checked", journal, "	if err := checkHash(raw, hash); err != nil {", "	if err := error(nil); err != nil {", engine, "TestVectors"},
		{"phases come in any order", journal, "case slices.Index(phases(), p) != slices.Index(phases(), t.phase)+1:", "case false:", engine, "TestPhases"},
		{"an event of other contents passes", journal, "		if !a.equal(i.adjudication) {", "		if false {", engine, "TestJudge"},
		{"a retried event decides again", resolve, "	a, ok = s.Adjudication(r.EventID)\n", "", engine, "TestVectors"},
		{"a stale revision decides", resolve, "	case c.Revision != r.Revision:\n", "	case false:\n", engine, "TestVectors"},
		{"evidence that came since is not looked at", resolve, "if !slices.Equal(c.ObservedFactIDs, observed(s, c.MemoryKey, active.EvidenceIDs)) {", "if false {", engine, "TestVectors"},
		{"another fingerprint decides", resolve, "case r.Fingerprint != \"\" && r.Fingerprint != c.Fingerprint:", "case false:", engine, "TestAnotherFingerprintIsStale"},
		{"readers see half of an adjudication", follow, "	return s.with(func(s *State) { s.foresee(t) })\n", "	return s\n", engine, "TestFaults"},
		{"a rewritten log is read on from its middle", follow, "	case now.ID != t.stamp.ID || now.Size < t.end || now.Size == t.stamp.Size:\n		return rewritten\n", "", engine, "TestFollowDays"},
		{"another fact under a known id passes", follow, "	if !fact.same(&known, false) {", "	if false {", engine, "TestFollowDays"},
		{"a fact in another day's log passes", follow, "if own := DailyLog(fact.RecordedAt); own != name {", "if false {", engine, "TestFactsDay"},
		{"curated.json is written before conflicts.json", run, "	if len(result.Cases) > 0 {\n", "	if len(result.Entries) > 0 {\n		if err := e.store.Replace(CuratedDocument, documents.curated); err != nil {\n			return err\n		}\n	}\n	if len(result.Cases) > 0 {\n", crash, "TestOperations"},
		{"what a run rests on is not made durable", run, "if err := e.secure(e.restsOn(result)); err != nil {", "if err := error(nil); err != nil {", crash, "TestOperations"},
		{"a record of any length is written", facts, "	if len(b) > MaxRecord {", "	if len(b) < 0 {", engine, "TestDraftRefusals"},
		{"a human's choice is replaced by a run", propose, "	if active == nil || !p.policy.AdjudicationsHold {", "	if true {", engine, "TestRunNeverReplacesWhatAHumanChose"},
		{"a fingerprint is not checked", "memory/conflicts.go", "	if c.Fingerprint != fingerprint {", "	if fingerprint == \"\" {", engine, "TestVectors"},
		{"two open cases in a domain pass", cases, "			if open[c.MemoryKey] {", "			if false {", engine, "TestCaseRefusals"},
	}
}
