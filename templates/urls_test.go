package templates

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestURLs(t *testing.T) {
	for got, want := range map[string]string{
		DeskURL("w"):                           "/w/w/",
		CaseURL("w", "conflict-1"):             "/w/w/cases/conflict-1",
		ResolveURL("w", "conflict-1"):          "/w/w/cases/conflict-1/resolve",
		RefreshURL("w", "conflict-1"):          "/w/w/cases/conflict-1/refresh",
		DomainURL("w", "a.b"):                  "/w/w/memory/k/a.b",
		EntryURL("w", "0a"):                    "/w/w/memory/e/0a",
		AdjudicationURL("w", "a/b:c"):          "/w/w/adjudications/a%2Fb:c",
		FactURL("w", "../x?#%"):                "/w/w/facts/..%2Fx%3F%23%25",
		FactURL("w", ".."):                     "/w/w/facts?id=..",
		PreviewURL("w", TabRendered):           "/w/w/preview",
		PreviewURL("w", TabContext):            "/w/w/preview?tab=context",
		DistillURL("w"):                        "/w/w/distill",
		TimelinePageURL("w", Filter{}, "", ""): "/w/w/timeline",
		TimelinePageURL("w", Filter{Text: "a&b", Kind: "decision", Key: "k"}, "c+1", ""): "/w/w/timeline?before=c%2B1&key=k&kind=decision&text=a%26b",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestIDsAreOneSegment holds for any id that it comes back whole from its address.
func TestIDsAreOneSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringN(1, 200, -1).Draw(t, "id")
		u, err := url.Parse(FactURL("w", id))
		if err != nil {
			t.Fatal(err)
		}
		got := u.Query().Get("id")
		if got == "" {
			segments := strings.Split(u.EscapedPath(), "/")
			if len(segments) != 5 {
				t.Fatalf("%q has %d segments", u, len(segments))
			}
			if got, err = url.PathUnescape(segments[4]); err != nil {
				t.Fatal(err)
			}
		}
		if got != id {
			t.Errorf("%q came back as %q", id, got)
		}
	})
}
