package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	if nearest := closest(unknown.GetSpecifiedName(), known); nearest != "" {
		return fmt.Errorf("%w (did you mean --%s?)", err, nearest)
	}
	return err
}

// unknownSubcommand refuses arguments to a command that only groups others.
func unknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			known = append(known, sub.Name())
		}
	}
	message := fmt.Sprintf("unknown command %q for %q", args[0], cmd.CommandPath())
	if nearest := closest(args[0], known); nearest != "" {
		message += fmt.Sprintf(" (did you mean %q?)", nearest)
	}
	return errors.New(message)
}

// closest is the known word that typed was probably meant to be, or "".
func closest(typed string, known []string) string {
	best, distance := "", max(1, len(typed)/3)+1
	for _, word := range known {
		if d := editDistance(typed, word); d < distance {
			best, distance = word, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions and replacements of bytes that
// turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
