package packet

// defaultActions are what a session without a directive can mean, the default
// first.
var defaultActions = []string{"continue", "repeat"}

// agentControl checks an agent_control block. It is refused while enabled,
// because the runner does not listen to directives yet; its keys are checked
// all the same.
func (c contractReader) agentControl(n node) {
	if !c.block(n) {
		return
	}
	c.only(n, agentControlObject)
	enabled := true
	if value, ok := c.truth(n.get("enabled")); ok {
		enabled = value
	}
	oneWord(c.report, n.get("default_action"), defaultActions)
	c.whole(n.get("max_iterations"), positives)
	before := len(c.errors)
	completion := c.read(n.get("completion_verify"))
	if !enabled {
		return
	}
	if completion.Items() == 0 && len(c.errors) == before {
		c.errorf(n.get("completion_verify").place, "is missing or empty; it must hold at least one item")
	}
	c.errorf(n.place, "agent_control is not supported yet; set enabled: false to run the prompts in order")
}
