package localruntime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/google/renameio/v2"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/headers"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/schema/sqlite"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/prompt-runner/prompt-runner/run"
)

const (
	// namespace is the only namespace of the local runtime.
	namespace = "default"
	// retention is how long closed runs stay visible.
	retention = 30 * 24 * time.Hour
	// clusterName is what Temporal calls a cluster that stands alone.
	clusterName = "active"
)

// databaseVersion is what wrote the database; the server migrates no SQLite
// file, so another schema cannot be opened.
type databaseVersion struct {
	Server string `json:"server"`
	Schema string `json:"schema"`
}

func currentVersion() databaseVersion {
	return databaseVersion{Server: headers.ServerVersion, Schema: sqlite.Version + "/" + sqlite.VisibilityVersion}
}

// openDatabase creates the database with schema and namespace, or checks that
// the existing one is ours to open. The caller holds the runtime's lock.
func openDatabase(f files) (*config.SQL, error) {
	settings := databaseSettings(f.database(), "wal")
	switch _, err := os.Stat(f.database()); {
	case errors.Is(err, fs.ErrNotExist):
		if err := createDatabase(f); err != nil {
			return nil, fmt.Errorf("local runtime: create database %s: %w", f.database(), err)
		}
	case err != nil:
		return nil, fmt.Errorf("local runtime: database: %w", err)
	default:
		if err := checkVersion(f); err != nil {
			return nil, err
		}
	}
	space, err := sqlite.NewNamespaceConfig(clusterName, namespace, false, searchAttributes())
	if err != nil {
		return nil, fmt.Errorf("local runtime: namespace: %w", err)
	}
	space.Detail.Config.Retention = durationpb.New(retention)
	// Nothing happens when the namespace exists, except that a file that is no
	// database is found here.
	if err := sqlite.CreateNamespaces(settings, space); err != nil {
		return nil, unusable(f, err)
	}
	if err := writeVersion(f); err != nil {
		return nil, err
	}
	return settings, nil
}

// createDatabase prepares the schema in another file and renames it, so that a
// database that exists has its whole schema. The version is recorded before.
func createDatabase(f files) error {
	draft := f.database() + ".new"
	for _, suffix := range []string{"", "-journal"} {
		if err := os.Remove(draft + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := sqlite.SetupSchema(databaseSettings(draft, "delete")); err != nil {
		return err
	}
	if err := os.Chmod(draft, 0o600); err != nil {
		return err
	}
	if err := writeVersion(f); err != nil {
		return err
	}
	return os.Rename(draft, f.database())
}

// uriPath writes a path the way it stands in a SQLite URI.
var uriPath = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// databaseSettings are the server's settings for a SQLite file. One connection,
// the default, is also the fastest: writers exclude each other anyway.
func databaseSettings(path, journal string) *config.SQL {
	return &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: uriPath.Replace(path),
		ConnectAttributes: map[string]string{
			"mode":         "rwc",
			"journal_mode": journal,
			"synchronous":  "2",
			"busy_timeout": "5000",
		},
	}
}

func writeVersion(f files) error {
	data, err := json.Marshal(currentVersion())
	if err != nil {
		return fmt.Errorf("local runtime: encode database version: %w", err)
	}
	if err := renameio.WriteFile(f.version(), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("local runtime: write database version: %w", err)
	}
	return nil
}

// checkVersion refuses a database of an unknown or newer writer.
func checkVersion(f files) error {
	data, err := os.ReadFile(f.version())
	if err != nil {
		return fmt.Errorf("local runtime: the version of database %s is unknown: %w; %s", f.database(), err, moveAway(f))
	}
	var written databaseVersion
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&written); err != nil {
		return fmt.Errorf("local runtime: %s: %w; %s", f.version(), err, moveAway(f))
	}
	ours := currentVersion()
	newer, err := newerVersion(written.Server, ours.Server)
	if err != nil {
		return fmt.Errorf("local runtime: %s: %w; %s", f.version(), err, moveAway(f))
	}
	if newer || written.Schema != ours.Schema {
		return fmt.Errorf("local runtime: database %s was written by Temporal %s with schema %s, this build has Temporal %s with schema %s; use the release that wrote it to finish its runs, or %s",
			f.database(), written.Server, written.Schema, ours.Server, ours.Schema, moveAway(f))
	}
	return nil
}

// newerVersion reports whether version a is later than b; both are MAJOR.MINOR.PATCH.
func newerVersion(a, b string) (bool, error) {
	left, err := parseVersion(a)
	if err != nil {
		return false, err
	}
	right, err := parseVersion(b)
	if err != nil {
		return false, err
	}
	for i := range left {
		if left[i] != right[i] {
			return left[i] > right[i], nil
		}
	}
	return false, nil
}

func parseVersion(text string) ([3]int, error) {
	var parts [3]int
	if n, err := fmt.Sscanf(text, "%d.%d.%d", &parts[0], &parts[1], &parts[2]); n != 3 {
		return parts, fmt.Errorf("server version %q is not MAJOR.MINOR.PATCH: %w", text, err)
	}
	return parts, nil
}

// unusable explains a database that cannot be opened.
func unusable(f files, err error) error {
	return fmt.Errorf("local runtime: database %s is unusable: %w; %s", f.database(), err, moveAway(f))
}

// moveAway is the advice for a database that this build cannot use. The three
// files belong together: without its -wal a database is rolled back.
func moveAway(f files) string {
	return fmt.Sprintf("move it away together with its -wal and -shm files (for f in \"%[1]s\"*; do mv \"$f\" \"$f.old\"; done) to start with an empty history", f.database())
}

// searchAttributes are the custom search attributes of a run by type.
func searchAttributes() map[string]enums.IndexedValueType {
	attributes := map[string]enums.IndexedValueType{}
	for _, name := range run.KeywordAttributes {
		attributes[name] = enums.INDEXED_VALUE_TYPE_KEYWORD
	}
	for _, name := range run.KeywordListAttributes {
		attributes[name] = enums.INDEXED_VALUE_TYPE_KEYWORD_LIST
	}
	return attributes
}
