// Package projection writes what people and scripts read of a run into the
// packet's .prompt_runner directory: state.json, progress.log, run.pid and the
// place of the logs. The layout and the names are those of the Elixir tool.
//
// A projection follows the run and never decides anything: writes carry a
// revision, an older one never overwrites a newer one, and all of it can be
// deleted without losing a run.
package projection
