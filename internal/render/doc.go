// Package render turns what a run says of itself into what people see: lines
// that are only ever appended, for pipes and logs, or a block that is redrawn in
// place, on a terminal, and a summary for the end.
//
// It imports package run for the snapshots; it knows nothing of Temporal,
// packets or flags. Everything but the two writers, Plain and Live, is a pure
// function.
package render
