package render

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/prompt-runner/prompt-runner/run"
)

// Progress shows a leg while it is followed. It is safe for concurrent use.
type Progress interface {
	// Update shows the newest snapshot.
	Update(snapshot run.Snapshot)
	// Note shows a line that concerns the following rather than the run.
	Note(text string)
	// Last is the newest snapshot that was shown.
	Last() run.Snapshot
}

// Plain appends lines and never takes one back: for pipes, logs and terminals
// that cannot be redrawn.
type Plain struct {
	out  io.Writer
	mu   sync.Mutex
	last run.Snapshot
}

// NewPlain writes to out.
func NewPlain(out io.Writer) *Plain { return &Plain{out: out} }

// Update appends what happened since the last snapshot.
func (p *Plain) Update(snapshot run.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range Transitions(p.last, snapshot) {
		_, _ = fmt.Fprintln(p.out, line)
	}
	p.last = snapshot
}

// Note appends the line.
func (p *Plain) Note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintln(p.out, text)
}

// Last is the newest snapshot.
func (p *Plain) Last() run.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// Live redraws a block of lines in place.
type Live struct {
	out   io.Writer
	style func() Style
	now   func() time.Time

	mu    sync.Mutex
	last  run.Snapshot
	drawn int
}

// NewLive writes to a terminal; style is asked before every drawing, because
// terminals change their size.
func NewLive(out io.Writer, style func() Style, now func() time.Time) *Live {
	return &Live{out: out, style: style, now: now}
}

// Update redraws the block.
func (l *Live) Update(snapshot run.Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = snapshot
	l.draw(nil)
}

// Note puts the line above the block, where it stays.
func (l *Live) Note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draw([]string{text})
}

// Last is the newest snapshot.
func (l *Live) Last() run.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Clear takes the block away, so that a summary can stand in its place.
func (l *Live) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.out, l.rewind()+eraseBelow)
	l.drawn = 0
}

// ANSI control sequences of the redrawing.
const (
	eraseLine  = "\x1b[K"
	eraseBelow = "\x1b[J"
)

// draw replaces the block in one write, so that it does not flicker: notes
// first, which the next drawing leaves alone.
func (l *Live) draw(notes []string) {
	style := l.style()
	frame := Frame(l.last, l.now(), style)
	var text strings.Builder
	text.WriteString(l.rewind())
	for _, line := range append(notes, frame...) {
		text.WriteString(line + eraseLine + "\n")
	}
	text.WriteString(eraseBelow)
	_, _ = io.WriteString(l.out, text.String())
	l.drawn = len(frame)
}

// rewind moves the cursor to the block's first line.
func (l *Live) rewind() string {
	if l.drawn == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\r", l.drawn)
}
