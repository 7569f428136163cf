// Package workflows holds the deterministic part of a run: PacketRun, one leg of
// a run over a packet, and PromptRun, one prompt of it.
//
// Code here may import package run, package recovery and the SDK's workflow
// packages. It reads no clock, file, environment or random source; everything
// with a side effect is an activity, described in package run and executed
// through the functions of execute.go.
package workflows
