// Package memory is the domain: what a fact, an entry, a case and an adjudication are,
// and the rules between them. It knows nothing of HTTP and of paths.
//
// # Vocabulary
//
//   - A fact is one record of a daily log: evidence, appended and never changed.
//   - A memory key names a question, such as runtime.python-version; the facts that
//     answer it are a domain. Facts without a key stand alone.
//   - An entry is one curated memory, distilled from facts. The entries of a domain are
//     its revisions, linked both ways; one of them is active: it is in force.
//   - A case is a question that the rules could not settle: equal candidates, at most one
//     of them the incumbent (in force), the others challengers, under a fingerprint of
//     the evidence.
//   - A resolution is what a human submits; an adjudication is the record of it.
//   - The journal holds each adjudication's intent before any file is touched.
//   - MEMORY.md and the prompt context are projections: they can be made anew.
//
// # States
//
//	fact     recorded ──distill──> evidence of an entry, or waiting in the logs
//	entry    active ──next revision──> superseded
//	case     open ──human──> resolved
//	         open ──evidence moved──> superseded ──the same question again──> open
//	journal  prepared -> curated_applied -> conflict_closed -> audit_appended -> committed
//
// # Invariants
//
//  1. Evidence never shrinks: logs are appended to, entries only gain evidence.
//  2. A domain with entries has exactly one that is active, the last of an unbroken chain.
//  3. A case decides about exactly the evidence of its fingerprint; a resolution against
//     any other is stale and changes nothing.
//  4. An adjudication happens wholly or not at all; prepared is the commit point.
//  5. A reader sees whole states: a pending adjudication is shown as done.
//  6. What a human chose is replaced by a human alone (policy adjudications_hold).
//  7. Distilling twice is distilling once (policy settle).
//  8. What is not understood is a Fault that names file, line and reason, and nothing is
//     written upon it. An empty answer is never given for what could not be read.
//  9. Nothing is written that the reader would refuse.
//
// # How it is built
//
// Distill, Resolve, BuildContext and RenderMemory are pure functions of values and a
// time. The Engine is the shell around them: it alone touches a Store and a clock, and
// every command, page and tool goes through it. Store is the few things that it needs of
// a disk; package filestore is the one on files.
//
// # Trust
//
// Every text of a fact is hostile. Only humans resolve: nothing in this package gives a
// model that power, and what serves models (package agent) must not hold an Engine.
package memory
