// Command prompt-runner runs packets of prompts with coding agents.
package main

import (
	"context"
	"os"

	"github.com/prompt-runner/prompt-runner/internal/cli"
)

func main() {
	os.Exit(cli.Main(context.Background(), os.Args[1:], cli.System()))
}
