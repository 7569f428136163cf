// Package archtest holds the import rules of the project as a test. It has no
// code of its own.
package archtest
