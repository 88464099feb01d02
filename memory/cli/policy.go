package cli

import (
	"fmt"
	"strconv"
	"strings"

	"docket/memory"
)

// PolicyFlags are a preset and what is to differ from it. A nil flag was not given.
type PolicyFlags struct {
	Preset            string   `default:"docket" enum:"docket,seed" help:"The rules to start from: docket or seed (default docket)." placeholder:"NAME"`
	MinAgeDays        *int     `help:"How old a fact must be, in whole days (preset: 30)." placeholder:"N"`
	MinImportance     *int     `help:"The importance that promotes by itself (preset: 4)." placeholder:"N"`
	Repeat            *int     `help:"How many facts promote too (preset: 2)." placeholder:"N"`
	SupersedeRepeat   *int     `help:"How many facts it takes to replace what is in force (preset: 2)." placeholder:"N"`
	Recency           *string  `help:"How closely latest times are compared: instant or day." placeholder:"HOW"`
	AdjudicationsHold *bool    `help:"Keep what a human chose until a human chooses again (--adjudications-hold=BOOL)."`
	Settle            *bool    `help:"Go on until a second run would find nothing to do (--settle=BOOL)."`
	SourceConfidence  []string `sep:"none" help:"Added to the importance of what a source says, -2 to 2; may be repeated, replaces the preset's." placeholder:"SOURCE=N"`
}

// policy returns the preset with every given flag over it.
func (f *PolicyFlags) policy() (memory.Policy, error) {
	policy := memory.DocketPolicy()
	if f.Preset == "seed" {
		policy = memory.SeedPolicy()
	}
	override(&policy.MinimumAgeDays, f.MinAgeDays)
	override(&policy.MinimumImportance, f.MinImportance)
	override(&policy.RepeatThreshold, f.Repeat)
	override(&policy.SupersessionRepeatThreshold, f.SupersedeRepeat)
	override(&policy.AdjudicationsHold, f.AdjudicationsHold)
	override(&policy.Settle, f.Settle)
	if f.Recency != nil {
		policy.Recency = memory.Recency(*f.Recency)
	}
	if len(f.SourceConfidence) > 0 {
		policy.SourceConfidence = make(map[string]int, len(f.SourceConfidence))
	}
	for _, pair := range f.SourceConfidence {
		if err := confide(policy.SourceConfidence, pair); err != nil {
			return policy, err
		}
	}
	return policy, policy.Validate()
}

// override puts what was given in the place of the preset's value.
func override[T any](value, given *T) {
	if given != nil {
		*value = *given
	}
}

// confide reads SOURCE=N. A source may hold "=" itself, a number cannot.
func confide(confidence map[string]int, pair string) error {
	refuse := func(reason string) error {
		return &memory.InvalidError{Field: "source_confidence", Reason: reason}
	}
	at := strings.LastIndex(pair, "=")
	if at < 1 {
		return refuse("must have the form SOURCE=N")
	}
	n, err := strconv.Atoi(pair[at+1:])
	if err != nil {
		return refuse(fmt.Sprintf("must have a whole number after %q", pair[:at+1]))
	}
	if _, twice := confidence[pair[:at]]; twice {
		return refuse(fmt.Sprintf("names %q twice", pair[:at]))
	}
	confidence[pair[:at]] = n
	return nil
}
