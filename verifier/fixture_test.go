package verifier_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/packet"
	"github.com/prompt-runner/prompt-runner/verifier"
)

// tree is a packet directory and two repositories, app and lib, next to each
// other; prompts work in app.
type tree struct {
	t        *testing.T
	dir      string
	app, lib *gittest.Repo
	scope    verifier.Scope
}

func newTree(t *testing.T) *tree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	at := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(path, 0o755))
		return path
	}
	tree := &tree{t: t, dir: dir, app: gittest.At(t, at("app")), lib: gittest.At(t, at("lib"))}
	tree.scope = verifier.Scope{
		Prompt: "01", Root: at("packet"), WorkDir: tree.app.Dir, Env: tree.app.Env,
		Repos: []packet.Repo{{Name: "app", Path: tree.app.Dir}, {Name: "lib", Path: tree.lib.Dir}},
	}
	return tree
}

func (f *tree) evaluate(contract packet.Contract) verifier.Report {
	f.t.Helper()
	report, err := verifier.Evaluate(f.t.Context(), contract, f.scope)
	require.NoError(f.t, err)
	require.Equal(f.t, len(report.Failures) == 0, report.Pass)
	return report
}

// item evaluates a contract of one item.
func (f *tree) item(contract packet.Contract) verifier.Item {
	f.t.Helper()
	report := f.evaluate(contract)
	require.Len(f.t, report.Items, 1)
	return report.Items[0]
}

func (f *tree) command(command packet.Command) verifier.Item {
	f.t.Helper()
	return f.item(packet.Contract{Commands: []packet.Command{command}})
}

// script writes an executable shell script into app.
func (f *tree) script(name, text string) {
	f.t.Helper()
	f.app.Write(name, "#!/bin/sh\n"+text+"\n")
	require.NoError(f.t, os.Chmod(filepath.Join(f.app.Dir, name), 0o755))
}

func toJSON(t *testing.T, value any) map[string]any {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	return fields
}
