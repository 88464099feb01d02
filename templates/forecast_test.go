package templates

import (
	"testing"

	"docket/memory"
)

func TestNextWords(t *testing.T) {
	all := (fixtures{plain}).foreseen()
	for _, c := range []struct {
		outlook Outlook
		want    string
	}{
		{Outlook{Foreseen: all}, "1 open case changes in the next run, 2 promote tomorrow, 1 domain ties in 6 days, 1 supersedes in 30 days"},
		{Outlook{Foreseen: append(all[3:4:4], memory.Foreseen{Days: 7, Change: memory.ChangeAsks})}, "1 domain ties in 6 days"},
		{Outlook{Foreseen: append(all[4:5:5], all[4])}, "2 supersede in 30 days"},
		{Outlook{}, "nothing within 30 days, unless facts come"},
		{Outlook{Late: true}, "still being worked out"},
	} {
		if got := c.outlook.next(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestHorizonsHoldEachChangeOnce(t *testing.T) {
	o := Outlook{}
	for _, days := range []int{0, 1, 2, 7, 8, 30} {
		o.Foreseen = append(o.Foreseen, memory.Foreseen{Days: days})
	}
	for _, h := range o.horizons() {
		if len(h.foreseen) != 2 {
			t.Errorf("%s holds %d of the six, want 2", h.title, len(h.foreseen))
		}
	}
}

func TestDeskFilterQuery(t *testing.T) {
	for want, f := range map[string]DeskFilter{
		"":                       {},
		"page=2":                 {Page: 2},
		"key=a.&sort=newest":     {Key: "a.", Sort: SortNewest, Page: 1},
		"age=7&kind=decision":    {Age: "7", Kind: "decision"},
		"source=ci&text=a%26b+c": {Source: "ci", Text: "a&b c"},
	} {
		if got := f.Query(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for got, want := range map[string]string{
		DeskListURL("w", ""):                 "/w/w/",
		DeskListURL("w", "key=a."):           "/w/w/?key=a.",
		DeskRowURL("w", "key=a.", "c1"):      "/w/w/?key=a.#case-c1",
		CaseInListURL("w", "c1", ""):         "/w/w/cases/c1",
		CaseInListURL("w", "c1", "a=b"):      "/w/w/cases/c1?list=a%3Db",
		NewerURL("w", "c1", 2, 3, "", ""):    "/w/w/cases/c1/newer?revision=2&behind=3",
		NewerURL("w", "c1", 2, 3, "n", "a="): "/w/w/cases/c1/newer?revision=2&behind=3&told=n&list=a%3D",
		CompareURL("w", "c1", 1, 2, ""):      "/w/w/cases/c1?from=1&to=2",
		CompareURL("w", "c", 1, 2, "a"):      "/w/w/cases/c?from=1&to=2&list=a",
		AsideURL("w", "c1"):                  "/w/w/cases/c1/aside",
		UnasideURL("w", "c1"):                "/w/w/cases/c1/unaside",
		SeenURL("w", "c1"):                   "/w/w/cases/c1/seen",
		UnseenURL("w", "c1"):                 "/w/w/cases/c1/unseen",
		MarksURL("w"):                        "/w/w/marks",
		SettingsURL("w"):                     "/w/w/settings",
		ForecastURL("w"):                     "/w/w/forecast",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
