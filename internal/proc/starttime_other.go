//go:build !linux

package proc

import (
	"errors"
	"syscall"
)

// StartTime reports whether the process exists. Without /proc its start time is
// not known and is empty.
func StartTime(pid int) (string, bool) {
	err := syscall.Kill(pid, 0)
	return "", pid > 0 && (err == nil || errors.Is(err, syscall.EPERM))
}
