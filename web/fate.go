package web

import (
	"cmp"
	"time"

	"docket/memory"
	"docket/templates"
)

// fates tells what became of the facts of one state, and what the others still miss
// under this server's policy. It explains what distillation did or will do, and decides
// nothing.
type fates struct {
	state  *memory.State
	policy memory.Policy
	now    time.Time
	loose  map[group]proposal // unkeyed aged facts by what they say; made when first needed
}

// A group is what facts share that say the same.
type group struct {
	kind memory.Kind
	form string // normal form of the content
}

// A proposal is the aged facts of a group that are in no entry yet.
type proposal struct {
	facts      int
	importance int // highest, with source confidence
	latest     time.Time
}

func (s *server) fates(state *memory.State) *fates {
	return &fates{state: state, policy: s.cfg.Policy, now: s.cfg.Now().UTC()}
}

// of returns what became of a fact.
func (f *fates) of(fact memory.Fact) templates.Fate {
	if fact.Kind == memory.Outcome {
		return templates.Fate{Is: templates.FateOutcome}
	}
	if f.state.Readable(memory.PartCurated) != nil || f.state.Readable(memory.PartConflicts) != nil {
		return templates.Fate{Is: templates.FateUnknown}
	}
	if fate, ok := f.used(fact); ok {
		return fate
	}
	if !f.aged(fact) {
		left := fact.RecordedAt.AddDate(0, 0, f.policy.MinimumAgeDays).Sub(f.now)
		return templates.Fate{Is: templates.FateYoung, Days: int(left/(24*time.Hour)) + 1}
	}
	if fact.MemoryKey == "" {
		return f.unkeyed(fact)
	}
	return f.keyed(fact)
}

// used tells of a fact that is evidence of an entry or of a case.
func (f *fates) used(fact memory.Fact) (fate templates.Fate, ok bool) {
	uses := f.state.Uses(fact.ID)
	for _, entry := range uses.Entries {
		is := templates.FateSuperseded
		if entry.Status == memory.StatusActive {
			is = templates.FateInMemory
		}
		if ok && is == templates.FateSuperseded {
			continue
		}
		fate, ok = templates.Fate{Is: is, EntryKey: entry.Key, Revision: entry.Revision}, true
		if entry.MemoryKey == "" {
			fate.Revision = 0
		}
	}
	if ok {
		return fate, true
	}
	for _, c := range uses.Cases {
		if c.Status == memory.StatusOpen {
			return templates.Fate{Is: templates.FateInCase, CaseID: c.ID}, true
		}
		if c.Status == memory.StatusResolved {
			fate, ok = templates.Fate{Is: templates.FateDecidedAgainst, CaseID: c.ID}, true
		}
	}
	return fate, ok
}

func (f *fates) aged(fact memory.Fact) bool {
	return fact.RecordedAt.Before(f.now.AddDate(0, 0, -f.policy.MinimumAgeDays))
}

// gate returns how many more facts a proposal needs to be considered.
func (f *fates) gate(p proposal) int {
	if min(max(p.importance, 1), 5) >= f.policy.MinimumImportance {
		return 0
	}
	return max(0, f.policy.RepeatThreshold-p.facts)
}

func (f *fates) unkeyed(fact memory.Fact) templates.Fate {
	if f.loose == nil {
		f.loose = map[group]proposal{}
		for other := range f.state.Facts() {
			if other.MemoryKey == "" && other.Kind.Stable() && f.aged(other) {
				f.count(f.loose, other)
			}
		}
	}
	if more := f.gate(f.loose[groupOf(fact)]); more > 0 {
		return templates.Fate{Is: templates.FateUnconfirmed, More: more}
	}
	return templates.Fate{Is: templates.FateDue}
}

// keyed follows the rules of one domain to where they leave the fact.
func (f *fates) keyed(fact memory.Fact) templates.Fate {
	proposals := map[group]proposal{}
	for _, other := range f.state.FactsOf(fact.MemoryKey) {
		if other.Kind.Stable() && f.aged(other) && len(f.state.Uses(other.ID).Entries) == 0 {
			f.count(proposals, other)
		}
	}
	active, inForce := f.state.Active(fact.MemoryKey)
	own, echo := proposals[groupOf(fact)], group{active.Kind, memory.NormalForm(active.Content)}
	if inForce && groupOf(fact) == echo {
		return templates.Fate{Is: templates.FateDue} // it will be merged
	}
	if more := max(f.missing(own, inForce), f.rejected(fact)); more > 0 {
		return templates.Fate{Is: templates.FateUnconfirmed, More: more}
	}
	if inForce && !own.latest.After(f.said(active, proposals[echo])) {
		return templates.Fate{Is: templates.FateOlder}
	}
	for g, other := range proposals {
		if g != groupOf(fact) && g != echo && f.missing(other, inForce) == 0 && f.better(other, own) {
			return templates.Fate{Is: templates.FateWeaker}
		}
	}
	return templates.Fate{Is: templates.FateDue}
}

// held returns the human decision that holds in a domain under this policy.
func (f *fates) held(memoryKey string) (memory.Case, bool) {
	if !f.policy.AdjudicationsHold {
		return memory.Case{}, false
	}
	return f.state.Standing(memoryKey)
}

// said is the time that a challenger has to be newer than. An echo of what is in force
// is merged before anything is compared.
func (f *fates) said(active memory.Entry, echo proposal) time.Time {
	if c, held := f.held(active.MemoryKey); held {
		chosen, _ := c.Candidate(c.SelectedCandidateID)
		return chosen.LastSeen
	}
	if echo.latest.After(active.LastSeen) {
		return echo.latest
	}
	return active.LastSeen
}

// rejected returns how many more facts it takes to raise a value again that a human
// has seen and not chosen, 0 for any other.
func (f *fates) rejected(fact memory.Fact) int {
	held, ok := f.held(fact.MemoryKey)
	if !ok {
		return 0
	}
	seen := false
	for _, c := range f.state.CasesOf(fact.MemoryKey) {
		for _, candidate := range c.Candidates {
			seen = seen || c.Status == memory.StatusResolved && candidate.ID != c.SelectedCandidateID &&
				groupOf(fact) == group{candidate.Kind, memory.NormalForm(candidate.Content)}
		}
	}
	if !seen {
		return 0
	}
	fresh := 0
	for _, other := range unobserved(f.state, held) {
		if f.aged(other) && len(f.state.Uses(other.ID).Entries) == 0 && groupOf(other) == groupOf(fact) {
			fresh++
		}
	}
	return f.policy.SupersessionRepeatThreshold - fresh
}

// missing returns how many more facts a keyed proposal needs to be compared.
func (f *fates) missing(p proposal, inForce bool) int {
	more := f.gate(p)
	if inForce {
		more = max(more, f.policy.SupersessionRepeatThreshold-p.facts)
	}
	return more
}

// better reports whether p outweighs q.
func (f *fates) better(p, q proposal) bool {
	recency := p.latest.Compare(q.latest)
	if f.policy.Recency == memory.Day {
		recency = p.latest.Truncate(24 * time.Hour).Compare(q.latest.Truncate(24 * time.Hour))
	}
	return cmp.Or(cmp.Compare(p.importance, q.importance), cmp.Compare(p.facts, q.facts), recency) > 0
}

func (f *fates) count(proposals map[group]proposal, fact memory.Fact) {
	g := groupOf(fact)
	p := proposals[g]
	if weight := f.policy.Weigh(fact); p.facts == 0 || weight > p.importance {
		p.importance = weight
	}
	if fact.RecordedAt.After(p.latest) {
		p.latest = fact.RecordedAt
	}
	p.facts++
	proposals[g] = p
}

func groupOf(fact memory.Fact) group { return group{fact.Kind, memory.NormalForm(fact.Content)} }
