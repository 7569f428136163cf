// Package workerapp is the composition root of a worker: the only package that
// imports both workflows and activities. It connects them to Temporal through
// the three task queues of a host and holds the host's worker lock meanwhile.
//
// It must not import localruntime, the CLI or go.temporal.io/server.
package workerapp
