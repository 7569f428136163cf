// Package run holds the vocabulary of Prompt Runner as plain types: what a run,
// a leg, an iteration, an attempt and a session are called on the wire, and the
// names of the workflows, activities, queries and task queues that carry them.
//
// It is where workflows and activities meet without importing each other: an
// activity is an [Activity] descriptor declared here, executed by package
// workflows and registered by package activities. Everything in it crosses
// Temporal as JSON, so fields only ever get added.
//
// The package imports the standard library alone, and nothing that touches the
// machine it runs on.
package run
