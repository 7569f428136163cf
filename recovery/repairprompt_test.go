package recovery_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/recovery"
)

var update = flag.Bool("update", false, "write testdata/*.golden anew: go test ./recovery -run RepairPrompt -update")

func TestRepairPrompt(t *testing.T) {
	const body = "# Add a greeting\n\nWrite `hello.txt`.\n"
	lines := make([]string, 120)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i+1)
	}
	tests := []struct {
		name      string
		body      string
		lastError string
		unmet     []recovery.Unmet
	}{
		{"fields", body, "model is at capacity", []recovery.Unmet{
			{Kind: "file_exists", Repo: "app", Path: "hello.txt", Details: "missing"},
			{Kind: "command", Command: `"go" "test"`, Cwd: "/src/app", Details: "--- FAIL: TestHello\n\n    want hello\n"},
			{Kind: "contains", Path: "two\nlines: forged"},
		}},
		{"long_output", body, "", []recovery.Unmet{{Kind: "command", Command: `"make"`, Details: strings.Join(lines, "\n")}}},
		{"nothing_recorded", "no newline at the end", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := recovery.RepairPrompt(tt.body, tt.lastError, tt.unmet)
			golden := filepath.Join("testdata", "repair_"+tt.name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

func TestRepairPromptIsBounded(t *testing.T) {
	body := strings.Repeat("body ", 100_000)
	t.Run("many items", func(t *testing.T) {
		text := recovery.RepairPrompt(body, "", make([]recovery.Unmet, 1000))
		require.True(t, strings.HasPrefix(text, body), "the body is kept whole")
		require.Equal(t, 50, strings.Count(text, "- failure\n"))
		require.Contains(t, text, "[left out: 950 more unmet requirement(s)]")
	})
	t.Run("large items", func(t *testing.T) {
		huge := recovery.Unmet{Kind: "command", Details: strings.Repeat("x", 1<<20)}
		text := recovery.RepairPrompt(body, strings.Repeat("e", 1<<20), []recovery.Unmet{
			huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge, huge,
		})
		require.LessOrEqual(t, len(text)-len(body), 64<<10)
		require.Contains(t, text, "[left out: 5 more unmet requirement(s)]")
	})
}
