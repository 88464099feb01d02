//go:build unix

package process_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"time"

	"docket/memory"
)

// An operation is what a client asks of a store: exactly one field is set.
type operation struct {
	Append   *memory.Draft      `json:",omitempty"`
	ReadLog  bool               `json:",omitempty"`
	ReadCase string             `json:",omitempty"` // a conflict id
	Resolve  *memory.Resolution `json:",omitempty"`
	Distill  bool               `json:",omitempty"`
}

// An outcome is what came of an operation, as far as its client was told.
type outcome struct {
	Unknown bool   `json:",omitempty"` // the process died, or could not say
	Busy    bool   `json:",omitempty"` // refused: another writer held the lease for too long
	Decided bool   `json:",omitempty"` // refused: somebody has decided the case
	Event   string `json:",omitempty"` // that decided the case, "" if not told
	Line    int    `json:",omitempty"` // of the appended fact in its log, 0 if not told
	Count   int    `json:",omitempty"` // of the facts that were read
	Set     uint64 `json:",omitempty"` // which facts those were
	Error   string `json:",omitempty"` // what must not happen
}

// factMark begins the id of each fact that belongs to a history.
const factMark = "history-"

// read adds the fact of that id to what was read.
func (o *outcome) read(id string) {
	if strings.HasPrefix(id, factMark) {
		o.Count++
		o.Set ^= setOf(id)
	}
}

// setOf returns a number for a fact: those of a set, xored, stand for the set.
func setOf(id string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, id)
	return h.Sum64()
}

// run does the operation on an engine.
func (op operation) run(engine *memory.Engine) outcome {
	o, err := op.try(engine)
	var (
		busy    *memory.BusyError
		notOpen *memory.NotOpenError
	)
	switch {
	case errors.As(err, &busy):
		return outcome{Busy: true}
	case errors.As(err, &notOpen):
		return outcome{Decided: true, Event: notOpen.Case.ResolutionEventID}
	case err != nil:
		return outcome{Error: err.Error()}
	}
	return o
}

func (op operation) try(engine *memory.Engine) (o outcome, err error) {
	ctx := context.Background()
	switch {
	case op.Append != nil:
		facts, err := engine.Append(ctx, *op.Append)
		if err != nil {
			return o, err
		}
		o.Line = facts[0].Line
	case op.Resolve != nil:
		_, err = engine.Resolve(ctx, *op.Resolve)
	case op.Distill:
		_, err = engine.Distill(ctx, memory.Run{AsOf: historyEnd(), Policy: memory.DocketPolicy()})
	default:
		state := engine.State(ctx)
		if err := whole(state); err != nil {
			return o, err
		}
		if op.ReadCase != "" {
			c, ok := state.Case(op.ReadCase)
			if !ok {
				return o, fmt.Errorf("no case %s", op.ReadCase)
			}
			o.Event = c.ResolutionEventID
			return o, nil
		}
		for fact := range state.Facts() {
			o.read(fact.ID)
		}
	}
	return o, err
}

// The facts of a history are all of one day, so that one log tells their order, and old
// enough to be distilled at its end.
func historyDay() time.Time { return time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC) }
func historyEnd() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) }

// serveTask does what it is told until its input ends.
func serveTask(engine *memory.Engine, input *json.Decoder) error {
	for {
		var op operation
		if err := input.Decode(&op); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := say(op.run(engine)); err != nil {
			return err
		}
	}
}
