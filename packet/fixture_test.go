package packet_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

const manifest = packet.ManifestName

// files maps paths in a packet to contents.
type files map[string]string

// write makes a packet directory. Without a manifest of its own the packet gets
// an empty one.
func (f files) write(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "sample")
	if _, ok := f[manifest]; !ok {
		f[manifest] = ""
	}
	for name, content := range f {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return root
}

// load loads a packet that must be valid.
func (f files) load(t *testing.T, opts packet.Options) *packet.Packet {
	t.Helper()
	loaded, err := packet.Load(f.write(t), opts)
	require.NoError(t, err)
	return loaded
}

// errors loads a packet that must not be valid, and returns its findings with
// files relative to the packet.
func (f files) errors(t *testing.T, opts packet.Options) []string {
	t.Helper()
	root := f.write(t)
	_, err := packet.Load(root, opts)
	return findings(t, root, err)
}

func findings(t *testing.T, root string, err error) []string {
	t.Helper()
	list, ok := errors.AsType[packet.Errors](err)
	require.True(t, ok, "want packet.Errors, got %v", err)
	require.NotEmpty(t, list)
	return relative(root, list)
}

func relative(root string, list []packet.Finding) []string {
	var lines []string
	for _, finding := range list {
		finding.File = strings.TrimPrefix(finding.File, root+string(filepath.Separator))
		lines = append(lines, finding.String())
	}
	return lines
}

// prompt is a prompt file with the given front matter.
func prompt(attrs string) string { return "---\n" + attrs + "\n---\nDo it.\n" }

// single is a packet of one prompt with the given front matter.
func single(attrs string) files { return files{"prompts/01_a.prompt.md": prompt(attrs)} }

// writeFile writes a file and the directories above it.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func toJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
