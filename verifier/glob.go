package verifier

import (
	"path"
	"strings"
)

// allows reports whether an allowed path, directory or glob covers name. Globs
// are those of path.Match, with ** for any number of directories; what is
// spelled out is never read as a pattern.
func allows(allowed, name string) bool {
	return inDirectory(allowed, name) || globMatch(strings.Split(allowed, "/"), strings.Split(name, "/"))
}

// globMatch matches element by element. A malformed pattern matches nothing.
func globMatch(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for skip := range len(name) + 1 {
				if globMatch(pattern[1:], name[skip:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); err != nil || !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}
