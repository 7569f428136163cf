package gitcmd

import (
	"context"
	"errors"
	"fmt"
)

// Identity returns an error that tells what to configure when git does not know
// who commits.
func (r Repo) Identity(ctx context.Context) error {
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		_, err := r.read(ctx, "var", who)
		if _, ok := errors.AsType[*Error](err); ok {
			return fmt.Errorf("git does not know who commits in %s; set user.name and user.email, for example with git config: %w", r.Dir, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
