package packet

import (
	"cmp"
	"fmt"
	"slices"
)

// report collects the findings of a load. Every reader takes one and goes on
// after an error, so that a person sees all problems at once.
type report struct {
	errors   []Finding
	warnings []Finding
}

func (r *report) errorf(at place, format string, args ...any) {
	r.errors = append(r.errors, at.finding(fmt.Sprintf(format, args...)))
}

func (r *report) warnf(at place, format string, args ...any) {
	r.warnings = append(r.warnings, at.finding(fmt.Sprintf(format, args...)))
}

// failed returns the errors, nil when there are none.
func (r *report) failed() error {
	if len(r.errors) == 0 {
		return nil
	}
	return Errors(sorted(r.errors))
}

// sorted orders findings by file and line. A finding made twice, because a
// packet's setting is read for every prompt, is kept once.
func sorted(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(findings)
}
