// Package scaffold writes what authors would write by hand: the configuration
// directory, profiles, packets, prompts, checklists.
//
// It never overwrites a file unless it is told to, and edits in place only what
// it was asked to change. It starts no process and must not import activities,
// the command line or Temporal.
package scaffold
