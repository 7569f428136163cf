package gitcmd_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/internal/gitcmd"
	"github.com/prompt-runner/prompt-runner/internal/gitcmd/gittest"
)

// Whatever ssh command git is told to use is used, and told not to ask.
func TestRemoteCommitAsksNobody(t *testing.T) {
	t.Parallel()
	for name, configure := range map[string]func(repo *gittest.Repo, ssh string) (env string){
		"environment": func(_ *gittest.Repo, ssh string) string { return "GIT_SSH_COMMAND=" + ssh + " -v" },
		"configuration": func(repo *gittest.Repo, ssh string) string {
			repo.Git("config", "core.sshCommand", ssh+" -v")
			return "A="
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repo := gittest.New(t)
			dir := t.TempDir()
			ssh := filepath.Join(dir, "ssh")
			require.NoError(t, os.WriteFile(ssh, []byte("#!/bin/sh\necho \"$GIT_TERMINAL_PROMPT $@\" >>"+dir+"/asked\nexit 1\n"), 0o755))
			env := configure(repo, ssh)
			repo.Git("remote", "add", "origin", "ssh://host.invalid/repo")
			git := gitcmd.Repo{Dir: repo.Dir, Env: append(repo.Env, "GIT_SSH_VARIANT=ssh", env)}
			_, err := git.RemoteCommit(t.Context(), gitcmd.Upstream{Remote: "origin", Ref: "refs/heads/main"}, time.Minute)
			require.Error(t, err)
			asked, err := os.ReadFile(filepath.Join(dir, "asked"))
			require.NoError(t, err)
			require.Contains(t, string(asked), "0 -v -o BatchMode=yes")
		})
	}
}
