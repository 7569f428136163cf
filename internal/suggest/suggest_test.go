package suggest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/suggest"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	known := []string{"files_exist", "files_absent", "contains"}
	for typed, want := range map[string]string{
		"file_exists":                   "files_exist",
		"contain":                       "contains",
		"x":                             "",
		"commands":                      "",
		"":                              "",
		strings.Repeat("contains", 100): "",
	} {
		require.Equal(t, want, suggest.Closest(typed, known), typed)
	}
}
