package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/prompt-runner/prompt-runner/packet"
)

// target is what a command line points at.
type target struct {
	// Dir is the packet directory: canonical when Exists, else as it was given.
	Dir    string
	Exists bool
	// Prompts are the ids in the order they were given, padded to two digits.
	Prompts []string
}

var (
	promptID      = regexp.MustCompile(`^[0-9]+$`)
	workspaceFile = regexp.MustCompile(`^workspace.*\.ya?ml$`)
)

// resolveTarget applies one rule for all commands: --packet names the packet;
// else a first argument that is a directory does; else the working directory is
// the packet. What is left are prompt ids.
func (a *app) resolveTarget(packetFlag string, args []string) (target, error) {
	resolved := target{Dir: a.env.WorkDir}
	switch {
	case packetFlag != "":
		resolved.Dir = packetFlag
	case len(args) > 0:
		directory, err := a.directory(args[0])
		if err != nil {
			return target{}, err
		}
		if directory {
			resolved.Dir, args = args[0], args[1:]
		}
	}
	for _, arg := range args {
		id := strings.TrimSpace(arg)
		if !promptID.MatchString(id) {
			return target{}, usagef("%q is neither a directory nor a prompt id; ids are numbers such as 03", arg)
		}
		if len(id) < 2 {
			id = "0" + id
		}
		resolved.Prompts = append(resolved.Prompts, id)
	}
	return resolved, a.canonical(&resolved)
}

// directory reports whether a first argument is a directory. What looks like a
// path but is none is an error, so that it is not taken for something else.
func (a *app) directory(arg string) (bool, error) {
	info, err := os.Stat(a.abs(arg))
	switch {
	case err == nil && info.IsDir():
		return true, nil
	case promptID.MatchString(arg):
		return false, nil
	case err == nil && workspaceFile.MatchString(filepath.Base(arg)):
		return false, usagef("%s is a workspace file: workspaces are not supported yet; give the packet directory", arg)
	case err == nil:
		return false, usagef("%s is a file; give the directory that has the packet's %s", arg, packet.ManifestName)
	case !errors.Is(err, fs.ErrNotExist):
		return false, usagef("%s: %v", arg, errors.Unwrap(err))
	case strings.ContainsAny(arg, `/.\`):
		return false, usagef("no such directory: %s", arg)
	}
	return false, nil
}

// canonical makes the directory absolute and resolves symbolic links, so that
// every way to name a packet means the same run.
func (a *app) canonical(t *target) error {
	t.Dir = a.abs(t.Dir)
	real, err := filepath.EvalSymlinks(t.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usagef("packet directory: %v", err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return usagef("packet directory: %v", err)
	}
	if !info.IsDir() {
		return usagef("%s is a file; give the directory that has the packet's %s", t.Dir, packet.ManifestName)
	}
	t.Dir, t.Exists = real, true
	return nil
}

func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(a.env.WorkDir, path)
}

// onePacket resolves the target of a command that takes no prompt ids.
func (a *app) onePacket(packetFlag string, args []string) (target, error) {
	resolved, err := a.resolveTarget(packetFlag, args)
	switch {
	case err != nil:
		return target{}, err
	case len(resolved.Prompts) > 0:
		return target{}, usagef("unexpected argument %q: this command takes a packet directory, no prompt ids", args[len(args)-1])
	case !resolved.Exists:
		return target{}, usagef("no such directory: %s", resolved.Dir)
	}
	return resolved, nil
}

// loadOptions say where packets find profiles and what "~" means.
func (a *app) loadOptions() packet.Options { return packet.EnvironmentOptions(a.env.Getenv) }

// load reads a packet; every finding is in the error.
func (a *app) load(dir string, options packet.Options) (*packet.Packet, error) {
	loaded, err := packet.Load(dir, options)
	return loaded, cannotRun(err)
}

// cannotRun introduces the findings that make a packet unusable.
func cannotRun(err error) error {
	if findings, ok := errors.AsType[packet.Errors](err); ok {
		return fmt.Errorf("the packet cannot be run:\n%w", findings)
	}
	return err
}

// shellWord quotes a path for the commands that messages suggest.
func shellWord(path string) string {
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-", r)
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
