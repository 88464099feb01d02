//go:build unix

package process_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"docket/memory"
)

// An event of a history: an operation, what came of it, and when.
type event struct {
	client           int
	op               operation
	outcome          outcome
	called, returned time.Duration // since the history began
}

// A log is what the model knows of the facts.
type log struct {
	count int
	set   uint64
}

// logModel is that of the facts as one log: an append makes it one line longer, a read
// gives all.
func logModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return log{} },
		Step: func(state, input, output any) (bool, any) {
			s, op, o := state.(log), input.(operation), output.(outcome)
			if op.ReadLog {
				return o.Count == s.count && o.Set == s.set, s
			}
			next := log{s.count + 1, s.set ^ setOf(op.Append.ID)}
			return o.Line == next.count, next
		},
		DescribeOperation: describe,
	}
}

// caseModel is that of one case as a register that is written once: the state is the
// event that decided it. A decision of unknown outcome may take place at any time after
// its call; one that never does is one that comes after all else, and changes nothing.
func caseModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			s, op, o := state.(string), input.(operation), output.(outcome)
			if op.ReadCase != "" {
				return o.Event == s, s
			}
			mine := s == "" || s == op.Resolve.EventID // a retry is answered as the first was
			switch {
			case o.Decided:
				return !mine && (o.Event == "" || o.Event == s), s
			case mine:
				return true, op.Resolve.EventID
			}
			return o.Unknown, s
		},
		DescribeOperation: describe,
	}
}

func describe(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) }

// placed gives each append the line on which the log has it in the end. One of unknown
// outcome that is not there never took place and is left out. Without this the checker
// would have to try all orders of those that it knows no line of.
func placed(history []event, final *memory.State) []event {
	var known []event
	for _, e := range history {
		if e.op.Append != nil {
			fact, ok := final.Fact(e.op.Append.ID)
			if !ok && e.outcome.Unknown {
				continue
			}
			if e.outcome.Line == 0 {
				e.outcome.Line = fact.Line
			}
		}
		known = append(known, e)
	}
	return known
}

// checkLinear holds a history against the models.
func checkLinear(t *testing.T, history []event, conflictIDs []string) {
	t.Helper()
	check := func(name string, model porcupine.Model, belongs func(operation) bool) {
		operations := operationsOf(history, belongs)
		switch result := porcupine.CheckOperationsTimeout(model, operations, time.Minute); result {
		case porcupine.Illegal:
			t.Errorf("%s: the history of %d operations is not linearizable", name, len(operations))
		case porcupine.Unknown:
			t.Errorf("%s: no answer about %d operations within a minute", name, len(operations))
		}
	}
	check("facts", logModel(), func(op operation) bool { return op.Append != nil || op.ReadLog })
	for _, id := range conflictIDs {
		check(id, caseModel(), func(op operation) bool {
			return op.ReadCase == id || op.Resolve != nil && op.Resolve.ConflictID == id
		})
	}
}

// operationsOf leaves out what took no place: refusals of the lease, what the test has
// complained of, and reads that were
// not answered.
func operationsOf(history []event, belongs func(operation) bool) []porcupine.Operation {
	var operations []porcupine.Operation
	end := slices.MaxFunc(history, func(a, b event) int { return int(a.returned - b.returned) }).returned + 1
	for _, e := range history {
		reads := e.op.ReadLog || e.op.ReadCase != ""
		if !belongs(e.op) || e.outcome.Busy || e.outcome.Error != "" || reads && e.outcome.Unknown {
			continue
		}
		done := e.returned
		if e.outcome.Unknown {
			done = end
		}
		operations = append(operations, porcupine.Operation{
			ClientId: e.client, Input: e.op, Call: int64(e.called), Output: e.outcome, Return: int64(done),
		})
	}
	return operations
}
