// Package packet owns the file formats of a packet: the manifest, the prompt
// files and the profiles behind them. It parses, validates and resolves them
// into one [Packet] value in which every default is filled in and every path is
// absolute.
//
// The keys of the formats are defined once, as data; readers and JSON Schemas
// ([Schemas]) go by these definitions. [Lint], [Diagnose], [Explain] and [Migrate]
// look at the same files with other questions, and [FrontMatter] changes them in
// place.
//
// Problems are reported as [Errors]: each names file, line and key. Nothing that
// cannot be read is ever taken for empty.
//
// It imports run and simulation for their types, and what compiles patterns and
// guesses words: whether repositories exist and what a contract finds in them is judged
// elsewhere. It starts no process.
package packet
