package packet

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed profiles/*.md
var builtInProfiles embed.FS

// BuiltInProfiles are the names of the profiles that need no file, sorted.
func BuiltInProfiles() []string {
	entries, err := builtInProfiles.ReadDir("profiles")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".md"))
	}
	return names
}

// BuiltInProfile returns the text of a profile that needs no file.
func BuiltInProfile(name string) (string, bool) {
	data, err := builtInProfiles.ReadFile("profiles/" + name + ".md")
	return string(data), err == nil
}

// profile is what a profile says.
type profile struct {
	settings layer
	display  displayLayer
}

// fallbackProfile applies where neither packet nor config.md names one, if the
// user has it.
const fallbackProfile = "codex-default"

// readProfile reads the profile that the manifest names, else the user's default
// one, else none.
func readProfile(r *report, manifest node, configHome string) (string, profile) {
	n := manifest.get("profile")
	if !n.given() {
		n = defaultProfile(r, configHome)
	}
	name, ok := r.word(n)
	if !ok {
		return "", profile{}
	}
	builtIn := strings.Join(BuiltInProfiles(), ", ")
	if strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
		r.errorf(n.place, "%q cannot name a profile; write the name of a file in the profiles directory without .md, or a built-in one: %s", name, builtIn)
		return "", profile{}
	}
	path := ProfilePath(configHome, name)
	if configHome != "" && exists(path) {
		doc, ok := readDocument(r, path, path, SourceProfile)
		if !ok {
			return "", profile{}
		}
		return name, profileOf(r, doc.attrs)
	}
	if text, ok := BuiltInProfile(name); ok {
		doc, _ := splitDocument(r, place{file: "built-in profile " + name, source: SourceProfile}, text)
		return name, profileOf(r, doc.attrs)
	}
	where := "no configuration directory is known"
	if configHome != "" {
		where = path + " does not exist"
	}
	r.failf(KindMissingProfile, n.place, "there is no profile %q%s: %s, and built in are: %s", name, didYouMean(name, BuiltInProfiles()), where, builtIn)
	return "", profile{}
}

// ProfilePath is where the user's profile of that name is kept.
func ProfilePath(configHome, name string) string {
	return filepath.Join(configHome, "profiles", name+".md")
}

// ConfigFile names, in a directory of profiles and templates, the file whose
// front matter names the default profile.
const ConfigFile = "config.md"

// defaultProfile is the profile of packets that name none.
func defaultProfile(r *report, configHome string) node {
	if configHome == "" {
		return node{}
	}
	path := filepath.Join(configHome, ConfigFile)
	if exists(path) {
		doc, ok := readDocument(r, path, path, SourceProfile)
		warnUnknown(r, doc.attrs, configObject.names())
		if n := doc.attrs.get("default_profile"); ok && n.given() {
			return n
		}
	}
	if path := ProfilePath(configHome, fallbackProfile); exists(path) {
		return node{place: place{file: path, source: SourceProfile}, kind: kindScalar, text: fallbackProfile, quoted: true}
	}
	return node{}
}

// exists reports whether anything is at path; what cannot be looked at is
// reported when it is read.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func profileOf(r *report, attrs node) profile {
	noControls(r, attrs)
	warnUnknown(r, attrs, slices.Concat(profileObject.names(), object{keys: controlKeys}.names()))
	return profile{settings: readLayer(r, attrs), display: readDisplay(r, attrs)}
}

// CheckSettings reports what is wrong with the text of a profile, which need not
// be a file yet: an error of type [Errors], or nil. file is what findings call it.
func CheckSettings(file, text string) error {
	r := &report{}
	if doc, ok := splitDocument(r, place{file: file, source: SourceProfile}, text); ok {
		profileOf(r, doc.attrs)
	}
	return r.failed()
}

// CheckProfile reports what is wrong with a profile: an error of type [Errors], or
// nil.
func CheckProfile(name string, opts Options) error {
	r := &report{}
	manifest := node{kind: kindMap, fields: []field{{name: "profile", value: node{
		place: place{file: "profile"}, kind: kindScalar, text: name, quoted: true,
	}}}}
	readProfile(r, manifest, opts.ConfigHome)
	return r.failed()
}
