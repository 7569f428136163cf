// Package statedir knows where Prompt Runner keeps its state on a host and what
// the paths inside are called. It creates directories and the host id; what the
// files say belongs to the packages that write them.
package statedir
