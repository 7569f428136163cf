//go:build !linux

package proc

// EndMarked does nothing: without /proc the environment of other processes
// cannot be read.
func EndMarked(variable, value string) error { return nil }
