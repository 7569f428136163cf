package packet

import (
	"slices"
	"strings"
)

// only makes every field of n that o does not define an error, and a key beside
// its own alias as well.
func (r *report) only(n node, o object) {
	known := o.names()
	for _, field := range n.fields {
		if !slices.Contains(known, field.name) {
			r.failf(KindUnknownKey, field.value.place, "unknown key%s; known are: %s",
				didYouMean(field.name, known), strings.Join(known, ", "))
		}
	}
}

// warnUnknown warns about keys that nothing reads.
func warnUnknown(r *report, n node, known []string) {
	for _, field := range n.fields {
		if !slices.Contains(known, field.name) {
			r.warnf(KindUnknownKey, field.value.place, "unknown key%s; it has no effect", didYouMean(field.name, known))
		}
	}
}

// noControls refuses blocks of the manifest that stand somewhere else.
func noControls(r *report, n node) {
	for _, control := range controlKeys {
		if n.has(control.name) {
			r.errorf(n.get(control.name).place, "belongs in %s; move it there", ManifestName)
		}
	}
}
