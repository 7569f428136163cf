package packet

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// builtInProfiles need no file.
var builtInProfiles = map[string]string{
	"simulated-default": `---
provider: simulated
model: simulated-demo
reasoning_effort: low
permission_mode: bypass
allowed_tools: [Read, Edit, Write, Bash]
recovery:
  retry:
    base_delay_ms: 0
    max_delay_ms: 0
    jitter: false
---
`,
}

// readProfile reads the settings of the profile that n names, from the built-in
// ones or from configHome.
func readProfile(r *report, n node, configHome string) (string, layer) {
	name, ok := r.word(n)
	if !ok {
		return "", layer{}
	}
	if text, ok := builtInProfiles[name]; ok {
		profile, _ := splitDocument(r, "built-in profile "+name, text)
		return name, readLayer(r, profile.attrs)
	}
	builtIn := strings.Join(slices.Sorted(maps.Keys(builtInProfiles)), ", ")
	if strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
		r.errorf(n.place, "%q cannot name a profile; write the name of a file in the profiles directory without .md, or a built-in one: %s", name, builtIn)
		return "", layer{}
	}
	if configHome == "" {
		r.errorf(n.place, "there is no profile %q: no configuration directory is known, and built in are: %s", name, builtIn)
		return "", layer{}
	}
	path := filepath.Join(configHome, "profiles", name+".md")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		r.errorf(n.place, "there is no profile %q: %s does not exist, and built in are: %s", name, path, builtIn)
		return "", layer{}
	}
	profile, ok := readDocument(r, path, path)
	if !ok {
		return "", layer{}
	}
	noControls(r, profile.attrs)
	warnUnknown(r, profile.attrs, slices.Concat(profileKeys, controlKeys))
	return name, readLayer(r, profile.attrs)
}
