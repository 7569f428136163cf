package packet_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/prompt-runner/prompt-runner/packet"
)

func TestLoadFillsInDefaults(t *testing.T) {
	f := files{"prompts/03-my_cool-thing.prompt.md": "Just text.\n"}
	root := f.write(t)
	canonical, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	loaded, err := packet.Load(root, packet.Options{})
	require.NoError(t, err)

	require.Equal(t, "sample", loaded.Name)
	require.Equal(t, canonical, loaded.Root)
	require.Empty(t, loaded.Profile)
	require.Equal(t, []packet.Repo{{Name: "default", Path: canonical, Default: true}}, loaded.Repos)
	require.Len(t, loaded.Fingerprint, 64)
	require.Empty(t, loaded.Warnings)
	require.Len(t, loaded.Prompts, 1)

	got := loaded.Prompts[0]
	require.Equal(t, "03", got.ID)
	require.Equal(t, filepath.Join(canonical, "prompts/03-my_cool-thing.prompt.md"), got.File)
	require.Equal(t, 1, got.Phase)
	require.Equal(t, 1, got.StoryPoints)
	require.Equal(t, "My Cool Thing", got.Name)
	require.Equal(t, "feat: My Cool Thing", got.Commit)
	require.Equal(t, []string{"default"}, got.Targets)
	require.Equal(t, canonical, got.WorkDir)
	require.Equal(t, "Just text.\n", got.Body)
	require.Zero(t, got.Contract)
	require.Zero(t, got.Simulate)
	require.Equal(t, packet.Settings{
		Provider: "claude", PermissionMode: "default", TimeoutMS: 604_800_000, Confirmation: "warn",
	}, got.Settings)
}

func TestLoadRefusesWhatIsNoPacket(t *testing.T) {
	empty := t.TempDir()
	_, err := packet.Load(empty, packet.Options{})
	require.ErrorContains(t, err, filepath.Join(empty, manifest)+": does not exist, so the directory is no packet")

	missing := filepath.Join(empty, "nowhere")
	_, err = packet.Load(missing, packet.Options{})
	require.Equal(t, []string{missing + ": cannot be read: no such file or directory"}, findings(t, empty+"/x", err))

	file := filepath.Join(empty, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	_, err = packet.Load(file, packet.Options{})
	require.ErrorContains(t, err, "is not a directory; name the directory that holds "+manifest)

	require.NoError(t, os.WriteFile(filepath.Join(empty, "runner_config.exs"), nil, 0o644))
	_, err = packet.Load(empty, packet.Options{})
	require.ErrorContains(t, err, "runner_config.exs: is Elixir code, which is not evaluated")
}

func TestLoadRefusesLegacyConfigurationBesideAManifest(t *testing.T) {
	got := files{"runner_config.exs": "%{}", "prompts/01.prompt.md": ""}.errors(t, packet.Options{})
	require.Len(t, got, 1)
	require.Contains(t, got[0], "runner_config.exs: is Elixir code")
}

func TestLoadReportsFilesThatCannotBeRead(t *testing.T) {
	root := files{"prompts/01_a.prompt.md": "a", "prompts/05_e.prompt.md": "---\nid: x\n---\n"}.write(t)
	require.NoError(t, os.Symlink("gone.md", filepath.Join(root, "prompts/02_b.prompt.md")))
	require.NoError(t, os.Mkdir(filepath.Join(root, "prompts/03_c.prompt.md"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "prompts/04_d.prompt.md"), []byte("\xff\xfe"), 0o644))
	large, err := os.Create(filepath.Join(root, "prompts/06_f.prompt.md"))
	require.NoError(t, err)
	require.NoError(t, large.Truncate(16<<20+1))
	require.NoError(t, large.Close())

	_, err = packet.Load(root, packet.Options{})
	require.Equal(t, []string{
		"prompts/02_b.prompt.md: is a symbolic link to gone.md, which does not exist",
		"prompts/03_c.prompt.md: is not a regular file",
		"prompts/04_d.prompt.md: is not valid UTF-8; save it as UTF-8",
		`prompts/05_e.prompt.md:2: id: is "x"; a prompt id is at most 20 digits`,
		"prompts/06_f.prompt.md: is larger than 16 MiB; a prompt is text for an agent, move data into files of its own",
	}, findings(t, root, err))
}

func TestLoadNeedsPrompts(t *testing.T) {
	got := files{"prompts/README.md": "", "prompts/01.checklist.md": "", "prompts/.hidden.prompt.md": ""}.errors(t, packet.Options{})
	require.Equal(t, []string{"prompts: holds no prompts; add a file such as 01_first.prompt.md"}, got)

	got = files{manifest: "---\nprompt_dir: steps\n---\n"}.errors(t, packet.Options{})
	require.Len(t, got, 1)
	require.Contains(t, got[0], manifest+":2: prompt_dir: the directory of the prompts, ")
	require.Contains(t, got[0], "sample/steps, cannot be read: no such file or directory")

	got = files{}.errors(t, packet.Options{})
	require.Len(t, got, 1)
	require.Contains(t, got[0], "prompts: the directory of the prompts")
}

func TestFileOrder(t *testing.T) {
	loaded := files{
		manifest:                  "---\nprompt_dir: steps\n---\n",
		"steps/10000_z.prompt.md": "", "steps/9_b.prompt.md": "", "steps/010_c.prompt.md": "",
		"steps/aa.prompt.md": "---\nid: 99\n---\n", "steps/9_a.prompt.md": "---\nid: 7\n---\n",
		"steps/100_d.prompt.md": "", "steps/1_x.prompt.checklist.md": "", "steps/notes.md": "",
	}.load(t, packet.Options{})
	var ids []string
	for _, prompt := range loaded.Prompts {
		ids = append(ids, prompt.ID)
	}
	require.Equal(t, []string{"07", "09", "010", "100", "10000", "99"}, ids)
}

func TestMarkdownFallback(t *testing.T) {
	loaded := files{
		manifest:     "---\nprompt_dir: .\n---\n",
		"01_auth.md": "# Auth\n", "readme.md": "", "01_auth.checklist.md": "",
	}.load(t, packet.Options{})
	require.Len(t, loaded.Prompts, 1)
	require.Equal(t, "01", loaded.Prompts[0].ID)
	require.Equal(t, "Auth", loaded.Prompts[0].Name)
}

func TestPromptFields(t *testing.T) {
	loaded := files{
		manifest: "---\nname: demo\nrepos: {app: ../app, docs: {path: docs, default: true}}\n---\n",
		"prompts/01_x.prompt.md": prompt("num: 02\nphase: 2\nsp: \"5\"\nname: The name\ntargets: [app, docs, app]\n" +
			"commit: 'fix: it'\ndepends_on: 3\nvalidation:\n  - mix test"),
		"prompts/03_y.prompt.md": prompt("targets: packet"),
	}.load(t, packet.Options{})
	got := loaded.Prompts[0]
	require.Equal(t, "02", got.ID)
	require.Equal(t, 2, got.Phase)
	require.Equal(t, 5, got.StoryPoints)
	require.Equal(t, "The name", got.Name)
	require.Equal(t, []string{"app", "docs"}, got.Targets)
	require.Equal(t, filepath.Join(filepath.Dir(loaded.Root), "app"), got.WorkDir)
	require.Equal(t, "fix: it", got.Commit)
	require.Equal(t, []string{"03"}, got.DependsOn)
	require.Equal(t, []packet.Command{{Shell: "mix test", TimeoutMS: 1_800_000}}, got.Contract.Commands)
	require.Equal(t, loaded.Root, loaded.Prompts[1].WorkDir)
}

func TestPromptErrors(t *testing.T) {
	tests := []struct{ name, attrs, want string }{
		{"id", "id: first", `:2: id: is "first"; a prompt id is at most 20 digits`},
		{"id and num", "id: 1\nnum: 1", ":3: num: means the same as id, which is there too; keep one"},
		{"phase", "phase: two", `:2: phase: is "two"; it must be a whole number from 0 to 2147483647`},
		{"empty commit", "commit: \"\"", ":2: commit: is empty; give a value or remove the key"},
		{"number commit", "commit: 42", ":2: commit: is 42, which YAML reads as a boolean or number; put the message in quotes"},
		{"list commit", "commit: [a]", ":2: commit: is a list; it must be a text"},
		{"unknown target", "targets:\n  - defualt", `:3: targets[0]: unknown repository "defualt" (did you mean "default"?); known are: default, packet`},
		{"group target", "targets: ['@all']", `:2: targets[0]: "@all" is a group, and packets have none; name the repositories`},
		{"target map", "targets: {app: true}", ":2: targets: is a map; it must be a text"},
		{"unknown dependency", "depends_on: [99]", `:2: depends_on[0]: unknown prompt "99"; known are: 01`},
		{"own dependency", "depends_on: [1]", ":2: depends_on[0]: the prompts depend on each other in a circle: 01 -> 01"},
		{"dependency", "depends_on: [a]", `:2: depends_on[0]: is "a"; a prompt id is at most 20 digits`},
		{"control", "agent_control: {}", ":2: agent_control: belongs in " + manifest + "; move it there"},
		{"provider", "provider: cluade", `:2: provider: unknown provider "cluade" (did you mean "claude"?); known are: claude, codex, amp, cursor, antigravity, opencode, gemini, command, simulated`},
		{"permission mode", "permission_mode: maximum", `:2: permission_mode: unknown permission mode "maximum"; known are: default, auto, bypass, plan`},
		{"unsupported mode", "provider: cursor\npermission_mode: acceptEdits", `:3: permission_mode: the provider cursor has no permission mode "auto"; it has: default, bypass, plan`},
		{"timeout", "timeout: 0", `:2: timeout: is "0"; it must be a whole number from 1 to 9223372036854775807`},
		{"allowed tools", "allowed_tools: {a: b}", ":2: allowed_tools: is a map; it must be a list of texts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, []string{"prompts/01_a.prompt.md" + test.want}, single(test.attrs).errors(t, packet.Options{}))
		})
	}
}

func TestAllFindingsAtOnceAndSorted(t *testing.T) {
	got := files{
		manifest:                 "---\nprofile: nobody\ntimeout: soon\nlimits: {}\n---\n",
		"prompts/01_a.prompt.md": prompt("id: 1\ndepends_on: 2\nverify: {fils_exist: [a]}"),
		"prompts/02_b.prompt.md": prompt("depends_on: [\"1\"]"),
		"prompts/03_c.prompt.md": prompt("id: 2"),
		"prompts/04_d.prompt.md": prompt("id: ["),
	}.errors(t, packet.Options{})
	require.Len(t, got, 6)
	require.Equal(t, []string{
		manifest + `:2: profile: there is no profile "nobody": no configuration directory is known, and built in are: claude-default, codex-default, simulated-default`,
		manifest + `:3: timeout: is "soon"; it must be a whole number from 1 to 9223372036854775807`,
		manifest + ":4: limits: limits is not supported yet; remove the block",
	}, got[:3])
	require.Contains(t, got[3], `prompts/01_a.prompt.md:4: verify.fils_exist: unknown clause (did you mean "files_exist"?)`)
	require.Contains(t, got[4], `prompts/03_c.prompt.md:2: id: the id "02" is also the id of `)
	require.Contains(t, got[4], "prompts/02_b.prompt.md")
	require.Contains(t, got[5], "prompts/04_d.prompt.md:2: the front matter is not valid YAML")
}

func TestDependencyCycle(t *testing.T) {
	got := files{
		"prompts/01.prompt.md": prompt("depends_on: 02"),
		"prompts/02.prompt.md": prompt("depends_on: [3]"),
		"prompts/03.prompt.md": prompt("depends_on:\n- 2"),
	}.errors(t, packet.Options{})
	require.Equal(t, []string{"prompts/03.prompt.md:3: depends_on[0]: the prompts depend on each other in a circle: 02 -> 03 -> 02"}, got)
}

func TestWarnings(t *testing.T) {
	f := files{
		manifest:               "---\ncommitter: noop\ntimout: 5\nrepos: {app: {path: ., defualt: true}}\n---\n",
		"prompts/01.prompt.md": prompt("references: [a.md]\ncontext_files: []\nowner: me"),
	}
	root := f.write(t)
	loaded, err := packet.Load(root, packet.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{
		manifest + ":2: committer: unknown key; it has no effect",
		manifest + `:3: timout: unknown key (did you mean "timeout"?); it has no effect`,
		manifest + `:4: repos.app.defualt: unknown key (did you mean "default"?); it has no effect`,
		"prompts/01.prompt.md:2: references: is never sent to the provider; name the files in the prompt's text",
		"prompts/01.prompt.md:3: context_files: is never sent to the provider; name the files in the prompt's text",
		"prompts/01.prompt.md:4: owner: unknown key; it has no effect",
	}, relative(root, loaded.Warnings))
}

func TestManifestErrors(t *testing.T) {
	completion := "completion_verify: {files_exist: [done]}"
	tests := []struct{ name, attrs, want string }{
		{"agent control", "agent_control: {" + completion + "}", ":2: agent_control: agent_control is not supported yet; set enabled: false to run the prompts in order"},
		{"agent control key", "agent_control:\n  enabled: false\n  max_iteration: 3", ":4: agent_control.max_iteration: unknown key (did you mean \"max_iterations\"?); known are: enabled, default_action, max_iterations, completion_verify"},
		{"agent control action", "agent_control: {enabled: false, default_action: stop}", `:2: agent_control.default_action: is "stop"; it must be continue or repeat`},
		{"agent control enabled", "agent_control: {enabled: 'false', " + completion + "}", `:2: agent_control.enabled: is "false"; it must be true or false`},
		{"agent control iterations", "agent_control: {enabled: false, max_iterations: 0}", `:2: agent_control.max_iterations: is "0"; it must be a whole number from 1 to 2147483647`},
		{"agent control completion", "agent_control: {}", ":2: agent_control.completion_verify: is missing or empty; it must hold at least one item"},
		{"agent control scalar", "agent_control: true", `:2: agent_control: is "true"; it must be a map`},
		{"agent owned", "execution: {completion: agent_owned, incomplete: repeat}", ":2: execution.completion: agent_owned is not supported yet"},
		{"agent owned alone", "execution: {completion: agent_owned}", `:2: execution.incomplete: is ""; completion: agent_owned requires incomplete: repeat`},
		{"verifier owned repeat", "execution: {completion: verifier_owned, incomplete: repeat}", `:2: execution.incomplete: is "repeat"; with completion: verifier_owned it can only be fail`},
		{"completion", "execution: {completion: nobody}", `:2: execution.completion: is "nobody"; it must be verifier_owned or agent_owned`},
		{"execution key", "execution: {verifier: a}", ":2: execution.verifier: unknown key; known are: completion, incomplete"},
		{"limits", "limits: {max_limit_wait: 1h}", ":2: limits: limits is not supported yet; remove the block"},
		{"repo without path", "repos: {app: {default: true}}", ":2: repos.app.path: is missing"},
		{"repo null", "repos:\n  app:", ":3: repos.app: is missing"},
		{"repo default", "repos: {app: {path: ., default: 'true'}}", `:2: repos.app.default: is "true"; it must be true or false`},
		{"repo name", "repos: {'a:b': .}", `:2: repos.a:b: "a:b" cannot name a repository: a name has no colon, slash or white space and no @ in front`},
		{"repo list name", "repos:\n  - path: .", ":3: repos[0].name: is missing"},
		{"repo twice", "repos:\n  - {name: a, path: .}\n  - {name: a, path: b}", `:2: repos: the repository "a" is listed twice`},
		{"repo packet", "repos: {packet: ../x}", `:2: repos.packet: the name "packet" means the packet root; call this repository something else`},
		{"repo home", "repos: {app: ~/x}", `:2: repos.app: "~/x" starts with ~ but the home directory is unknown; set HOME or write the path out`},
		{"repos scalar", "repos: app", `:2: repos: is "app"; it must be a map from name to path`},
		{"profile path", "profile: ../x", `:2: profile: "../x" cannot name a profile; write the name of a file in the profiles directory without .md, or a built-in one: claude-default, codex-default, simulated-default`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := files{manifest: "---\n" + test.attrs + "\n---\n", "prompts/01.prompt.md": ""}.errors(t, packet.Options{})
			require.Contains(t, got, manifest+test.want)
		})
	}
}

func TestManifestBlocksThatAreFine(t *testing.T) {
	for _, attrs := range []string{
		"agent_control: {enabled: false, max_iterations: 3, completion_verify: {commands: [x]}}",
		"agent_control:",
		"execution: {}",
		"execution: {completion: verifier_owned, incomplete: fail}",
		"limits:",
		"codex_opts: {model: x}\nphases: {1: One}\nlog_mode: studio",
		"repos: {packet: .}",
	} {
		loaded := files{manifest: "---\n" + attrs + "\n---\n", "prompts/01.prompt.md": ""}.load(t, packet.Options{})
		require.Empty(t, loaded.Warnings, attrs)
	}
}

func TestRepos(t *testing.T) {
	home := t.TempDir()
	root := files{
		manifest:               "---\nrepos:\n  - {name: c, path: ~/code}\n  - name: a\n    path: link/later\n  - {name: b, path: ., default: true}\n---\n",
		"prompts/01.prompt.md": "",
	}.write(t)
	home, err := filepath.EvalSymlinks(home)
	require.NoError(t, err)
	require.NoError(t, os.Symlink(home, filepath.Join(root, "link")))

	loaded, err := packet.Load(root, packet.Options{HomeDir: home})
	require.NoError(t, err)
	require.Equal(t, []packet.Repo{
		{Name: "a", Path: filepath.Join(home, "later")},
		{Name: "b", Path: loaded.Root, Default: true},
		{Name: "c", Path: filepath.Join(home, "code")},
	}, loaded.Repos)
	require.Equal(t, []string{"b"}, loaded.Prompts[0].Targets)
}

func TestFirstRepoIsTheDefault(t *testing.T) {
	loaded := files{manifest: "---\nrepos: {b: x, a: y}\n---\n", "prompts/01.prompt.md": "---\ntargets: []\n---\n"}.load(t, packet.Options{})
	require.True(t, loaded.Repos[0].Default)
	require.Equal(t, []string{"a"}, loaded.Prompts[0].Targets)
}

func TestLoadThroughSymlinkedRoot(t *testing.T) {
	root := files{"prompts/01.prompt.md": ""}.write(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, link))
	direct, err := packet.Load(root, packet.Options{})
	require.NoError(t, err)
	linked, err := packet.Load(link, packet.Options{})
	require.NoError(t, err)
	require.Equal(t, direct, linked)
}

func TestLoadFromARelativePath(t *testing.T) {
	root := files{"prompts/01.prompt.md": prompt("id: x")}.write(t)
	t.Chdir(filepath.Dir(root))
	_, err := packet.Load("sample", packet.Options{})
	require.ErrorContains(t, err, "sample/prompts/01.prompt.md:2: id: ")
}
