// Package acceptance runs the built command line as a user would: real
// processes, real git, a real local runtime with a state directory of its own.
// The scripts are in testdata/script, one per subject; acceptance/README.md says
// how to read a failure. The package has no code of its own.
package acceptance
