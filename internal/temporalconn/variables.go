package temporalconn

import (
	"slices"
	"strings"
)

// Environment is a list of KEY=VALUE, as os.Environ returns it; of equal keys
// the last counts.
type Environment []string

// Environ returns the list.
func (e Environment) Environ() []string { return e }

// LookupEnv returns the value of key like os.LookupEnv.
func (e Environment) LookupEnv(key string) (string, bool) {
	for _, entry := range slices.Backward(e) {
		if value, ok := strings.CutPrefix(entry, key+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Getenv returns the value of key like os.Getenv.
func (e Environment) Getenv(key string) string {
	value, _ := e.LookupEnv(key)
	return value
}
