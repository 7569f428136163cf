// Package simulated plays scripted agent sessions: what a prompt's simulate block
// says, writes and fails with, without a process, a network or a credential.
//
// A turn can be killed at any point and played again. Each write's previous state
// is journalled before the write is applied, and a replay computes every write
// from the journal, so that nothing is ever appended twice. Writes stay inside
// the packet's repositories.
//
// The package must not start processes and knows nothing of workflows, contracts
// or the runner's state.
package simulated
