package proc

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func dieWithParent(attributes *syscall.SysProcAttr, signal syscall.Signal) {
	attributes.Pdeathsig = signal
}

// awaitExit returns once the process has exited, and leaves it unreaped: as a
// zombie it keeps its process group id from being given to anybody else. The
// state is nil; the caller reaps.
func awaitExit(process *os.Process) *os.ProcessState {
	for {
		err := unix.Waitid(unix.P_PID, process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return nil
		}
	}
}
