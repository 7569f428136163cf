package packet

// completions are what can complete a prompt, the default first; incompletes
// what follows when it is not complete.
var (
	completions = []string{"verifier_owned", "agent_owned"}
	incompletes = []string{"fail", "repeat"}
)

// readExecution checks an execution block. Only the contract completes prompts
// so far; a block that asks for something else is refused.
func readExecution(r *report, n node) {
	if !r.block(n) {
		return
	}
	r.only(n, executionObject)
	before := len(r.errors)
	completion := oneWord(r, n.get("completion"), completions)
	incomplete := oneWord(r, n.get("incomplete"), incompletes)
	if len(r.errors) > before {
		return
	}
	at := n.get("incomplete").place
	switch {
	case completion == "" && incomplete == "":
	case completion == "verifier_owned" && (incomplete == "" || incomplete == "fail"):
	case completion == "verifier_owned":
		r.errorf(at, "is %q; with completion: verifier_owned it can only be fail", incomplete)
	case completion == "agent_owned" && incomplete == "repeat":
		r.errorf(n.get("completion").place, "agent_owned is not supported yet")
	case completion == "agent_owned":
		r.errorf(at, "is %q; completion: agent_owned requires incomplete: repeat", incomplete)
	default:
		r.errorf(n.get("completion").place, "is missing; incomplete says nothing without it")
	}
}
