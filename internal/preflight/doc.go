// Package preflight tells whether the repositories of a packet can be worked in:
// what no session can repair is found before one is started.
//
// It looks and changes nothing. It must not import activities, the command line
// or Temporal.
package preflight
