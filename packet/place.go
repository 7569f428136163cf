package packet

import (
	"fmt"
	"slices"
	"strings"
)

// place is where something stands in a packet.
type place struct {
	file string
	// line counts from 1 in the file, front matter marker included; 0 means the
	// whole file.
	line int
	path *path
	// source is what the file is among the sources of a packet.
	source Source
}

// path is a dotted key, kept as a list of steps and spelled out only for
// findings.
type path struct {
	parent *path
	step   string
	index  bool
}

func (p *path) String() string {
	if p == nil {
		return ""
	}
	var steps []*path
	for ; p != nil; p = p.parent {
		steps = append(steps, p)
	}
	var text strings.Builder
	for _, step := range slices.Backward(steps) {
		if text.Len() > 0 && !step.index {
			text.WriteByte('.')
		}
		text.WriteString(step.step)
	}
	return text.String()
}

func (p place) key(name string) place {
	p.path = &path{parent: p.path, step: name}
	return p
}

func (p place) item(index int) place {
	p.path = &path{parent: p.path, step: fmt.Sprintf("[%d]", index), index: true}
	return p
}

func (p place) onLine(line int) place {
	p.line = line
	return p
}

func (p place) finding(kind string, severity Severity, message string) Finding {
	return Finding{Kind: kind, Severity: severity, File: p.file, Line: p.line, Key: p.path.String(), Message: message}
}
