package workerapp

import (
	"runtime/debug"
	"strings"
)

// Build identifies this program for worker identities and runtime records: the
// short revision it was built from (with "-dirty" when the tree had changes),
// its module version when it was installed as a module, or "devel".
func Build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	switch revision := settings["vcs.revision"]; {
	case revision == "" && strings.HasPrefix(info.Main.Version, "v"):
		return info.Main.Version
	case revision == "":
		return "devel"
	case settings["vcs.modified"] == "true":
		return short(revision) + "-dirty"
	default:
		return short(revision)
	}
}

// short cuts a revision to the length git shows.
func short(revision string) string { return revision[:min(len(revision), 12)] }
