package proc

import (
	"os"
	"strconv"
	"strings"
)

// StartTime returns when a process started, in clock ticks since the machine
// booted: with the process id it names one process for as long as the machine
// is up. It reports false when no such process runs; a zombie does not run.
func StartTime(pid int) (string, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", false
	}
	// The second field, the program's name, may itself contain ") ".
	end := strings.LastIndex(string(stat), ") ")
	if end < 0 {
		return "", false
	}
	const state, startTime = 3, 22
	fields := strings.Fields(string(stat)[end+2:])
	if len(fields) <= startTime-state {
		return "", false
	}
	switch fields[0] {
	case "Z", "X", "x":
		return "", false
	}
	return fields[startTime-state], true
}
