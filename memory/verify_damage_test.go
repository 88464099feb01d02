package memory_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// damages lists every kind of finding.
func damages(w *wreck) []damage {
	rows := slices.Concat(logDamages(w), documentDamages(w), evidenceDamages(w), decisionDamages(w), journalDamages(w), projectionDamages(w))
	if runtime.GOOS != "windows" {
		rows = append(rows, surroundingDamages(w)...)
	}
	return append(rows, damage{"nothing", func() {}, nil})
}

func keyOf(key string) string { return `"key": "` + key + `"` }
func idOf(id string) string   { return `"conflict_id": "` + id + `"` }

func logDamages(w *wreck) []damage {
	redis := day(70)
	return []damage{
		{"a line that is no JSON", func() { w.swap(day(50), `{"content": "Redis was`, `{"content" "Redis was`) },
			[]found{fault(day(50), `"content" "Redis`, "invalid JSON")}},
		{"a record of a schema to come", func() { w.behind(day(50), `"k6"`, `"schema_version": 2`, `"schema_version": 9`) },
			[]found{fault(day(50), "k6", "unknown schema_version 9")}},
		{"a record without a content", func() { w.swap(day(50), `"content": "Redis`, `"contents": "Redis`) },
			[]found{fault(day(50), "k6", "has no content")}},
		{"records of another project", func() { w.swap(redis, `"workspace_id": "`, `"workspace_id": "f`) },
			[]found{fault(redis, "u1", "belongs to workspace \"f6a9f0cac676ea8f6\", and so do later lines")}},
		{"a record in another day's log", func() { w.behind(day(50), `"k6"`, "2026-04-12", "2026-04-13") },
			[]found{fault(day(50), "k6", "stands in another day's log")}},
		{"an id for two facts", func() { w.swap(day(50), `"k6"`, `"k1"`) },
			[]found{fault(day(50), `"k1"`, `stands at daily/2026-03-23.jsonl:2 for another fact`)}},
		{"a fact twice", func() { text := w.read(redis); w.write(redis, text+"\n"+text) },
			[]found{
				{"note", redis, "4", "the fact \"u1\" stands in daily/2026-03-23.jsonl:1 too"},
				{"note", redis, "5", "the fact \"k1\" stands in daily/2026-03-23.jsonl:2 too"},
			}},
		{"a torn line", func() { w.write(redis, w.read(redis)+`{"content": "Half a`) },
			[]found{note(redis, "Half a", "torn")}},
		{"an unended line that is no record", func() { w.write(redis, w.read(redis)+`{"content": "Whole."}`) },
			[]found{fault(redis, "Whole", "has no workspace_id")}},
	}
}

func documentDamages(w *wreck) []damage {
	return []damage{
		{"curated.json is no JSON", func() { w.swap(curated, `"key": "`+w.second+`",`, `"key": "`+w.second+`"`) },
			[]found{fault(curated, "\"kind\": \"decision\",\n      \"last_seen\": \"2026-03-14", "invalid JSON")}},
		{"curated.json of a schema to come", func() { w.swap(curated, `"schema_version": 2`, `"schema_version": 9`) },
			[]found{fault(curated, "{", "unknown schema_version 9")}},
		{"curated.json of another project", func() { w.swap(curated, `"workspace_id": "`, `"workspace_id": "f`) },
			[]found{fault(curated, "{", "belongs to workspace")}},
		{"two bad entries", func() {
			w.behind(curated, w.first, `"occurrences": 1`, `"occurrences": 3`)
			w.behind(curated, w.second, `"revision": 2`, `"revision": 0`)
		}, []found{
			fault(curated, keyOf(w.first), "counts 3 occurrences and has 1"),
			fault(curated, keyOf(w.second), "has revision 0"),
		}},
		{"a chain that skips a revision", func() { w.behind(curated, w.second, `"revision": 2`, `"revision": 3`) },
			[]found{fault(curated, keyOf(w.second), "is revision 3 of storage.database where 2 was expected")}},
		{"conflicts.json of a schema to come", func() { w.swap(conflicts, `"schema_version": 1`, `"schema_version": 9`) },
			[]found{fault(conflicts, "{", "unknown schema_version 9")}},
		{"two bad cases", func() {
			w.behind(conflicts, w.case2, `"fingerprint": "`, `"fingerprint": "0`)
			w.behind(conflicts, w.case1, `"resolution_actor": "lead"`, `"resolution_actor": null`)
		}, []found{
			fault(conflicts, idOf(w.case2), "has a fingerprint that does not match"),
			fault(conflicts, idOf(w.case1), "is resolved and does not have all of its resolution"),
		}},
		{"a candidate whose words were edited", func() { w.swap(conflicts, "Use the disk.", "Use the tape.") },
			[]found{fault(conflicts, idOf(w.case2), "whose id does not match what it says")}},
		{"an audit line that is no record", func() { w.swap(auditLog, `"rationale": "Because."`, `"rationale": 1`) },
			[]found{fault(auditLog, "event:1", "wrong type")}},
		{"an event twice", func() { text := w.read(auditLog); w.write(auditLog, text+text) },
			[]found{{"fault", auditLog, "2", "stands in line 1 already"}}},
		{"a torn audit", func() { w.write(auditLog, w.read(auditLog)+`{"actor": "x`) },
			[]found{note(auditLog, `"actor": "x`, "torn")}},
	}
}

// evidenceDamages edit what the reader takes as it is.
func evidenceDamages(w *wreck) []damage {
	edited := note("MEMORY.md", "paths", "it is not what curated.json says")
	return []damage{
		{"an entry that says something else", func() { w.swap(curated, "Keep paths relative.", "Keep paths absolute.") },
			[]found{edited, fault(curated, `"key": "9`, "does not follow from what it says")}},
		{"an entry in other words", func() { w.swap(curated, "Keep paths relative.", "KEEP paths relative.") },
			[]found{note("MEMORY.md", "Keep", "it is not"), fault(curated, `"key": "9`, "has a wording that none of its facts has")}},
		{"a log that is gone", func() { w.remove(day(60)) },
			[]found{fault(curated, `"key": "9`, `rests on the fact "u2", which is in no log`)}},
		{"logs that are gone", func() { w.remove(day(50)); w.remove(day(49)) },
			[]found{fault(conflicts, idOf(w.case2), `rests on the facts "k2", "k3", which are in no log`)}},
		{"many facts that are gone", func() {
			w.swap(curated, `"u2"
      ]`, `"u2", "u3", "u4", "u5", "u6"
      ]`)
			w.behind(curated, `"9`, `"occurrences": 2`, `"occurrences": 6`)
		}, []found{
			note("MEMORY.md", "paths", "it is not"),
			fault(curated, `"key": "9`, `"u3", "u4", "u5", which are in no log, and 1 more`),
		}},
		{"an entry that rests on nothing", func() {
			w.swap(curated, `"u1",`, "")
			w.swap(curated, `"u2"`, "")
			w.behind(curated, `"9`, `"occurrences": 2`, `"occurrences": 0`)
		}, []found{note("MEMORY.md", "paths", "it is not"), fault(curated, `"key": "9`, "rests on no fact")}},
		{"a fact that was moved to another key", func() { w.behind(day(60), "u2", "null", `"build.tool"`) },
			[]found{fault(curated, `"key": "9`, `rests on the fact "u2" (daily/2026-04-02.jsonl:1), which is about another memory key`)}},
		{"a fact of another kind", func() { w.behind(day(60), "u2", "decision", "outcome") },
			[]found{fault(curated, `"key": "9`, "which is of another kind")}},
		{"a fact that says something else", func() { w.swap(day(60), "relative", "absolute") },
			[]found{fault(curated, `"key": "9`, "which says something else")}},
		{"a first time that is not the facts'", func() { w.behind(curated, "Keep", "03-23", "03-22") },
			[]found{fault(curated, `"key": "9`, "was first seen 2026-03-22T12:00:00Z, its facts 2026-03-23T12:00:00Z")}},
		{"a fact at another time", func() { w.behind(day(60), "u2", "T12", "T13") },
			[]found{fault(curated, `"key": "9`, "was last seen 2026-04-02T12:00:00Z, its facts 2026-04-02T13:00:00Z")}},
		{"a fact that was made important", func() { w.behind(day(49), "k5", `"importance": 4`, `"importance": 5`) },
			[]found{fault(conflicts, idOf(w.case2), "has the importance 4, its facts 5")}},
		{"an observed fact that is gone", func() { w.write(day(50), strings.Join(strings.SplitAfter(w.read(day(50)), "\n")[:2], "")) },
			[]found{fault(conflicts, idOf(w.case2), `observed the fact "k6", which is in no log`)}},
		{"an observed fact that was moved to another key", func() { w.behind(day(50), "k6", "cache.engine", "build.tool") },
			[]found{fault(conflicts, idOf(w.case2), `observed the fact "k6" (daily/2026-04-12.jsonl:3), which is not about cache.engine`)}},
	}
}

// decisionDamages change one record of a decision, or two in the same way.
func decisionDamages(w *wreck) []damage {
	both := func(old, with string) {
		w.behind(conflicts, w.case1, old, with)
		w.behind(auditLog, w.case1, old, with)
	}
	event := func(what string) found { return fault(auditLog, "event:1", what) }
	unlike := event("is not what line 1 of the journal recorded")
	return []damage{
		{"an actor in the audit", func() { w.swap(auditLog, `"lead"`, `"deputy"`) },
			[]found{event("differ in resolution_actor"), unlike}},
		{"a reason in the case", func() { w.swap(conflicts, "Because.", "Why not.") },
			[]found{event("differ in resolution_rationale")}},
		{"a case that is open again", func() { w.reopen() },
			[]found{event("differ in status, resolution_event_id, selected_candidate_id, resolution_actor")}},
		{"a case that is gone", func() { w.write(conflicts, `{"cases": [], "schema_version": 1, "workspace_id": "6a9f0cac676ea8f6"}`) },
			[]found{event(`which does not exist`)}},
		{"an audit that is gone", func() { w.remove(auditLog) }, []found{
			fault(journal, "prepared", `event "event:1" is committed, and the audit does not have it`),
			fault(conflicts, idOf(w.case1), `was decided by event "event:1", which is not in the audit`),
		}},
		{"another event in the case", func() { w.swap(conflicts, "event:1", "event:2") }, []found{
			event("differ in resolution_event_id"),
			fault(conflicts, idOf(w.case1), `was decided by event "event:2", which is not in the audit`),
		}},
		{"other evidence in the audit", func() { w.swap(auditLog, `"c1-1", "c2-1"`, `"c1-1"`) },
			[]found{unlike, event("rests on other facts than the candidate that it chose")}},
		{"curated.json that is gone", func() { w.remove(curated) }, []found{
			note("MEMORY.md", "", "there is no curated.json"),
			event("found the entry"),
			event("put the entry"),
		}},
		{"what came before put in force", func() { both(w.second, w.first) },
			[]found{unlike, event("which does not follow what was in force before")}},
		{"another challenger chosen", func() { both(w.chosen, w.other) },
			[]found{unlike, event("which does not say what was chosen"), event("rests on other facts")}},
		{"what was in force chosen", func() { both(w.chosen, w.incumbent) },
			[]found{unlike, event("which is not what was in force, though that was chosen"), event("rests on other facts")}},
		{"an entry that lost evidence", func() {
			w.behind(curated, "Use MySQL.", `"c1-1",`, "")
			w.behind(curated, "Use MySQL.", `"occurrences": 2`, `"occurrences": 1`)
		}, []found{
			note("MEMORY.md", "MySQL", "it is not"),
			event("has lost evidence of what was chosen"),
			fault(curated, keyOf(w.second), "was first seen"),
		}},
	}
}

func journalDamages(w *wreck) []damage {
	return []damage{
		{"an intent that was edited", func() { w.behind(journal, "intent", "Because.", "Why not.") },
			[]found{fault(journal, "prepared", "its hash does not match")}},
		{"an intent that was edited, and its hash", func() { w.rehash("Because.", "") },
			[]found{fault(journal, "prepared", "the adjudication rationale")}},
		{"an intent of another decision", func() { w.rehash("Because.", "Why not.") },
			[]found{fault(auditLog, "event:1", "is not what line 1 of the journal recorded")}},
		{"a phase that is missing", func() {
			lines := strings.SplitAfter(w.read(journal), "\n")
			w.write(journal, strings.Join(slices.Delete(lines, 2, 3), ""))
		}, []found{fault(journal, "audit_appended", "after curated_applied")}},
		{"a phase of another project", func() { w.behind(journal, "committed", `"workspace_id": "`, `"workspace_id": "f`) },
			[]found{fault(journal, "committed", "belongs to workspace")}},
		{"a journal without the decision", func() { w.write(journal, "") },
			[]found{fault(auditLog, "event:1", "is in no transaction of the journal")}},
		{"a journal that is gone", func() { w.remove(journal) },
			[]found{note(journal, "", "it is gone, and the audit holds decisions")}},
		{"a torn journal", func() { w.write(journal, w.read(journal)+`{"half`) },
			[]found{note(journal, `{"half`, "torn")}},
		{"a decision that is not finished", w.interrupt, []found{note(journal, "prepared", `the adjudication of event "event:1" is not finished`)}},
		{"files that are neither before nor after", func() {
			w.interrupt()
			w.swap(curated, `"evidence_ids": [
        "z1"
      ]`, `"evidence_ids": []`)
			w.behind(curated, "Another", `"occurrences": 1`, `"occurrences": 0`)
		}, []found{
			note("MEMORY.md", "Another", "it is not"),
			fault(curated, "", "is neither what it was before transaction"),
			fault(curated, `"key": "fb7`, "rests on no fact"),
		}},
	}
}

func projectionDamages(w *wreck) []damage {
	return []damage{
		{"MEMORY.md edited", func() { w.swap("MEMORY.md", "Use MySQL.", "Use Oracle.") },
			[]found{note("MEMORY.md", "Oracle", "it is not what curated.json says")}},
		{"MEMORY.md cut", func() { w.write("MEMORY.md", "# Workspace Memory\n") },
			[]found{note("MEMORY.md", "#", "it is not what curated.json says")}},
		{"MEMORY.md gone", func() { w.remove("MEMORY.md") },
			[]found{note("MEMORY.md", "", "it is not what curated.json says")}},
		{"a MEMORY.md of no store", func() {
			w.dir = w.t.TempDir()
			writeFolder(w.t, storeIn(w.dir), map[string]string{"MEMORY.md": "# Mine\n"})
		}, []found{note("MEMORY.md", "", "there is no curated.json")}},
	}
}

func surroundingDamages(w *wreck) []damage {
	chmod := func(name string, mode os.FileMode) func() {
		return func() {
			if err := os.Chmod(w.path(name), mode); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	return []damage{
		{"a file for all to read", chmod(curated, 0o644), []found{note(curated, "", "its mode is 0644, not 0600")}},
		{"a log that nobody may write", chmod(day(50), 0o400), []found{note(day(50), "", "its mode is 0400, not 0600")}},
		{"a folder for all to enter", chmod("daily", 0o755), []found{note("daily", "", "its mode is 0755, not 0700")}},
		{"the folder for all to enter", chmod("", 0o755), []found{note(".learn_workbuddy/memory", "", "its mode is 0755, not 0700")}},
		{"the folder around it for all to write", chmod("..", 0o777), []found{note(".learn_workbuddy", "", "its mode is 0777: others may write in it")}},
		{"the folder around it for all to enter", chmod("..", 0o755), nil},
		{"what a dead writer left", func() { w.write(".docket-1.tmp", "x"); w.write("daily/.docket-2.tmp", "x") }, []found{
			note(".docket-1.tmp", "", "a temporary file"), note("daily/.docket-2.tmp", "", "a temporary file"),
		}},
		{"what is not ours", func() { w.write("curated.json~", "x"); w.write("daily/notes.txt", "x") }, []found{
			note(curated+"~", "", "not of the layout"), note("daily/notes.txt", "", "not of the layout"),
		}},
		{"a lease that leads elsewhere", func() { w.link(".lease") }, []found{fault(".lease", "", "it is a symbolic link")}},
		{"a log that leads elsewhere", func() { w.link(day(50)) }, []found{fault(day(50), "", "it is a symbolic link")}},
	}
}

// interrupt makes another store, of which a decision's last phases were not written.
func (w *wreck) interrupt() {
	w.t.Helper()
	w.dir = w.t.TempDir()
	e := openFaulty(w.t, w.dir, nil)
	setupCase(w.t, e)
	if err := choose(false)(e); err != nil {
		w.t.Fatal(err)
	}
	prepared, _, _ := strings.Cut(w.read(journal), "\n")
	w.write(journal, prepared+"\n")
}

// link puts a file or a folder elsewhere, and a link in its place.
func (w *wreck) link(name string) {
	w.t.Helper()
	err := os.Rename(w.path(name), w.path("../elsewhere"))
	if err := errors.Join(err, os.Symlink("../elsewhere", w.path(name))); err != nil {
		w.t.Fatal(err)
	}
}

// rehash edits what the intent says and makes its hash anew, as whoever knows the format
// could.
func (w *wreck) rehash(old, with string) {
	w.t.Helper()
	var line struct {
		Intent json.RawMessage
		Hash   string `json:"intent_sha256"`
	}
	first, rest, _ := strings.Cut(w.read(journal), "\n")
	edited := strings.Replace(first, old, with, 1)
	if err := json.Unmarshal([]byte(edited), &line); err != nil {
		w.t.Fatal(err)
	}
	var intent any
	if err := json.Unmarshal(line.Intent, &intent); err != nil {
		w.t.Fatal(err)
	}
	var canonical bytes.Buffer
	encoder := json.NewEncoder(&canonical)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(intent); err != nil {
		w.t.Fatal(err)
	}
	sum := sha256.Sum256(bytes.TrimSuffix(canonical.Bytes(), []byte{'\n'}))
	w.write(journal, strings.ReplaceAll(edited+"\n"+rest, line.Hash, hex.EncodeToString(sum[:])))
}

// reopen takes from the decided case what closed it.
func (w *wreck) reopen() {
	before, after, _ := strings.Cut(w.read(conflicts), w.case1)
	after = strings.ReplaceAll(after, `"status": "resolved"`, `"status": "open"`)
	closing := regexp.MustCompile(`"(res[a-z_]+|selected_candidate_id)": "[^"]*"`)
	w.write(conflicts, before+w.case1+closing.ReplaceAllString(after, `"$1": null`))
}
