// Package web is Docket in a browser: the routes, the sessions and the handlers by
// which a person reads what agents believe and decides what the rules could not.
//
// # Words
//
//   - A workspace is one served project. Its id is the first part of its URLs, /w/ID/.
//   - The reader is the person at the browser; the actor is the name under which a
//     decision of theirs is recorded.
//   - A page is a whole document; a fragment is its #page element alone, for htmx.
//   - A mark is what a reader has seen or set aside. It is theirs alone, in Docket's own
//     state, and no project and no decision knows of it.
//   - A list is the cases that a filter of the desk lets through, in its order. Pages and
//     forms of its cases carry it along, so that the next one follows.
//   - The start-up token is in the URL that the server prints. Whoever has it may sign
//     in for as long as that server runs.
//
// # Invariants
//
//  1. Every request passes every guard, in the order that server.handler lists, on
//     every method and route, before a handler sees it: a Host that is not listed, a
//     cross-origin POST and a body over the limit reach nothing.
//  2. The actor comes from the session alone. Nothing in a body, a query or a header
//     changes it.
//  3. A GET changes no byte of a workspace, and no mark. Signing in by GET changes a cookie.
//  4. respond.go writes every page, from a buffer: a page that cannot be rendered is an
//     error page, never half of one.
//  5. errors.go says what a client is told of an error. A client never sees an error's
//     own text but for the fields of a memory.Fault, which are made to be shown.
//  6. A refused decision comes back with the reader's words in it, byte for byte.
//  7. What could not be read is named where it would have stood, never shown as none.
//
// # What it must not do
//
// No rule of the domain is here: handlers parse, call the engine and respond. No words
// of a page are here either: those are in package templates.
package web
