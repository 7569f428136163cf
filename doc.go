// Package promptrunner starts and follows runs of packets: it is the Go API of
// Prompt Runner, and what its command line is built on.
//
// A run is a Temporal workflow. The client starts it, reads where it stands,
// waits for its end and stops it; a worker elsewhere does the work, and the run
// goes on when the program that started it ends.
//
//	runs := promptrunner.New(temporal)
//	handle, err := runs.Start(ctx, run.Request{Packet: "/abs/dir"}, promptrunner.StartOptions{WorkflowID: "packet/nightly"})
//	...
//	result, err := handle.Result(ctx)
//
// The package imports package run and Temporal's SDK, never the workflows or
// activities: they are reached by name.
package promptrunner
