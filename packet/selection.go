package packet

import (
	"fmt"
	"slices"
	"strings"
)

// Select returns the ids of the prompts to run, in the order to run them. The
// ids are as a person types them, so "1" means "01"; none means every prompt in
// file order. A prompt comes after the selected prompts that it depends on, and
// otherwise keeps its place; dependencies that are not selected do not matter.
// An unknown id is an error that names the known ones.
func Select(p *Packet, ids []string) ([]string, error) {
	var known, unknown, selected []string
	for i := range p.Prompts {
		known = append(known, p.Prompts[i].ID)
	}
	for _, typed := range ids {
		id := padID(typed)
		switch {
		case !slices.Contains(known, id):
			unknown = append(unknown, strings.TrimSpace(typed))
		case !slices.Contains(selected, id):
			selected = append(selected, id)
		}
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("packet %s has no prompt %s; it has: %s", p.Name, quotedList(unknown), strings.Join(known, ", "))
	}
	if len(ids) == 0 {
		selected = known
	}
	return dependencyOrder(p, selected)
}

// dependencyOrder repeatedly takes the earliest prompt that waits for none of
// the others.
func dependencyOrder(p *Packet, waiting []string) ([]string, error) {
	waiting = slices.Clone(waiting)
	order := make([]string, 0, len(waiting))
	for len(waiting) > 0 {
		next := slices.IndexFunc(waiting, func(id string) bool {
			prompt, _ := p.Prompt(id)
			return !slices.ContainsFunc(prompt.DependsOn, func(needed string) bool {
				return slices.Contains(waiting, needed)
			})
		})
		if next < 0 {
			return nil, fmt.Errorf("the prompts %s depend on each other in a circle; remove one of their depends_on", strings.Join(waiting, ", "))
		}
		order = append(order, waiting[next])
		waiting = slices.Delete(waiting, next, next+1)
	}
	return order, nil
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = fmt.Sprintf("%q", word)
	}
	return strings.Join(quoted, ", ")
}
