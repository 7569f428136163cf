package pattern_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/pattern"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		name, expression, text string
		want                   bool
	}{
		{"anywhere", `b+`, "abbc", true},
		{"nowhere", `x`, "abc", false},
		{"caret binds to the text", `^b`, "a\nb", false},
		{"caret binds to lines with a flag", `(?m)^b`, "a\nb", true},
		{"dollar before a final line feed", `done$`, "all done\n", true},
		{"dollar at the end", `done$`, "all done", true},
		{"dollar is not the end of a line", `done$`, "done\nmore\n", false},
		{"dollar of lines with a flag", `(?m)done$`, "done\nmore\n", true},
		{"dot stops at a line feed", `a.b`, "a\nb", false},
		{"case matters", `DONE`, "done", false},
		{"look-ahead", `foo(?!bar)`, "foobaz", true},
		{"look-ahead that fails", `foo(?!bar)`, "foobar", false},
		{"look-behind", `(?<=a)b`, "ab", true},
		{"back-reference", `(\w+) \1`, "the the", true},
		{"atomic group", `(?>a+)b`, "aab", true},
		{"not UTF-8", `b`, "\xff\xfeb", true},
		{"not UTF-8, backtracking", `b(?!c)`, "\xff\xfeb", true},
		{"other alphabets", `^żółć$`, "żółć\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			compiled, err := pattern.Compile(tt.expression)
			require.NoError(t, err)
			matched, err := compiled.Match([]byte(tt.text))
			require.NoError(t, err)
			require.Equal(t, tt.want, matched)
		})
	}
}

func TestCompileLine(t *testing.T) {
	for expression, want := range map[string]bool{`end$`: true, `^the`: true, `the$`: false, `(?<=the )end$`: true} {
		compiled, err := pattern.CompileLine(expression)
		require.NoError(t, err)
		matched, err := compiled.Match([]byte("the end"))
		require.NoError(t, err)
		require.Equal(t, want, matched, expression)
	}
}

func TestCompileFold(t *testing.T) {
	for _, expression := range []string{`DONE`, `DONE$`, `DONE(?!x)`} {
		compiled, err := pattern.CompileFold(expression)
		require.NoError(t, err)
		matched, err := compiled.Match([]byte("done\n"))
		require.NoError(t, err)
		require.True(t, matched, expression)
	}
}

func TestCompileNamesWhatIsWrong(t *testing.T) {
	for _, expression := range []string{`(`, `[a`, `(?P<`, `a(?<!`} {
		_, err := pattern.Compile(expression)
		require.ErrorContains(t, err, expression)
	}
}

// A pattern that would take ages is given up, not waited for.
func TestMatchIsBounded(t *testing.T) {
	compiled, err := pattern.Compile(`^(a+)+(?!x)$`)
	require.NoError(t, err)
	_, err = compiled.Match([]byte(strings.Repeat("a", 64) + "b"))
	require.Error(t, err)
}
