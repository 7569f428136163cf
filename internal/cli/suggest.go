package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prompt-runner/prompt-runner/internal/suggest"
)

// flagError names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			known = append(known, flag.Name)
		}
	})
	if nearest := suggest.Closest(unknown.GetSpecifiedName(), known); nearest != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, nearest)
	}
	return err
}
