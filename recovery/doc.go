// Package recovery owns the decisions that follow a provider session: what kind
// of failure it was, whether to resume, and whether the attempt completes the
// prompt, is retried, is repaired or fails, and after which delay.
//
// Everything in it is a pure function of its arguments, because workflows call
// it and replay it: no clock, no random source, no input or output. It imports
// package run alone.
package recovery
