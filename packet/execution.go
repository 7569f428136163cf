package packet

// readExecution checks an execution block. Only the contract completes prompts
// so far; a block that asks for something else is refused.
func readExecution(r *report, n node) {
	if !r.block(n) {
		return
	}
	r.only(n, executionObject)
	completion, _ := r.text(n.get("completion"))
	incomplete, _ := r.text(n.get("incomplete"))
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
		r.errorf(n.get("completion").place, "is %q; it must be verifier_owned or agent_owned", completion)
	}
}
