// Package verifier judges a prompt's contract against a tree. It is the only
// authority on whether a prompt is done: what the agent said plays no part.
//
// [Evaluate] checks every item of a [packet.Contract] and returns a [Report]. An
// item passes, fails, or faults. A failure is work that is missing; a fault is a
// check that could not run, which no agent can repair. Nothing that could not be
// read or judged ever passes.
//
// Each clause has a file of its own; that of doc is document.go. The package runs
// commands through package proc and asks git through package gitcmd; it does not
// know runs, attempts or Temporal. Apart from what commands do, it changes nothing
// in the tree but for putting aside, and bringing back, what they are to generate.
package verifier
