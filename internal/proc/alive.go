package proc

// Alive reports whether the process that had this start time under this id still
// runs. A zombie does not.
func Alive(pid int, start string) bool {
	now, ok := StartTime(pid)
	return ok && now == start
}
