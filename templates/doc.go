// Package templates says everything that Docket says to a reader in a browser: the
// pages, their words, and the views that they are made from.
//
// # How a page is made
//
// A handler fills a [Page], which every page needs, and the view of one page, and
// calls the component of that page. The component is the whole <main id="page">.
// [Layout] puts it into a document; [Fragment] gives it alone, with its title, to a
// request that htmx made. Both show the same bytes between the main tags.
//
//	body := templates.Desk(page, view)
//	whole := templates.Layout(page, body)
//	part := templates.Fragment(page, body)
//
// # Words
//
//   - A case revision counts the versions of a case, a revision those of a memory.
//   - A fate is what became of a fact: [Fate].
//   - A refusal is why a submitted decision was not recorded: [Refusal].
//
// Views carry numbers, times and records; sentences are made here, so that they can
// be translated here.
//
// # Invariants
//
//   - Text of facts, actors and rationales is untrusted. It is escaped, isolated in
//     <bdi>, and its invisible characters are shown by name (text.go).
//   - Where such text stands, htmx is told to keep out (hx-disable), unless the region
//     needs it.
//   - A reader's own words go back into a textarea byte for byte.
//   - Every address comes from urls.go. Text of a fact never becomes one.
//   - The one place that takes ready HTML is the rendered MEMORY.md of [Preview]; it
//     must come from a renderer that lets no HTML of a fact through.
//   - No component needs JavaScript, and none holds a style or a script.
//
// templ drops the white space beside a component: where a word must not touch one,
// { " " } puts it back.
//
// The package reads no clock and no file, and never sees the engine.
package templates
