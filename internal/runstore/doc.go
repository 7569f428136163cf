// Package runstore keeps the durable input of runs in the state directory: the
// run record, plan snapshots, the completion ledger, verifier reports, and per
// packet the run lock and the pointer to the current run.
//
// Within a leg Temporal is the truth; between legs the completion ledger is.
// What people read in the packet directory is a projection, made elsewhere.
package runstore
