// Package sessionhost keeps the ledger of provider sessions: one directory per
// session key in the run's state, with what the session was asked (spec.json,
// prompt.md), what it said (events.jsonl) and how it ended (exit.json).
//
// A directory appears by rename, complete with its spec; an exit record appears
// by rename too. So whoever finds a directory after a crash knows whether the
// session was started, and whether it has ended.
package sessionhost
