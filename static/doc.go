// Package static holds the files that pages load: the stylesheet, the script, the icon,
// and the two files of others, htmx and a reset.
//
// Each is embedded and served under an address that carries a hash of its bytes, so
// that an answer never goes stale and may be kept forever:
//
//	/static/4f0c1d2e3a5b/docket.css
//
// Invariants:
//
//   - Only the files named in static.go can be opened, each under its present hash.
//   - The files of others are byte for byte those of the package that vendored.json
//     names; a test recomputes their hashes. They are never edited.
//   - Nothing here needs more than script-src 'self' and style-src 'self'.
package static
