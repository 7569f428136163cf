package proc

import (
	"fmt"
	"sync"
)

// DefaultLimit is how much of each output stream is kept, in bytes.
const DefaultLimit = 1 << 20

// output keeps the first and the last half of what is written to it, so that
// both the beginning and the verdict of a long output survive.
type output struct {
	half    int
	head    []byte
	tail    []byte
	dropped int64
}

func newOutput(limit int) *output {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &output{half: max(limit/2, 1)}
}

func (o *output) write(p []byte) {
	if room := o.half - len(o.head); room > 0 {
		n := min(room, len(p))
		o.head = append(o.head, p[:n]...)
		p = p[n:]
	}
	o.tail = append(o.tail, p...)
	// Trimming only at twice the size makes the copying linear in the input.
	if len(o.tail) > 2*o.half {
		o.trim()
	}
}

func (o *output) trim() {
	if excess := len(o.tail) - o.half; excess > 0 {
		o.dropped += int64(excess)
		o.tail = append(o.tail[:0], o.tail[excess:]...)
	}
}

func (o *output) bytes() []byte {
	o.trim()
	kept := append([]byte{}, o.head...)
	if o.dropped > 0 {
		kept = fmt.Appendf(kept, "\n[... %d bytes left out ...]\n", o.dropped)
	}
	return append(kept, o.tail...)
}

// capture collects both streams of a process, apart and in order of arrival.
type capture struct {
	mu       sync.Mutex
	stdout   *output
	stderr   *output
	combined *output
}

func newCapture(c Command) *capture {
	return &capture{
		stdout:   newOutput(c.StdoutLimit),
		stderr:   newOutput(c.StderrLimit),
		combined: newOutput(max(c.StdoutLimit, c.StderrLimit)),
	}
}

func (c *capture) add(stream *output, p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stream.write(p)
	c.combined.write(p)
}

// fill copies the output into result. Writers may still be about; they no
// longer matter.
func (c *capture) fill(result *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	result.Stdout = c.stdout.bytes()
	result.Stderr = c.stderr.bytes()
	result.Combined = c.combined.bytes()
	result.Truncated = c.stdout.dropped > 0
}
