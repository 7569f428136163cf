//go:build !linux

package proc

import (
	"os"
	"syscall"
)

// dieWithParent does nothing: there is no parent death signal here.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// awaitExit returns once the process has exited and is reaped; nil when the
// caller has to find out why waiting failed.
func awaitExit(process *os.Process) *os.ProcessState {
	state, err := process.Wait()
	if err != nil {
		return nil
	}
	return state
}
