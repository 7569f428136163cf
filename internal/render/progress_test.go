package render_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/run"
)

func TestPlainAppendsWithoutANSI(t *testing.T) {
	var out bytes.Buffer
	progress := render.NewPlain(&out)
	progress.Update(midway())
	progress.Note("detached")
	before := out.String()
	progress.Update(midway())
	require.Equal(t, before, out.String(), "nothing new happened")
	require.NotContains(t, before, "\x1b")
	require.True(t, strings.HasSuffix(before, "detached\n"))
	require.Equal(t, midway(), progress.Last())
}

// screen interprets the few sequences that Live uses.
func screen(t *testing.T, stream string) []string {
	t.Helper()
	lines := []string{""}
	row := 0
	for len(stream) > 0 {
		switch {
		case strings.HasPrefix(stream, "\x1b[K"):
			stream = stream[3:]
		case strings.HasPrefix(stream, "\x1b[J"):
			lines, stream = append(lines[:row:row], ""), stream[3:]
		case strings.HasPrefix(stream, "\x1b["):
			n := 0
			stream = stream[2:]
			for stream[0] != 'A' {
				require.True(t, stream[0] >= '0' && stream[0] <= '9', "unexpected sequence before %q", stream)
				n, stream = n*10+int(stream[0]-'0'), stream[1:]
			}
			row, stream = row-n, stream[1:]
			require.GreaterOrEqual(t, row, 0)
		case stream[0] == '\r':
			stream = stream[1:]
		default:
			line, rest, _ := strings.Cut(stream, "\n")
			lines[row] = strings.TrimSuffix(line, "\x1b[K")
			if row++; row == len(lines) {
				lines = append(lines, "")
			}
			stream = rest
		}
	}
	return lines[:len(lines)-1]
}

func TestLiveRedrawsInPlace(t *testing.T) {
	var out bytes.Buffer
	style := render.Style{Width: 80, Height: 24}
	now := noon.Add(time.Minute)
	progress := render.NewLive(&out, func() render.Style { return style }, func() time.Time { return now })

	first := midway()
	first.Prompts = first.Prompts[:3]
	progress.Update(midway())
	progress.Note("a note stays")
	progress.Update(first)
	require.Equal(t, append([]string{"a note stays"}, render.Frame(first, now, style)...), screen(t, out.String()))

	progress.Clear()
	require.Equal(t, []string{"a note stays"}, screen(t, out.String()))
	require.Equal(t, run.RunOpen, progress.Last().State)
}
