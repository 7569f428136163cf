package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// matchTimeout bounds one match in the backtracking engine.
const matchTimeout = 2 * time.Second

// Pattern is a compiled regular expression; safe for concurrent use.
type Pattern struct {
	linear       *regexp.Regexp
	backtracking *regexp2.Regexp
}

// Compile compiles an expression without flags: "^" and "$" bind to the whole
// text, where "$" also matches before a final line feed.
func Compile(expression string) (*Pattern, error) { return compile(expression, false, false) }

// CompileFold is [Compile] without regard to case.
func CompileFold(expression string) (*Pattern, error) { return compile(expression, true, false) }

// CompileLine is [Compile] for single lines without their line feed, where "$" means
// the same to both engines.
func CompileLine(expression string) (*Pattern, error) { return compile(expression, false, true) }

func compile(expression string, fold, line bool) (*Pattern, error) {
	flags := syntax.Perl
	option := regexp2.None
	if fold {
		flags |= syntax.FoldCase
		option = regexp2.IgnoreCase
	}
	if parsed, err := syntax.Parse(expression, flags); err == nil && (line || !hasDollar(parsed)) {
		source := expression
		if fold {
			source = "(?i)" + expression
		}
		linear, err := regexp.Compile(source)
		if err != nil {
			return nil, fmt.Errorf("the regular expression %q does not compile: %w", expression, err)
		}
		return &Pattern{linear: linear}, nil
	}
	backtracking, err := regexp2.Compile(expression, option)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %q does not compile: %w", expression, err)
	}
	backtracking.MatchTimeout = matchTimeout
	return &Pattern{backtracking: backtracking}, nil
}

// hasDollar reports whether the expression has a "$" for the end of the text:
// Go's engine does not accept a final line feed there, with which most files end.
func hasDollar(expression *syntax.Regexp) bool {
	if expression.Op == syntax.OpEndText && expression.Flags&syntax.WasDollar != 0 {
		return true
	}
	return slices.ContainsFunc(expression.Sub, hasDollar)
}

// Match reports whether the pattern matches anywhere in text. The error says
// that it took too long to tell.
func (p *Pattern) Match(text []byte) (bool, error) {
	if p.linear != nil {
		return p.linear.Match(text), nil
	}
	return p.backtracking.MatchString(string(text))
}
