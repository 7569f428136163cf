// Package gitcmd asks git. It is the only place where git's command line is
// written: the rest of the module calls the methods of [Repo] and gets values,
// parsed from NUL-separated output, so that no file name can be misread.
//
// It runs git through package proc and imports nothing else of this module. It
// never pushes, forces, resets or cleans.
package gitcmd
