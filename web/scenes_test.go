package web

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"docket/memory"
)

// A scene is a page in a state that a reader can be in. Scenes are what is looked at:
// axe checks each, and pictures are taken of them.
type scene struct {
	name    string
	picture bool                       // whether a picture is taken of it
	allow   []string                   // what Chromium says of the status that the scene asks for
	bench   func(*testing.T) *bench    // nil for a copy of the worked example
	reach   func(t *testing.T, b *tab) // from signed in to the scene
}

const (
	demoWords   = "Production requires PostgreSQL extensions, and the second writer arrives in May."
	storageKey  = "storage.database"
	fourKey     = "auth.session-store"
	twoKey      = "runtime.go-version"
	longKey     = "release.cadence"
	behindKey   = "build.tool"
	cacheKey    = "cache.engine"
	supersedKey = "api.pagination"
	chainKey    = "ci.runner"
)

// scenes is every page and state. The first one named like a picture of the README is
// that picture.
func scenes() []scene {
	return append([]scene{
		{name: "desk", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.at("")) }},
		{name: "desk-empty", picture: true, bench: func(t *testing.T) *bench { return newBench(t) },
			reach: func(_ *testing.T, b *tab) { b.visit(b.at("")) }},
		{name: "desk-cleared", picture: true, bench: clearedBench, reach: func(_ *testing.T, b *tab) { b.visit(b.at("")) }},
		{name: "case", picture: true, reach: func(_ *testing.T, b *tab) {
			b.post(b.casePath(storageKey)+"/seen", nil) // so that nothing is new since they looked
			b.visit(b.casePath(storageKey))
			b.fill(b.candidate(b.open(storageKey), "Use Postgres."), demoWords)
			b.settle()
		}},
		{name: "case-since", picture: true, reach: func(_ *testing.T, b *tab) {
			b.post(b.casePath(storageKey)+"/seen", nil)
			b.move()
			b.distill()
			b.visit(b.casePath(storageKey))
		}},
		{name: "case-two", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.casePath(twoKey)) }},
		{name: "case-four", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.casePath(fourKey)) }},
		{name: "case-long", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.casePath(longKey)) }},
		{name: "case-behind", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.casePath(behindKey)) }},
		{name: "case-decided", picture: true, reach: func(_ *testing.T, b *tab) {
			a := b.read().Adjudications()[0]
			b.visit(b.at("cases/" + a.ConflictID))
		}},
		{name: "case-readonly", picture: true, reach: func(t *testing.T, b *tab) { b.visit(b.at("cases/" + b.superseded(supersedKey).ID)) }},
		{name: "stale", picture: true, allow: []string{"status of 409"}, reach: reachStale},
		{name: "invalid", picture: true, allow: []string{"status of 422"}, reach: func(_ *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			b.send("", "")
			b.see("#refusal")
		}},
		{name: "decided-before", picture: true, allow: []string{"status of 409"}, reach: func(_ *testing.T, b *tab) {
			c := b.open(storageKey)
			b.visit(b.casePath(storageKey))
			b.resolveAs("payments lead", c, "Use MySQL.", "Operations knows it.")
			b.send(b.candidate(c, "Use Postgres."), demoWords)
			b.see("#refusal")
		}},
		{name: "domain", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.at("memory/k/" + storageKey)) }},
		{name: "timeline", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.at("timeline")) }},
		{name: "preview", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.at("preview")) }},
		{name: "health", picture: true, reach: func(_ *testing.T, b *tab) {
			b.visit(b.at("health"))
			b.click(`#page form[method=post] button`)
			b.until(`!/never checked|checking\b/i.test(document.querySelector("#page h2").innerText)`)
			b.settle()
		}},
		{name: "health-unchecked", reach: func(_ *testing.T, b *tab) { b.visit(b.at("health")) }},
		{name: "fact", picture: true, reach: func(_ *testing.T, b *tab) { b.visit(b.at("facts/" + b.read().FactsOf(storageKey)[0].ID)) }},
	}, plainScenes()...)
}

// plainScenes are the pages of which no picture is taken.
func plainScenes() []scene {
	return []scene{
		{name: "memory", reach: func(_ *testing.T, b *tab) { b.visit(b.at("memory")) }},
		{name: "domain-by-rule", reach: func(_ *testing.T, b *tab) { b.visit(b.at("memory/k/" + chainKey)) }},
		{name: "entry", reach: func(t *testing.T, b *tab) {
			entry, ok := b.read().Active(storageKey)
			if !ok {
				t.Fatal("nothing in force")
			}
			b.visit(b.at("memory/e/" + entry.Key))
		}},
		{name: "fact-waiting", reach: func(_ *testing.T, b *tab) { b.visit(b.at("facts/" + b.read().FactsOf("refunds.approval")[0].ID)) }},
		{name: "timeline-filtered", reach: func(_ *testing.T, b *tab) { b.visit(b.at("timeline?text=Postgres&kind=decision&key=" + storageKey)) }},
		{name: "timeline-no-match", reach: func(_ *testing.T, b *tab) { b.visit(b.at("timeline?text=nothing-says-this")) }},
		{name: "adjudications", reach: func(_ *testing.T, b *tab) { b.visit(b.at("adjudications")) }},
		{name: "adjudication", reach: func(_ *testing.T, b *tab) { b.visit(b.at("adjudications/" + b.read().Adjudications()[0].EventID)) }},
		{name: "preview-raw", reach: func(_ *testing.T, b *tab) { b.visit(b.at("preview?tab=raw")) }},
		{name: "preview-context", reach: func(_ *testing.T, b *tab) { b.visit(b.at("preview?tab=context")) }},
		{name: "not-found", allow: []string{"status of 404"}, reach: func(_ *testing.T, b *tab) { b.visit(b.at("cases/none")) }},
		{name: "decided-notice", reach: func(_ *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			b.send(b.candidate(b.open(storageKey), "Use Postgres."), demoWords)
			b.see("#notice")
		}},
		{name: "distilled", reach: func(_ *testing.T, b *tab) {
			b.visit(b.at(""))
			b.click(`form[action$="/distill"] button`)
			b.see("#notice")
		}},
		{name: "signed-out", allow: []string{"status of 401"}, reach: func(_ *testing.T, b *tab) {
			b.forget()
			b.visit(b.at(""))
		}},
		{name: "signed-out-words", allow: []string{"status of 401"}, reach: func(_ *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			b.fill(b.candidate(b.open(storageKey), "Use Postgres."), demoWords)
			b.settle()
			b.forget()
			b.click(record)
			b.see("#refusal")
		}},
		{name: "send-fault", allow: []string{"net::ERR_", "htmx:"}, reach: func(_ *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			b.fill(b.candidate(b.open(storageKey), "Use Postgres."), demoWords)
			b.settle()
			b.unplug(true)
			b.click(record)
			b.see("#send-fault")
		}},
		{name: "desk-no-match", reach: func(_ *testing.T, b *tab) { b.visit(b.at("?text=nothing-says-this")) }},
		{name: "desk-marked", reach: func(_ *testing.T, b *tab) {
			b.visit(b.at(""))
			b.click(chromedp.CSS(row(b.open(twoKey).ID, "input[type=checkbox]")))
			b.click(`button[form=marks][value=aside]`)
			b.see("#notice")
		}},
		{name: "keys", reach: func(_ *testing.T, b *tab) {
			b.visit(b.at(""))
			b.press("?")
			b.see("dialog[open]")
		}},
		{name: "case-compare", reach: func(_ *testing.T, b *tab) { b.visit(b.casePath(storageKey) + "?from=1&to=2") }},
		{name: "case-unfolded", reach: func(_ *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			ask[bool](b, `(document.querySelectorAll("#page details").forEach(e => e.open = true), true)`)
		}},
		{name: "forecast", reach: func(_ *testing.T, b *tab) { b.visit(b.at("forecast")) }},
		{name: "unwritable", allow: []string{"status of 503"}, reach: func(t *testing.T, b *tab) {
			b.visit(b.casePath(storageKey))
			b.lock(t)
			b.send(b.candidate(b.open(storageKey), "Use Postgres."), demoWords)
			b.see("#refusal")
		}},
		{name: "damaged", reach: func(_ *testing.T, b *tab) {
			b.damage("conflict-adjudications.jsonl")
			b.visit(b.at("adjudications"))
		}},
		{name: "damaged-desk", reach: func(_ *testing.T, b *tab) {
			b.damage("conflicts.json")
			b.visit(b.at(""))
		}},
		{name: "sign-in", reach: func(_ *testing.T, b *tab) { b.visit("/sign-in") }},
	}
}

// serve makes the project of the scene.
func (s scene) serve(t *testing.T) *bench {
	t.Helper()
	if s.bench == nil {
		return newDemo(t)
	}
	return s.bench(t)
}

// clearedBench is a project whose only question is decided.
func clearedBench(t *testing.T) *bench {
	b := newBench(t)
	c := b.dispute(storageKey)
	b.resolveAs("team lead", c, "Use Postgres.", "We need extensions.")
	return b
}

// reachStale writes a decision while newer facts move the case.
func reachStale(_ *testing.T, b *tab) {
	c := b.open(storageKey)
	b.visit(b.casePath(storageKey))
	b.fill(b.candidate(c, "Use Postgres."), demoWords)
	b.say(storageKey, "Use Postgres.", 45, "agent", "deploy/db.tf")
	b.say(storageKey, "Use MySQL.", 45, "agent", "ops/迁移.md")
	b.say(storageKey, "Use Postgres.", 0, "agent", "internal/ledger/post.go")
	b.click(record)
	b.see("#refusal")
	b.settle()
}

// superseded is the first case on key that a newer one took the place of.
func (b *bench) superseded(key string) memory.Case {
	b.t.Helper()
	for _, c := range b.read().CasesOf(key) {
		if c.Status == memory.StatusSuperseded {
			return c
		}
	}
	b.t.Fatalf("no superseded case on %s", key)
	return memory.Case{}
}

// resolveAs decides for another reader, who is somewhere else.
func (b *bench) resolveAs(actor string, c memory.Case, content, words string) memory.Adjudication {
	b.t.Helper()
	a, err := b.engine.Resolve(b.t.Context(), memory.Resolution{
		ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint,
		CandidateID: b.candidate(c, content), EventID: newEventID(), Actor: actor, Rationale: words,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// lock holds the lease of the store until the test ends: whoever writes is refused.
func (b *bench) lock(t *testing.T) {
	t.Helper()
	release, err := b.store.Lease(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := release(); err != nil {
			t.Error(err)
		}
	})
}

// send fills in the form and submits it past the browser's own checks.
func (t *tab) send(candidate, words string) {
	t.t.Helper()
	if candidate != "" {
		t.fill(candidate, words)
	}
	ask[bool](t, `(document.querySelector("#decision").noValidate = true)`)
	for _, field := range []string{"input[name=candidate]", "#rationale"} {
		ask[bool](t, `document.querySelectorAll(`+quoteJS(field)+`).forEach(e => e.required = false) === undefined`)
	}
	t.click(record)
}

// settle waits until nothing is under way and takes the reader to the top,
// with no caret in the way.
func (t *tab) settle() {
	t.t.Helper()
	t.until(`!document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling")`)
	ask[bool](t, `(document.activeElement.blur(), scrollTo(0, 0), true)`)
}

// onDisk reads a file of the memory.
func (b *bench) onDisk(name string) string {
	b.t.Helper()
	content, err := os.ReadFile(b.file(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(content)
}
