package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/scaffold"
	"github.com/prompt-runner/prompt-runner/packet"
)

type packetNewOptions struct {
	root, profile, defaultRepo string
	repos, documents           []string
	force                      bool
}

func (a *app) packetNewCommand() *cobra.Command {
	var (
		opts  packetNewOptions
		given settingFlags
	)
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a packet, also one prompt for each section of documents",
		Long: `Write a packet: a directory with a manifest, a directory for prompts, and the JSON
Schemas that editors complete and check both by.

With --from, each second-level section (## ...) of the Markdown documents becomes a
prompt that names and quotes its section; contract and details are left to write.`,
		Example: `  prompt-runner packet new nightly --repo app=../app
  prompt-runner packet new search --repo app=../app --from docs/adr/0007-search.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := given.given(cmd)
			if err != nil {
				return err
			}
			return a.runPacketNew(args[0], opts, settings)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.root, "root", ".", "directory to write the packet's directory into")
	flags.StringVarP(&opts.profile, "profile", "p", "", "profile that supplies defaults")
	flags.StringArrayVar(&opts.repos, "repo", nil, "repository as `NAME=PATH`; can be repeated")
	flags.StringVar(&opts.defaultRepo, "default-repo", "", "repository of prompts without targets (default the first)")
	flags.StringArrayVar(&opts.documents, "from", nil, "Markdown `DOCUMENT` to make prompts of; can be repeated")
	flags.BoolVar(&opts.force, "force", false, "replace a manifest and prompts that are there")
	given.add(cmd)
	_ = cmd.RegisterFlagCompletionFunc("profile", a.completeProfiles) // the flag exists
	_ = cmd.MarkFlagDirname("root")
	return cmd
}

func (a *app) runPacketNew(name string, opts packetNewOptions, settings scaffold.Settings) error {
	dir := filepath.Join(a.abs(opts.root), name)
	p := scaffold.Packet{Name: name, Profile: opts.profile, DefaultRepo: opts.defaultRepo, Settings: settings}
	for _, written := range opts.repos {
		repo, path, ok := strings.Cut(written, "=")
		if !ok || repo == "" || path == "" {
			return usagef("--repo %q: it must be NAME=PATH", written)
		}
		typed, exists := a.repoPath(path)
		if !exists {
			a.note("--repo %s: there is no directory %s yet", repo, path)
		}
		p.Repos = append(p.Repos, scaffold.Repo{Name: repo, Path: typed})
	}
	// A path in a manifest must not depend on where later commands are typed.
	if scaffold.TemplateIsFile(settings.PromptTemplate) && !strings.HasPrefix(settings.PromptTemplate, "~/") {
		settings.PromptTemplate = a.abs(settings.PromptTemplate)
		p.Settings = settings
	}
	sections, err := a.checkPacketNew(opts, settings, dir)
	if err != nil {
		return err
	}
	manifest, err := scaffold.NewPacket(dir, p, opts.force)
	if err != nil {
		return scaffolded(err)
	}
	a.say("wrote %s", manifest)
	if err := a.writeSchemas(dir, "manifest", "prompt"); err != nil {
		return err
	}
	if err := a.readable(dir); err != nil {
		return err
	}
	if len(sections) > 0 {
		if err := a.promptsFrom(dir, sections, settings.PromptTemplate, opts.force); err != nil {
			return err
		}
		a.say("to see what is left to write: prompt-runner packet doctor %s", shellWord(dir))
		return nil
	}
	if len(p.Repos) == 0 {
		a.say("to add a repository: prompt-runner repo add NAME PATH --packet %s", shellWord(dir))
	}
	a.say("to write the first prompt: prompt-runner prompt new 01 --packet %s", shellWord(dir))
	return nil
}

// fromTemplate is the template of prompts made from documents.
const fromTemplate = "from-adr"

// checkPacketNew finds what is wrong before anything is written, and the sections
// that prompts are to be made of.
func (a *app) checkPacketNew(opts packetNewOptions, settings scaffold.Settings, dir string) ([]scaffold.Section, error) {
	err := settings.Check("options")
	if err == nil && opts.profile != "" {
		err = packet.CheckProfile(opts.profile, a.loadOptions())
	}
	if err != nil {
		return nil, unusable("packet", err)
	}
	for _, template := range []string{settings.PromptTemplate, fromTemplate} {
		if template == "" {
			continue
		}
		if _, err := scaffold.FindTemplate(template, a.places(dir)); err != nil {
			return nil, scaffolded(err)
		}
	}
	documents := make([]string, len(opts.documents))
	for i, document := range opts.documents {
		documents[i] = a.abs(document)
	}
	sections, err := scaffold.Sections(documents)
	return sections, scaffolded(err)
}

// repoPath is a repository's path as manifests have it: a relative one means the
// working directory when it is typed; "~" stays. It reports whether a directory is
// there.
func (a *app) repoPath(typed string) (path string, exists bool) {
	path = a.abs(typed)
	at := path
	if rest, ok := strings.CutPrefix(typed, "~/"); ok {
		path, at = typed, filepath.Join(a.env.Getenv("HOME"), rest)
	}
	info, err := os.Stat(at)
	return path, err == nil && info.IsDir()
}

func (a *app) promptsFrom(dir string, sections []scaffold.Section, template string, force bool) error {
	manifest, err := scaffold.Open(dir, a.loadOptions())
	if err != nil {
		return scaffolded(err)
	}
	paths, err := scaffold.FromSections(manifest, sections, cmp.Or(template, fromTemplate), a.places(dir), force)
	for _, path := range paths {
		a.say("wrote %s", path)
	}
	return scaffolded(err)
}
