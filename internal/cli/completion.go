package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/packet"
)

// completer proposes words for an argument or a flag.
type completer = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective)

// completePacketThenIDs proposes packet directories for the first argument, and
// prompt ids after it or where --packet names the packet.
func (a *app) completePacketThenIDs(packetFlag *string) completer {
	return func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		resolved, err := a.resolveTarget(*packetFlag, args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ids := a.promptCompletions(resolved.Dir, resolved.Prompts)
		if len(args) > 0 || *packetFlag != "" {
			return ids, cobra.ShellCompDirectiveNoFileComp
		}
		packets := a.packetCompletions(typed)
		if len(packets) == 0 && len(ids) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return append(ids, packets...), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// completePacket proposes packet directories for the only argument.
func (a *app) completePacket(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	packets := a.packetCompletions(typed)
	if len(packets) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return packets, cobra.ShellCompDirectiveNoFileComp
}

// promptCompletions are the ids of a packet's prompts with their names, without
// those that stand already.
func (a *app) promptCompletions(dir string, without []string) []cobra.Completion {
	loaded, err := packet.Load(dir, a.loadOptions())
	if err != nil {
		return nil
	}
	var ids []cobra.Completion
	for _, prompt := range loaded.Prompts {
		if !slices.Contains(without, prompt.ID) {
			ids = append(ids, cobra.CompletionWithDesc(prompt.ID, render.OneLine(prompt.Name)))
		}
	}
	return ids
}

// packetCompletions are the directories that begin as typed and are packets, or
// hold some directly below.
func (a *app) packetCompletions(typed string) []cobra.Completion {
	base, prefix := filepath.Split(typed)
	entries, err := os.ReadDir(a.abs(filepath.Clean(base)))
	if err != nil {
		return nil
	}
	isPacket := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, packet.ManifestName))
		return err == nil
	}
	var packets []cobra.Completion
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) || strings.HasPrefix(entry.Name(), ".") && prefix == "" {
			continue
		}
		dir := filepath.Join(a.abs(base), entry.Name())
		if isPacket(dir) {
			packets = append(packets, base+entry.Name())
			continue
		}
		below, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(below, func(sub os.DirEntry) bool { return sub.IsDir() && isPacket(filepath.Join(dir, sub.Name())) }) {
			packets = append(packets, base+entry.Name()+"/")
		}
	}
	return packets
}

// completeProfiles proposes the profiles that there are.
func (a *app) completeProfiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.profileNames(), cobra.ShellCompDirectiveNoFileComp
}

// profileNames are the user's profiles and the built-in ones, sorted.
func (a *app) profileNames() []string {
	names := packet.BuiltInProfiles()
	if home := a.loadOptions().ConfigHome; home != "" {
		files, _ := filepath.Glob(filepath.Join(home, "profiles", "*.md")) // the pattern is well formed
		for _, file := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(file), ".md"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// completionOf proposes a fixed list of words.
func completionOf(words ...string) completer {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}
