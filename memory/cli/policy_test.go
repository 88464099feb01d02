package cli

import (
	"errors"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"docket/memory"
)

// parse reads the arguments of distill as the program does.
func parse(t *testing.T, args ...string) (*Distill, error) {
	t.Helper()
	var distill Distill
	parser, err := kong.New(&distill)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return &distill, err
}

func TestPolicyStartsFromThePresetAndGivenFlagsOverrideIt(t *testing.T) {
	docket, seed := memory.DocketPolicy, memory.SeedPolicy
	with := func(p memory.Policy, change func(*memory.Policy)) memory.Policy {
		change(&p)
		return p
	}
	tests := []struct {
		name string
		args []string
		want memory.Policy
	}{
		{"default", nil, docket()},
		{"preset", []string{"--preset=seed"}, seed()},
		{"flag before preset", []string{"--min-age-days=0", "--preset=seed"},
			with(seed(), func(p *memory.Policy) { p.MinimumAgeDays = 0 })},
		{"a zero is given", []string{"--min-age-days", "0"},
			with(docket(), func(p *memory.Policy) { p.MinimumAgeDays = 0 })},
		{"numbers", []string{"--min-importance=2", "--repeat=3", "--supersede-repeat=4"},
			with(docket(), func(p *memory.Policy) {
				p.MinimumImportance, p.RepeatThreshold, p.SupersessionRepeatThreshold = 2, 3, 4
			})},
		{"false is given", []string{"--adjudications-hold=false", "--settle=false"},
			with(docket(), func(p *memory.Policy) { p.AdjudicationsHold, p.Settle = false, false })},
		{"true is given", []string{"--preset=seed", "--adjudications-hold=true", "--settle"},
			with(seed(), func(p *memory.Policy) { p.AdjudicationsHold, p.Settle = true, true })},
		{"recency", []string{"--recency=instant"},
			with(docket(), func(p *memory.Policy) { p.Recency = memory.Instant })},
		{"confidence replaces the preset's", []string{"--source-confidence", "ci=2", "--source-confidence", "a=b;c,d=-1"},
			with(docket(), func(p *memory.Policy) { p.SourceConfidence = map[string]int{"ci": 2, "a=b;c,d": -1} })},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			distill, err := parse(t, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := distill.policy()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPolicyRefuses(t *testing.T) {
	for _, arg := range []string{
		"--min-age-days=36501", "--min-importance=6", "--repeat=0", "--supersede-repeat=1", "--recency=week", "--recency=",
		"--source-confidence=ci", "--source-confidence==1", "--source-confidence=ci=high", "--source-confidence=ci=3",
		"--key=", "--key=Not A Key",
	} {
		t.Run(arg, func(t *testing.T) {
			distill, err := parse(t, arg)
			if err != nil {
				t.Fatal(err)
			}
			_, err = distill.run()
			var invalid *memory.InvalidError
			if !errors.As(err, &invalid) {
				t.Errorf("got %v, want an InvalidError", err)
			}
		})
	}
	distill, err := parse(t, "--source-confidence=ci=1", "--source-confidence=ci=2")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := distill.policy(); memory.CodeOf(err) != memory.CodeInvalid {
		t.Errorf("one source twice: %v", err)
	}
}
