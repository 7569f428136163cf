// Package worktree tells what a session changed in a git work tree: it records
// a baseline before the first session of a prompt, and compares later states
// with it. What the author had changed before stays the author's, unless the
// session changed it again.
//
// Paths are relative to the repository directory, with slashes. The projection
// directory of a packet never counts.
package worktree
