package verifier_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

var update = flag.Bool("update", false, "write the reports of testdata/cases anew")

// TestCases judges every case in testdata/cases/CLAUSE/NAME.txtar: the contract
// (a verify block, contract.yaml) against the tree, whose files lie below app/,
// lib/ and packet/. The report is report.json, with $ROOT for the directory.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/cases/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	clauses := map[string][2]bool{}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "testdata/cases/"), ".txtar")
		clause, _, _ := strings.Cut(name, "/")
		t.Run(name, func(t *testing.T) {
			pass := judgeCase(t, file)
			seen := clauses[clause]
			clauses[clause] = [2]bool{seen[0] || pass, seen[1] || !pass}
		})
	}
	for clause, seen := range clauses {
		require.Equal(t, [2]bool{true, true}, seen, "the cases of %s must show it passing and failing", clause)
	}
	require.Len(t, clauses, len(kindsOfClauses()), "every clause has cases")
}

// kindsOfClauses are the keys of a contract's JSON, which are the clauses.
func kindsOfClauses() []string {
	return []string{
		"files_exist", "files_absent", "contains", "matches", "doc", "yaml", "json", "glob", "source_absent",
		"commands", "changed_paths_only", "repos_clean",
	}
}

func judgeCase(t *testing.T, file string) bool {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	tree := newTree(t)
	tree.scope.Root = filepath.Join(tree.dir, "packet")
	tree.app.Write("README.md", "start\n")
	tree.app.Commit("start")
	// Other content, so that the two commits never have one hash.
	tree.lib.Write("README.md", "start of lib\n")
	tree.lib.Commit("start")
	var contract, want string
	kept := &txtar.Archive{Comment: archive.Comment}
	for _, one := range archive.Files {
		switch one.Name {
		case "contract.yaml":
			contract = string(one.Data)
		case "report.json":
			want = string(one.Data)
			continue
		default:
			path := filepath.Join(tree.dir, one.Name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			if target, link := strings.CutPrefix(string(one.Data), "-> "); link {
				require.NoError(t, os.Symlink(strings.ReplaceAll(strings.TrimSpace(target), "$ROOT", tree.dir), path))
			} else {
				require.NoError(t, os.WriteFile(path, one.Data, 0o755))
			}
		}
		kept.Files = append(kept.Files, one)
	}
	report := tree.evaluate(readContract(t, tree, contract))
	data, err := json.MarshalIndent(report.Items, "", "  ")
	require.NoError(t, err)
	got := strings.ReplaceAll(string(data)+"\n", tree.dir, "$ROOT")
	got = strings.NewReplacer(tree.app.Git("rev-parse", "HEAD")[:12], "$APP_HEAD", tree.lib.Git("rev-parse", "HEAD")[:12], "$LIB_HEAD").Replace(got)
	if *update {
		kept.Files = append(kept.Files, txtar.File{Name: "report.json", Data: []byte(got)})
		require.NoError(t, os.WriteFile(file, txtar.Format(kept), 0o644))
		return report.Pass
	}
	require.Equal(t, want, got)
	return report.Pass
}

// readContract reads a verify block through the packet it would stand in.
func readContract(t *testing.T, tree *tree, verify string) packet.Contract {
	t.Helper()
	front := "verify:\n  " + strings.ReplaceAll(strings.TrimSpace(verify), "\n", "\n  ") + "\n"
	root := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	write(packet.ManifestName, "---\nrepos: {app: "+tree.app.Dir+", lib: "+tree.lib.Dir+"}\n---\n")
	write("prompts/01.prompt.md", "---\n"+front+"---\n")
	loaded, err := packet.Load(root, packet.Options{})
	require.NoError(t, err)
	return loaded.Prompts[0].Contract
}
