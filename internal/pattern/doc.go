// Package pattern compiles the regular expressions of contracts, which are
// written for a Perl-compatible engine.
//
// Go's engine takes linear time and is used wherever it means the same; the
// others run in a backtracking one under a time limit. The package imports
// nothing of the project.
package pattern
