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

// errorf adds an error of the kind that most are of.
func (r *report) errorf(at place, format string, args ...any) {
	r.failf(KindInvalidValue, at, format, args...)
}

func (r *report) failf(kind string, at place, format string, args ...any) {
	r.errors = append(r.errors, at.finding(kind, SeverityError, fmt.Sprintf(format, args...)))
}

func (r *report) warnf(kind string, at place, format string, args ...any) {
	r.warnings = append(r.warnings, at.finding(kind, SeverityWarning, fmt.Sprintf(format, args...)))
}

// within gives the errors that read adds this kind, unless they have a more
// telling one.
func (r *report) within(kind string, read func()) {
	before := len(r.errors)
	read()
	for i := range r.errors[before:] {
		if found := &r.errors[before+i]; found.Kind == KindInvalidValue {
			found.Kind = kind
		}
	}
}

// attribute names the prompt of a file in the findings about it.
func (r *report) attribute(file, prompt string) {
	for _, findings := range [][]Finding{r.errors, r.warnings} {
		for i := range findings {
			if findings[i].File == file {
				findings[i].Prompt = prompt
			}
		}
	}
}

// failed returns the errors, nil when there are none.
func (r *report) failed() error {
	if len(r.errors) == 0 {
		return nil
	}
	return Errors(sorted(r.errors))
}

// sorted orders findings by file, line and kind. A finding made twice, because a
// packet's setting is read for every prompt, is kept once.
func sorted(findings []Finding) []Finding {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Key, b.Key), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(findings)
}
