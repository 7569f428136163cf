// Package cli is the command line prompt-runner: flags and targets, finding a
// Temporal to talk to, following runs, messages and exit codes.
//
// Commands are in one file each: a constructor that only parses, an options
// struct, and a method that does the work. Results go to stdout, everything else
// to stderr. The package starts runs by name through the module's own Go API and
// must not import workflows or activities.
package cli
