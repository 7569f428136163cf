// Package examples holds packets that a reader can run, and embeds those that
// the demo command shows.
package examples

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SimulatedRecovery is the packet of scripted failures and recoveries.
const SimulatedRecovery = "simulated-recovery"

// The patterns name the packet's sources, not its directory: there, setup.sh
// makes a repository that is nobody's source.
//
//go:embed simulated-recovery/.gitignore
//go:embed simulated-recovery/README.md
//go:embed simulated-recovery/prompt_runner_packet.md
//go:embed simulated-recovery/prompts/*.prompt.md
//go:embed simulated-recovery/setup.sh
var packets embed.FS

// Copy writes an embedded packet to dir, which must not exist yet.
func Copy(name, dir string) error {
	source, err := fs.Sub(packets, name)
	if err != nil {
		return fmt.Errorf("example %s: %w", name, err)
	}
	if _, err := fs.Stat(source, "."); err != nil {
		return fmt.Errorf("example %s: %w", name, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return fmt.Errorf("example %s: %w", name, err)
	}
	if err := os.CopyFS(filepath.Clean(dir), source); err != nil {
		return fmt.Errorf("example %s: %w", name, err)
	}
	return nil
}
