package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/render"
	"github.com/prompt-runner/prompt-runner/internal/scaffold"
)

func (a *app) templateCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "template",
		Short: "Show the templates that prompts are made from",
		Long: `Show the templates that prompts are made from: those of a packet (templates/ in it),
those of the configuration directory, and the built-in ones. Of templates with one
name the first counts.`,
	}, a.templateListCommand(), a.templateShowCommand())
}

// places are where templates of a packet are looked for.
func (a *app) places(dir string) scaffold.Places {
	return scaffold.Places{Packet: dir, Home: a.loadOptions().ConfigHome, WorkDir: a.env.WorkDir, HomeDir: a.env.Getenv("HOME")}
}

func (a *app) templateListCommand() *cobra.Command {
	var (
		dir    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "list [PACKET]",
		Short: "List the templates: name, source, location",
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return a.onPacket(cmd, &dir, &asJSON, func(context.Context) error {
		templates, err := scaffold.Templates(a.places(dir))
		if err != nil {
			return scaffolded(err)
		}
		if asJSON {
			return a.printJSON(templates)
		}
		for _, template := range templates {
			a.say("%s\t%s\t%s", render.OneLine(template.Name), template.Source, render.OneLine(cmp.Or(template.Location, "-")))
		}
		return nil
	})
}

func (a *app) templateShowCommand() *cobra.Command {
	var packetDir string
	cmd := &cobra.Command{
		Use:   "show NAME [PACKET]",
		Short: "Print a template",
		Args:  cobra.RangeArgs(1, 2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			return a.completeTemplates(&packetDir)(cmd, args, typed)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			resolved, err := a.onePacket(packetDir, args[1:])
			if err != nil {
				return err
			}
			template, err := scaffold.FindTemplate(args[0], a.places(resolved.Dir))
			if err != nil {
				return scaffolded(err)
			}
			return a.printFile(cmp.Or(template.Location, "built in"), template.Text())
		},
	}
	cmd.Flags().StringVar(&packetDir, "packet", "", "packet directory")
	return cmd
}

// completeTemplates proposes the templates of a packet.
func (a *app) completeTemplates(packetFlag *string) completer {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		resolved, err := a.resolveTarget(*packetFlag, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		templates, err := scaffold.Templates(a.places(resolved.Dir))
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var names []cobra.Completion
		for _, template := range templates {
			names = append(names, cobra.CompletionWithDesc(template.Name, template.Source))
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// printFile prints a text on stdout, and where it is from on stderr.
func (a *app) printFile(location, text string) error {
	_, _ = fmt.Fprintln(a.env.Stderr, render.OneLine(location))
	_, err := fmt.Fprint(a.env.Stdout, render.Printable(text))
	return err
}
