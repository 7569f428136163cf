// Package proc starts and ends operating system processes. It is the only
// package that imports os/exec.
//
// [Run] runs a command to its end in a process group of its own, with bounded
// output and a bounded end: whatever the command leaves behind in its group is
// killed, and a descendant that keeps the pipes open cannot make Run hang. On
// Linux the command also dies with the calling process. [StartDetached] starts a
// process that outlives the caller instead. [EndMarked] ends what an earlier
// process left behind, found by a variable in its environment and never by name.
//
// It imports nothing of this module.
package proc
