package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

func (a *app) promptCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "prompt",
		Short: "Write prompts",
	}, a.promptNewCommand())
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (a *app) promptNewCommand() *cobra.Command {
	var (
		prompt    scaffold.Prompt
		packetDir string
		force     bool
	)
	cmd := &cobra.Command{
		Use:   "new ID",
		Short: "Write a prompt into a packet from a template",
		Long: `Write a prompt into a packet from a template, with placeholders where its text and
its contract are to be written.`,
		Example: `  prompt-runner prompt new 03 --packet path/to/packet --name "Search the notes" --targets app`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			resolved, err := a.onePacket(packetDir, nil)
			if err != nil {
				return err
			}
			manifest, err := scaffold.Open(resolved.Dir, a.loadOptions())
			if err != nil {
				return scaffolded(err)
			}
			prompt.ID = args[0]
			path, err := scaffold.NewPrompt(manifest, prompt, a.places(resolved.Dir), force)
			if err != nil {
				return scaffolded(err)
			}
			a.say("wrote %s", path)
			if schema := packet.SchemaFile("prompt"); !fileExists(filepath.Join(resolved.Dir, schema)) {
				a.note("editors check prompts by %s, which this packet does not have; to write it: prompt-runner schema --dir %s", schema, shellWord(resolved.Dir))
			}
			a.say("to check it: prompt-runner packet lint %s", shellWord(resolved.Dir))
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&packetDir, "packet", "", "packet directory (default the working directory)")
	flags.IntVar(&prompt.Phase, "phase", 1, "number of its phase")
	flags.StringVar(&prompt.Name, "name", "", "what it is called (default New Prompt)")
	flags.StringSliceVar(&prompt.Targets, "targets", nil, "repositories it works on, with commas between them (default the packet's)")
	flags.StringVar(&prompt.Commit, "commit", "", "commit message (default made from the name)")
	flags.StringVar(&prompt.Template, "template", "", "template (default the packet's)")
	flags.BoolVar(&force, "force", false, "replace a prompt that is there")
	_ = cmd.RegisterFlagCompletionFunc("template", a.completeTemplates(&packetDir)) // the flag exists
	_ = cmd.RegisterFlagCompletionFunc("packet", a.completePacket)
	return cmd
}
