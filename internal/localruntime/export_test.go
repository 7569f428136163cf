package localruntime

import (
	"go.temporal.io/server/schema/sqlite"

	"github.com/prompt-runner/prompt-runner/internal/statedir"
)

// CreateDatabase makes a database with the given namespace instead of ours.
func CreateDatabase(state statedir.Dir, space *sqlite.NamespaceConfig) error {
	f := filesOf(state)
	if err := f.create(); err != nil {
		return err
	}
	if err := createDatabase(f); err != nil {
		return err
	}
	return sqlite.CreateNamespaces(databaseSettings(f.database(), "wal"), space)
}
