package packet

import (
	"slices"
	"strings"
)

// dependency is one element of depends_on.
type dependency struct {
	id string
	at place
}

func readDependencies(r *report, n node) []dependency {
	if n.kind == kindMap {
		r.errorf(n.place, "is a map; it must be a list of prompt ids")
		return nil
	}
	var dependencies []dependency
	for _, item := range n.elements() {
		if item.kind == kindNull {
			r.errorf(item.place, "is null; it must be a prompt id")
		}
		id, ok := readID(r, item)
		if ok && !slices.ContainsFunc(dependencies, func(d dependency) bool { return d.id == id }) {
			dependencies = append(dependencies, dependency{id: id, at: item.place})
		}
	}
	return dependencies
}

// checkIDs reports ids that two prompts share.
func checkIDs(r *report, prompts []promptSource) {
	first := map[string]promptSource{}
	for _, prompt := range prompts {
		if earlier, taken := first[prompt.ID]; taken {
			r.failf(KindDuplicateID, prompt.idAt, "the id %q is also the id of %s; give each prompt its own", prompt.ID, earlier.idAt.file)
			continue
		}
		first[prompt.ID] = prompt
	}
}

// checkDependencies reports unknown dependencies and cycles. unread are the ids of
// prompts that could not be read, as far as their file names tell.
func checkDependencies(r *report, prompts []promptSource, unread []string) {
	byID := make(map[string]promptSource, len(prompts))
	var known []string
	for _, prompt := range prompts {
		byID[prompt.ID] = prompt
		known = append(known, prompt.ID)
	}
	for _, prompt := range prompts {
		for _, needed := range prompt.dependencies {
			if _, ok := byID[needed.id]; !ok && !slices.Contains(unread, needed.id) {
				r.failf(KindUnknownDependency, needed.at, "unknown prompt %q; known are: %s", needed.id, strings.Join(slices.Concat(known, unread), ", "))
			}
		}
	}
	const (
		entered = 1
		left    = 2
	)
	state := map[string]int{}
	var trail []string
	var visit func(id string)
	visit = func(id string) {
		state[id] = entered
		trail = append(trail, id)
		for _, needed := range byID[id].dependencies {
			switch _, ok := byID[needed.id]; {
			case !ok || state[needed.id] == left:
			case state[needed.id] == entered:
				cycle := append(slices.Clone(trail[slices.Index(trail, needed.id):]), needed.id)
				r.failf(KindDependencyCycle, needed.at, "the prompts depend on each other in a circle: %s", strings.Join(cycle, " -> "))
			default:
				visit(needed.id)
			}
		}
		trail = trail[:len(trail)-1]
		state[id] = left
	}
	for _, id := range known {
		if state[id] == 0 {
			visit(id)
		}
	}
}
