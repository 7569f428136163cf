package preflight_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
	"github.com/prompt-runner/prompt-runner/internal/preflight"
	"github.com/prompt-runner/prompt-runner/packet"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(repo *gittest.Repo)
		path    string
		commits bool
		env     []string
		kinds   []string
		message string
	}{
		"ready":                {nil, "", true, nil, nil, ""},
		"below the root":       {func(r *gittest.Repo) { r.Write("sub/x", "x") }, "sub", true, nil, nil, ""},
		"without commits":      {func(r *gittest.Repo) { r.Git("update-ref", "-d", "HEAD") }, "", true, nil, nil, ""},
		"dirty":                {func(r *gittest.Repo) { r.Write("x", "x") }, "", true, nil, nil, ""},
		"nothing there":        {nil, "gone", true, nil, []string{preflight.PathNotFound}, "clone the repository there"},
		"a file":               {nil, "README.md", true, nil, []string{preflight.NotADirectory}, "not a directory"},
		"no repository":        {func(r *gittest.Repo) { require.NoError(t, os.RemoveAll(filepath.Join(r.Dir, ".git"))) }, "", true, nil, []string{preflight.NotGitRepo}, "run git init"},
		"no git":               {nil, "", true, []string{"PATH=/nowhere"}, []string{preflight.GitUnavailable}, "install it"},
		"detached":             {func(r *gittest.Repo) { r.Git("checkout", "--quiet", "--detach") }, "", true, nil, []string{preflight.DetachedHead}, "--no-commit"},
		"detached, no commits": {func(r *gittest.Repo) { r.Git("checkout", "--quiet", "--detach") }, "", false, nil, nil, ""},
		"bisecting":            {func(r *gittest.Repo) { r.Git("bisect", "start") }, "", true, nil, []string{preflight.OperationInProgress}, "a bisect is in progress"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := gittest.New(t)
			repo.Write("README.md", "start\n")
			repo.Commit("start")
			if tc.prepare != nil {
				tc.prepare(repo)
			}
			env := repo.Env
			if tc.env != nil {
				env = tc.env
			}
			report, err := preflight.Check(t.Context(), []packet.Repo{{Name: "app", Path: filepath.Join(repo.Dir, tc.path), Default: true}},
				preflight.Options{Env: env, Commits: tc.commits})
			require.NoError(t, err)
			require.Len(t, report.Repos, 1)
			require.True(t, report.Repos[0].Default)
			require.Equal(t, tc.kinds == nil, report.RuntimeReady)
			require.Equal(t, tc.kinds == nil, report.Repos[0].Ready)
			var kinds []string
			for _, problem := range report.ReadinessErrors {
				kinds = append(kinds, problem.Kind)
				require.Contains(t, problem.Message, tc.message)
				require.Equal(t, "app", problem.Name)
				require.Equal(t, "repo", problem.Scope)
			}
			require.Equal(t, tc.kinds, kinds)
		})
	}
}

func TestTargets(t *testing.T) {
	p := &packet.Packet{
		Repos: []packet.Repo{{Name: "a", Path: "/a"}, {Name: "b", Path: "/b"}, {Name: "c", Path: "/c"}},
		Prompts: []packet.Prompt{
			{ID: "01", Targets: []string{"b", "a"}}, {ID: "02", Targets: []string{"b"}}, {ID: "03", Targets: []string{"c"}},
		},
	}
	require.Equal(t, []packet.Repo{{Name: "a", Path: "/a"}, {Name: "b", Path: "/b"}}, preflight.Targets(p, []string{"01", "02"}))
}
