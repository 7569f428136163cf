// Package providers owns what every coding agent looks like from the outside: a
// [Turn] goes in, normalised [Event] values and a [Result] come out. It also owns
// the registry of the providers that a build has, and how events are written for
// people ([Transcript]) and for programs ([CompactLine], or an Event as JSON).
//
// A provider knows nothing of workflows, contracts or recovery: it reports how a
// session ended and decides nothing. The package must not import workflows,
// activities, verifier or anything that starts processes.
package providers
