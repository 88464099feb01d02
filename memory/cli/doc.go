// Package cli is the engine at a terminal: one file a command, each a struct whose
// fields are its arguments and whose Run does it. Package main parses the arguments
// and provides a Terminal.
//
// A command starts as every writer does: it lets the engine finish what a dead
// process left, and stops at a fault in anything it reads. Only record and import go
// on past a fault in the documents, and verify, which writes nothing, lists them all.
// No command makes a store but record and import.
//
// Two kinds of output leave this package. With JSON set, records as the store's
// format names them, whole and unshortened, a list as an array that is never null.
// Otherwise text for people: short lines, aligned columns. What facts, actors and
// file names hold was written by others; Escape makes it inert on a terminal, and
// everything that is printed goes through it, or through the JSON writer, which
// escapes the same characters.
//
// The package knows of no path and holds no rule of the domain.
package cli
