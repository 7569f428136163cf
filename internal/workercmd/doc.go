// Package workercmd is the command line of cmd/worker: a worker that connects
// to any Temporal and runs until it is told to stop. It must not import
// localruntime or go.temporal.io/server.
package workercmd
