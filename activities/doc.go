// Package activities holds the side effects of a run: opening and closing it,
// provider sessions, verification, commits and the projection of state.
//
// Every activity can be executed twice, because its worker may die between the
// effect and its record: each recognises what an earlier execution has done.
// Errors leave through one mapper, so that what must not be retried is not.
package activities
