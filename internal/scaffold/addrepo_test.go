package scaffold_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

func TestAddRepo(t *testing.T) {
	const rest = `# about p
name: 'p'   # me
simulate:
  - error: {kind: x, message: "a: b"}
    text: |
      block
      # no comment

phases: {1: "one"}
`
	for name, c := range map[string]struct {
		before, after string
		isDefault     bool
		force         bool
	}{
		"none": {
			before: rest, after: rest + "repos:\n  new: {path: ../new, default: true}\n",
		},
		"null": {
			before: "repos: # where\n" + rest, after: "repos: # where\n  new: {path: ../new, default: true}\n" + rest,
		},
		"empty map": {
			before: "repos: {}\n" + rest, after: "repos: {new: {path: ../new, default: true}}\n" + rest,
		},
		"empty list": {
			before: "repos: []\n" + rest, after: "repos: [{name: new, path: ../new, default: true}]\n" + rest,
		},
		"map": {
			before: "repos:\n  # first\n  app: {path: \"./a\", default: true} # it\n  'lib':\n    path: |-\n      ../l\n\n# name next\n" + rest,
			after:  "repos:\n  # first\n  app: {path: \"./a\", default: true} # it\n  'lib':\n    path: |-\n      ../l\n  new: {path: ../new}\n\n# name next\n" + rest,
		},
		"map, default": {
			before:    rest + "repos:\n  app: {path: \"./a\", default: true} # it\n  lib:\n    default: true # goes\n    path: ../l\n  odd: ../o\n",
			after:     rest + "repos:\n  app: {path: \"./a\"} # it\n  lib:\n    path: ../l\n  odd: ../o\n  new: {path: ../new, default: true}\n",
			isDefault: true,
		},
		"list, default": {
			before:    "repos:\n  - name: app # it\n    path: ./a\n    default: true\n  # last\n  - {name: lib, path: ./l}\n" + rest,
			after:     "repos:\n  - name: app # it\n    path: ./a\n  # last\n  - {name: lib, path: ./l}\n  - {name: new, path: ../new, default: true}\n" + rest,
			isDefault: true,
		},
		"replaced": {
			before: "repos:\n  new:\n    # old\n    path: ./old\n    default: true\n" + rest,
			after:  "repos:\n  new:\n    # old\n    path: ../new\n    default: true\n" + rest,
			force:  true,
		},
		"replaced in a list": {
			before: "repos:\n  - {name: a, path: a, default: true}\n  - name: new\n    path: ./old\n" + rest,
			after:  "repos:\n  - {name: a, path: a, default: true}\n  - name: new\n    path: ../new\n" + rest,
			force:  true,
		},
		"replaced text": {
			before: "repos:\n  new: ./old\n  b: b\n" + rest,
			after:  "repos:\n  new: {path: ../new}\n  b: b\n" + rest,
			force:  true,
		},
	} {
		for _, style := range []string{"unix", "dos", "unfinished"} {
			t.Run(name+", "+style, func(t *testing.T) {
				before, after := "---\n"+c.before+"---\nBody  \n\n---\n", "---\n"+c.after+"---\nBody  \n\n---\n"
				switch style {
				case "dos":
					before, after = strings.ReplaceAll(before, "\n", "\r\n"), strings.ReplaceAll(after, "\n", "\r\n")
				case "unfinished":
					before, after = "---\n"+c.before+"---", "---\n"+c.after+"---"
				}
				dir := filepath.Join(t.TempDir(), "p")
				require.NoError(t, os.MkdirAll(dir, 0o755))
				path := filepath.Join(dir, packet.ManifestName)
				require.NoError(t, os.WriteFile(path, []byte(before), 0o640))
				repo := scaffold.Repo{Name: "new", Path: filepath.Join(filepath.Dir(dir), "new")}
				require.NoError(t, scaffold.AddRepo(dir, repo, c.isDefault, c.force))
				require.Equal(t, after, read(t, path))
				info, err := os.Stat(path)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
				_, err = packet.Diagnose(dir, packet.Options{})
				require.NoError(t, err)
				if !c.force {
					require.ErrorContains(t, scaffold.AddRepo(dir, repo, false, false), "already")
				}
			})
		}
	}
}

func TestAddRepoRefuses(t *testing.T) {
	for before, want := range map[string]string{
		"---\nrepos: text\n---\n":                                      "neither a map nor a list",
		"---\n{repos: {}}\n---\n":                                      "braces",
		"---\nx: &a {path: x, default: true}\nrepos: {a: *a}\n---\n":   "reference",
		"---\nrepos: {}\n":                                             "never closed",
		"---\nrepos: {a: {path: x}\n---\n":                             "front matter",
		"---\nrepos: &r\n  a: {path: x}\nother: {<<: *r, z: 1}\n---\n": "",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, packet.ManifestName)
		require.NoError(t, os.WriteFile(path, []byte(before), 0o644))
		err := scaffold.AddRepo(dir, scaffold.Repo{Name: "new", Path: "/srv/new"}, true, false)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want, before)
		require.Equal(t, before, read(t, path))
	}
	for _, name := range []string{"", "a:b", "a/b", "@a", "a b", "packet"} {
		dir := tree(t, "-- prompt_runner_packet.md --\n")
		require.ErrorContains(t, scaffold.AddRepo(dir, scaffold.Repo{Name: name, Path: "/srv"}, false, false), "cannot name a repository")
	}
}

// An edit goes to the file that a link leads to.
func TestAddRepoThroughLink(t *testing.T) {
	dir := tree(t, "-- real.md --\n-- p/.keep --\n")
	link := filepath.Join(dir, "p", packet.ManifestName)
	require.NoError(t, os.Symlink("../real.md", link))
	require.NoError(t, scaffold.AddRepo(filepath.Join(dir, "p"), scaffold.Repo{Name: "a", Path: dir}, false, false))
	target, err := os.Readlink(link)
	require.NoError(t, err)
	require.Equal(t, "../real.md", target)
	require.Contains(t, read(t, filepath.Join(dir, "real.md")), "a: {path: .., default: true}")
}
