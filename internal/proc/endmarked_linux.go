package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// endRounds bounds how often EndMarked looks again: a process may fork while
	// it is being ended.
	endRounds = 10
	// endGrace is what each round gives marked processes after SIGTERM, and the
	// system after SIGKILL.
	endGrace = 2 * time.Second
)

// EndMarked ends every process of the calling user whose environment contains
// variable=value, except the calling process: SIGTERM, a grace of two seconds,
// SIGKILL, again until none is left. What cannot be ended is an error.
//
// A process whose environment the system does not show to its own user is not
// found.
func EndMarked(variable, value string) error {
	if variable == "" || value == "" {
		return fmt.Errorf("end processes marked %q=%q: variable and value must not be empty", variable, value)
	}
	mark := []byte(variable + "=" + value)
	for range endRounds {
		found, err := openMarked(mark)
		if err != nil {
			return fmt.Errorf("end processes marked %s: %w", mark, err)
		}
		if len(found) == 0 {
			return nil
		}
		err = endAll(found)
		for _, process := range found {
			_ = unix.Close(process.fd)
		}
		if err != nil {
			return fmt.Errorf("end processes marked %s: %w", mark, err)
		}
	}
	return fmt.Errorf("end processes marked %s: new ones appeared in each of %d rounds; end them by hand", mark, endRounds)
}

// marked is a process held by a descriptor, which unlike its id cannot come to
// mean another process.
type marked struct{ pid, fd int }

func openMarked(mark []byte) ([]marked, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var found []marked
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() || !carries(pid, mark) {
			continue
		}
		process, ok, err := openProcess(pid, mark)
		if err != nil {
			for _, process := range found {
				_ = unix.Close(process.fd)
			}
			return nil, err
		}
		if ok {
			found = append(found, process)
		}
	}
	return found, nil
}

// openProcess opens a marked process, and checks that the descriptor means the
// process whose environment was read. It reports false when that one is gone.
func openProcess(pid int, mark []byte) (marked, bool, error) {
	start, ok := StartTime(pid)
	if !ok || !carries(pid, mark) {
		return marked{}, false, nil
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return marked{}, false, nil
	}
	if err != nil {
		return marked{}, false, fmt.Errorf("open process %d: %w", pid, err)
	}
	if !Alive(pid, start) {
		_ = unix.Close(fd)
		return marked{}, false, nil
	}
	return marked{pid: pid, fd: fd}, true, nil
}

// carries reports whether the process is the calling user's and has the mark in
// its environment.
func carries(pid int, mark []byte) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return false
	}
	environ, err := os.ReadFile(dir + "/environ")
	if err != nil {
		return false
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(entry, mark) {
			return true
		}
	}
	return false
}

// endAll ends the processes and returns an error for those that stay.
func endAll(processes []marked) error {
	left := processes
	for _, signal := range []unix.Signal{unix.SIGTERM, unix.SIGKILL} {
		for _, process := range left {
			err := unix.PidfdSendSignal(process.fd, signal, nil, 0)
			if err != nil && !errors.Is(err, unix.ESRCH) {
				return fmt.Errorf("process %d cannot be ended: %w", process.pid, err)
			}
		}
		var err error
		if left, err = await(left, endGrace); err != nil {
			return err
		}
		if len(left) == 0 {
			return nil
		}
	}
	pids := make([]int, len(left))
	for i, process := range left {
		pids[i] = process.pid
	}
	return fmt.Errorf("processes %v survived SIGKILL for %v; the system is waiting for a device or disk they use", pids, endGrace)
}

// await returns the processes that have not exited within limit.
func await(processes []marked, limit time.Duration) ([]marked, error) {
	deadline := time.Now().Add(limit)
	left := processes
	for len(left) > 0 {
		remaining := time.Until(deadline)
		if remaining < 0 {
			return left, nil
		}
		polls := make([]unix.PollFd, len(left))
		for i, process := range left {
			polls[i] = unix.PollFd{Fd: int32(process.fd), Events: unix.POLLIN}
		}
		// Rounding up keeps a rest of less than a millisecond from spinning.
		if _, err := unix.Poll(polls, int(remaining.Milliseconds())+1); err != nil && !errors.Is(err, unix.EINTR) {
			return nil, fmt.Errorf("wait for processes to exit: %w", err)
		}
		var still []marked
		for i, poll := range polls {
			if poll.Revents == 0 {
				still = append(still, left[i])
			}
		}
		left = still
	}
	return nil, nil
}
