// Package demo writes a worked example into a fresh store: four months in the life
// of one service, a billing backend, as its agents and its people might have
// recorded them.
//
// Nothing is faked. The facts are appended, distillations run as of earlier days
// and decisions are made in the order of their times, all through the real engine,
// so that revisions, cases and the audit are what the rules make of the facts.
//
// # How the tables are read
//
// A fact is placed by its age: whole days before the day of now, and a time of the
// day in UTC. Nobody works at weekends but the nightly jobs, so a fact that falls
// on one moves to the Friday before or the Monday after, whatever weekday now is
// (calendar.go). A keyed fact therefore lands up to a day beside its age, and the
// ages are chosen so that no outcome hangs on that:
//
//   - a run at age D surely counts the facts of age D+32 and older, and surely none
//     of D+29 and younger; so a tie whose latest facts are of age D+32 is found by
//     the run at D and not by the one three days before;
//   - proposals tie where the day of their latest fact is the same, and facts of one
//     age always move together;
//   - after a case was made its key is left alone, or else the next run makes it a
//     new case revision: two cases are meant to have one, and one case, build.tool,
//     has a fact from today that it has not seen.
package demo
