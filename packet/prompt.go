package packet

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// promptSource is a prompt with what the checks across prompts need.
type promptSource struct {
	Prompt
	attrs        node
	idAt         place
	dependencies []dependency
	bodyLine     int
	// commands are what the contract's commands were read from, those that could
	// not be read included.
	commands []node
	// contractBroken says that an entry of the contract is an error, so that the
	// contract has less than its author wrote.
	contractBroken bool
	// effective are the settings with the places that set them.
	effective layer
}

// promptReader reads the prompts of one packet.
type promptReader struct {
	contractReader
	packet *Packet
	// base are the settings of profile and manifest, overrides those of the
	// command line.
	base, overrides layer
}

// read reads the prompt file of the given name.
func (p promptReader) read(name, path string, doc document) promptSource {
	attrs := doc.attrs
	noControls(p.report, attrs)
	warnUnknown(p.report, attrs, promptObject.with(controlKeys...).names())
	for _, k := range promptObject.keys {
		if n := attrs.get(k.name); k.inert && n.kind != kindAbsent {
			p.warnf(KindInertKey, n.place, "is never sent to the provider; name the files in the prompt's text")
		}
	}
	headings := readBody(doc.body, doc.bodyLine)
	source := promptSource{attrs: attrs}
	source.File = path
	source.Body = doc.body
	source.ID, source.idAt = p.id(attrs, name)
	source.Phase = p.number(attrs.get("phase"))
	source.StoryPoints = p.number(attrs.get("sp"))
	source.Name = p.name(attrs.get("name"), headings, name, source.ID)
	source.Targets = p.targets(attrs, headings)
	if repo, ok := p.packet.Repo(source.Targets[0]); ok {
		source.WorkDir = repo.Path
	}
	source.Commit = p.commit(attrs.get("commit"), headings, source.Name)
	source.dependencies = readDependencies(p.report, attrs.get("depends_on"))
	for _, needed := range source.dependencies {
		source.DependsOn = append(source.DependsOn, needed.id)
	}
	before := len(p.errors)
	source.Contract, source.commands = p.contract(attrs, headings)
	source.contractBroken = len(p.errors) > before
	p.text(attrs.get("template"))
	source.Simulate = p.script(attrs.get("simulate"))
	source.effective = p.overrides.over(readLayer(p.report, attrs).over(p.base))
	source.Recovery = source.effective.recovery.policy()
	source.Settings = source.effective.settings(p.report)
	source.bodyLine = doc.bodyLine
	return source
}

func (p promptReader) id(attrs node, name string) (string, place) {
	written := p.either(attrs, promptObject, "id")
	if written.given() {
		id, _ := readID(p.report, written)
		return id, written.place
	}
	digits := leadingDigits(name)
	if digits == "" {
		digits = "1"
	}
	id, ok := promptID(digits)
	if !ok {
		p.errorf(attrs.onLine(0), "the file name begins with more than %d digits; set id", maxID)
	}
	return id, attrs.onLine(0)
}

// number reads phase or story points; 1 when absent.
func (p promptReader) number(n node) int {
	if value, ok := p.whole(n, counts); ok {
		return int(value)
	}
	return 1
}

func (p promptReader) name(n node, headings body, file, id string) string {
	if name, ok := p.word(n); ok {
		return name
	}
	if headings.title != "" {
		return headings.title
	}
	if name := nameOfFile(file); name != "" {
		return name
	}
	return "Prompt " + id
}

var notNameCharacters = regexp.MustCompile(`[^A-Za-z0-9_]`)

// targets reads the repositories that a prompt works on: its targets, else its
// section "Repository Root", else the default repository. There is always one.
func (p promptReader) targets(attrs node, headings body) []string {
	var targets []string
	add := func(name string, at place) {
		switch {
		case strings.HasPrefix(name, "@"):
			p.failf(KindGroupTarget, at, "%q is a group, and packets have none; name the repositories", name)
		case !slices.Contains(p.repos, name):
			p.failf(KindUnknownTarget, at, "unknown repository %q%s; known are: %s", name, didYouMean(name, p.repos), strings.Join(p.repos, ", "))
		case !slices.Contains(targets, name):
			targets = append(targets, name)
		}
	}
	written := attrs.get("targets")
	for _, item := range written.elements() {
		if name, ok := p.required(item); ok {
			add(name, item.place)
		}
	}
	if len(written.elements()) == 0 {
		const heading = "Repository Root"
		for _, bullet := range headings.sections[heading].bullets() {
			name := filepath.Base(bullet.text)
			if !slices.Contains(p.repos, name) {
				name = notNameCharacters.ReplaceAllString(name, "_")
			}
			add(name, attrs.onLine(bullet.line).key("## "+heading))
		}
	}
	if len(targets) == 0 {
		for _, repo := range p.packet.Repos {
			if repo.Default {
				targets = []string{repo.Name}
			}
		}
	}
	return targets
}

// commit reads the commit message, or derives one from the section "Mission".
func (p promptReader) commit(n node, headings body, name string) string {
	if n.given() {
		message, ok := p.word(n)
		if ok && !n.isString() {
			p.errorf(n.place, "is %s, which YAML reads as a boolean or number; put the message in quotes", n.text)
		}
		return message
	}
	mission := headings.sections["Mission"].firstLine()
	switch {
	case mission == "":
		return "feat: " + name
	case strings.Contains(mission, ":") || strings.HasPrefix(mission, "feat"):
		return mission
	default:
		return "feat: " + mission
	}
}

// contract reads the verify block. Commands may also stand in the older places:
// the key "validation", else the body section "Validation Commands".
func (p promptReader) contract(attrs node, headings body) (Contract, []node) {
	verify := attrs.get("verify")
	contract := p.contractReader.read(verify)
	validation := attrs.get("validation").elements()
	if verify.kind == kindMap && verify.has("commands") {
		if len(validation) > 0 {
			p.warnf(KindNoEffect, attrs.get("validation").place, "has no effect beside verify.commands; move the commands there")
		}
		return contract, verify.get("commands").elements()
	}
	if len(validation) > 0 {
		contract.Commands = readEach(validation, p.command)
		return contract, validation
	}
	const heading = "Validation Commands"
	var lines []node
	for _, bullet := range headings.sections[heading].bullets() {
		lines = append(lines, node{place: attrs.onLine(bullet.line).key("## " + heading), kind: kindScalar, text: bullet.text, quoted: true})
	}
	contract.Commands = readEach(lines, p.command)
	return contract, lines
}
