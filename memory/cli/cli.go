package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"docket/memory"
)

// Commands are the commands that need nothing but the engine, in the order in which
// help lists them. The tags are kong's.
type Commands struct {
	Record        Record        `cmd:"" help:"Record one fact."`
	Import        Import        `cmd:"" help:"Record facts from JSON lines, all or none."`
	Facts         Facts         `cmd:"" help:"List the newest facts."`
	History       History       `cmd:"" help:"Show the revisions of one memory key."`
	Conflicts     Conflicts     `cmd:"" help:"List the questions that wait for a human."`
	Adjudications Adjudications `cmd:"" help:"List what humans decided."`
	Distill       Distill       `cmd:"" help:"Promote what the rules can settle, queue what they cannot."`
	Resolve       Resolve       `cmd:"" help:"Decide a conflict."`
	Explain       Explain       `cmd:"" help:"Say why a fact, or what challenges a memory key, is where it is."`
	Forecast      Forecast      `cmd:"" help:"Say what the rules will do on the coming days."`
	Memory        Memory        `cmd:"" help:"Print MEMORY.md."`
	Context       Context       `cmd:"" help:"Print what agents get: memory and recent facts, within a budget."`
	Verify        Verify        `cmd:"" help:"Check every file and write nothing."`
}

// A Terminal is what a command has around it: the store that was asked for, its
// streams, and how output should look.
type Terminal struct {
	Open func() (*memory.Engine, error) // the engine over the store; does not create one

	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	JSON     bool             // print records, not text
	Width    int              // cells of the terminal that Stdout is; 0 where it is none
	Progress bool             // Stderr is a terminal: tell how long work goes
	Actor    string           // who decides where no --actor is given
	Now      func() time.Time // the clock, for words such as "4 days ago"
}

// appender opens the store for the commands that only append. A fault in the
// documents, the audit or the journal does not stop them: a fact must not be lost
// over it.
func (t *Terminal) appender(ctx context.Context) (*memory.Engine, error) {
	engine, err := t.Open()
	if err != nil {
		return nil, err
	}
	var fault *memory.Fault
	err = engine.Recover(ctx)
	if errors.As(err, &fault) && (fault.Code == memory.CodeCorrupt || fault.Code == memory.CodeScope) {
		return engine, nil
	}
	return engine, err
}

// read opens the store, finishes what a dead writer left, as every writer must, and
// returns what the files say. A fault in one of the parts, or in the journal, is an
// error: a command does not print half an answer. Of the rest the state may be silent.
func (t *Terminal) read(ctx context.Context, parts ...memory.Part) (*memory.Engine, *memory.State, error) {
	engine, err := t.Open()
	if err != nil {
		return nil, nil, err
	}
	state, err := engine.Load(ctx, append(parts, memory.PartJournal)...)
	if err != nil && memory.CodeOf(err) == memory.CodeScope {
		err = fmt.Errorf("%w (if the project was moved, --identity PATH names where its records were made)", err)
	}
	return engine, state, err
}

// say prints one line of text, escaped.
func (t *Terminal) say(format string, args ...any) error {
	_, err := io.WriteString(t.Stdout, Escape(fmt.Sprintf(format, args...))+"\n")
	return err
}

// The next steps that empty answers name.
const (
	hintRecord  = `Record one: docket record "Use Postgres." --kind decision --importance 4 --key storage.database`
	hintDistill = "docket distill --dry-run shows what the rules would promote, docket distill does it."
)

// nothing reports whether the store holds nothing at all, or is not there: what cannot be
// read is not nothing. It takes a state in which the facts were read.
func nothing(s *memory.State) bool {
	_, onDisk := s.Memory()
	return len(s.Faults()) == 0 && s.Len() == 0 && len(s.Entries()) == 0 && len(s.Cases()) == 0 && !onDisk
}

// empty prints what there is none of, and what to do about it.
func (t *Terminal) empty(what, next string) error {
	if err := t.say("%s", what); err != nil {
		return err
	}
	return t.say("%s", next)
}
