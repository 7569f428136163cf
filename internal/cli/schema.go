package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prompt-runner/prompt-runner/internal/atomicfile"
	"github.com/prompt-runner/prompt-runner/packet"
)

func (a *app) schemaCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "schema [manifest|prompt|profile]",
		Short: "Print or write the JSON Schemas of packets, for editors",
		Long: `Print the JSON Schema of one kind of front matter, or write all three into a
directory. An editor with a YAML language server completes and checks front matter
by them: the line

  # yaml-language-server: $schema=./prompt_runner.manifest.schema.json

at the top of the front matter names the file; templates have it.`,
		Example: `  prompt-runner schema prompt
  prompt-runner schema --dir path/to/packet`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completionOf("manifest", "prompt", "profile"),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && dir == "":
				return usagef("name a schema to print (manifest, prompt or profile), or a directory to write all of them to with --dir")
			case len(args) == 1 && dir != "":
				return usagef("--dir writes all schemas; leave out %q", args[0])
			case dir != "":
				return a.writeSchemas(a.abs(dir), "manifest", "prompt", "profile")
			}
			return a.printSchema(args[0])
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory to write all schemas to")
	_ = cmd.MarkFlagDirname("dir") // the flag exists
	return cmd
}

func (a *app) printSchema(name string) error {
	schemas, err := packet.Schemas()
	if err != nil {
		return err
	}
	var names []string
	for _, schema := range schemas {
		if schema.Name == name {
			_, err := a.env.Stdout.Write(schema.Text)
			return err
		}
		names = append(names, schema.Name)
	}
	return usagef("there is no schema %q; there are: %s", name, strings.Join(names, ", "))
}

// writeSchemas writes schemas into a directory that exists.
func (a *app) writeSchemas(dir string, names ...string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usagef("no such directory: %s", dir)
	}
	schemas, err := packet.Schemas()
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		if !slices.Contains(names, schema.Name) {
			continue
		}
		path := filepath.Join(dir, schema.File)
		if err := atomicfile.Replace(path, schema.Text, 0o644); err != nil {
			return err
		}
		a.say("wrote %s", path)
	}
	return nil
}
