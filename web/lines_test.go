package web

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// lines maps what a reviewer's page must do, by its numbers, to the test that holds it.
// Names begin with the numbers. A test that is called with scripts on and off says so by
// both. Line 39 is TestAxe too, over every scene; line 44 is in every tab: a test fails
// with anything that its browser said and that it did not ask for.
func lines() []struct {
	name string
	test func(*testing.T)
} {
	return []struct {
		name string
		test func(*testing.T)
	}{
		{"01_filter_sort_and_page_in_the_address", lineAddress},
		{"02_back_restores_the_list", lineBack},
		{"03_05_what_waits_first_and_in_words", lineWaits},
		{"04_groups_of_each_reader", lineGroups},
		{"06_keys_move_with_the_focus", lineKeys},
		{"07_keys_stay_out_of_the_way", lineKeysOff},
		{"08_next_case_of_the_same_filter", lineNext},
		{"09_set_aside", lineAside},
		{"10_bulk_marks_row_by_row", lineBulk},
		{"11_empty_states_differ", lineEmpty},
		{"12_rows_and_targets", lineRows},

		{"13_all_visible_or_stacked", lineVisible},
		{"14_differences_by_word_and_character", lineDifferences},
		{"15_long_text_folds", lineFolds},
		{"16_one_challenger_for_all_who_say_it", lineChallenger},
		{"17_evidence_and_its_anchor", lineEvidence},
		{"18_since_you_looked", lineSince},
		{"19_a_newer_revision_is_said", lineBanner},
		{"20_an_old_revision_is_read_only", lineReadOnly},
		{"21_invisible_characters_are_shown", lineInvisible},

		{"22_nothing_chosen_and_what_changes_first", lineConsent},
		{"23_invalid_form", lineInvalid},
		{"24_25_26_27_stale_form", lineStale},
		{"28_decided_by_another", lineDecided},
		{"29_double_click", lineDouble},
		{"29_enter_twice", lineEnter},
		{"30_reload_sends_nothing", lineReload},
		{"31_draft_survives_the_tab", lineDraft},
		{"32_server_gone", lineGone},

		{"39_axe_finds_nothing_after_a_swap", lineAxe},
		{"40_42_43_44_every_page", lineEveryPage},
		{"41_ids_copy", lineCopy},
		{"42_focus_is_on_the_result", lineFocus},
		{"42_focus_is_on_the_notice", lineNotice},
		{"43_focus_is_seen", lineHeader},
		{"44_the_browser_is_heard", lineNoise},
		{"45_print", linePrint},
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, l := range lines() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			l.test(t)
		})
	}
}

// TestLinesAreAllHere holds that no number is without a test.
func TestLinesAreAllHere(t *testing.T) {
	t.Parallel()
	held := map[int]bool{}
	for _, l := range lines() {
		for part := range strings.SplitSeq(l.name, "_") {
			n, err := strconv.Atoi(part)
			if err != nil {
				break
			}
			held[n] = true
		}
	}
	for n := 1; n <= 45; n++ {
		if elsewhere := n > 32 && n < 39; held[n] == elsewhere { // those are of the audit, not of these pages
			t.Errorf("line %d: held %v, want %v", n, held[n], !elsewhere)
		}
	}
}

// record is the one button that records a decision.
const record = "#decision button.primary"

// many serves a project with n open cases, which began to wait an hour apart.
func many(t *testing.T, n int) *bench {
	t.Helper()
	b := newBench(t)
	for i := range n {
		key := fmt.Sprintf("area%02d.choice", i)
		b.record(key, "Use Postgres.", "01-10", "01-11")
		b.record(key, "Use MySQL.", "01-10", "01-11")
	}
	b.distill()
	return b
}

// rows are the keys of the desk as they are listed.
func (t *tab) rows() []string {
	t.t.Helper()
	return ask[[]string](t, `Array.from(document.querySelectorAll(".desk .key"), e => e.textContent.trim())`)
}

// row is the selector of what is in the row of a case.
func row(id, within string) string { return `.desk li:has(a[href*="` + id + `"]) ` + within }

// as serves the same project to another reader. The second server has a port, a cookie
// and an actor of its own, and the same state folder.
func (b *bench) as(actor string) *bench {
	b.t.Helper()
	other := *b
	other.serve(func(c *Config) { c.Actor = actor })
	return &other
}

// of is the same project for a part of its test.
func (b *bench) of(t *testing.T) *bench {
	part := *b
	part.t = t
	return &part
}

// move brings the open case on the storage key to its next revision: each challenger is
// said once more.
func (b *bench) move() {
	b.t.Helper()
	b.say(storageKey, "Use Postgres.", 45, "migration-tool", "deploy/db.tf")
	b.say(storageKey, "Use MySQL.", 45, "agent", "ops/迁移.md")
}
