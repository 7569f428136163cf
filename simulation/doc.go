// Package simulation describes scripted agent sessions as data: what the
// simulated agent says, writes and fails with, attempt by attempt. Package
// packet reads such scripts from the front matter key "simulate"; package
// providers/simulated plays them.
package simulation
