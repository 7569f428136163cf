// Package gittest makes real git repositories for tests.
package gittest
