package packet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// fingerprint hashes what defines the work of a packet, wherever it lies and
// whatever the command line says.
func fingerprint(prompts []promptSource, agentControl node) (string, error) {
	type work struct {
		ID          string   `json:"id"`
		Phase       int      `json:"phase"`
		StoryPoints int      `json:"sp"`
		Name        string   `json:"name"`
		Body        string   `json:"body"`
		Targets     []string `json:"targets"`
		Commit      string   `json:"commit"`
		DependsOn   []string `json:"depends_on"`
		Attributes  any      `json:"attributes"`
	}
	content := struct {
		Prompts      []work `json:"prompts"`
		AgentControl any    `json:"agent_control"`
	}{AgentControl: agentControl.plain()}
	for _, p := range prompts {
		content.Prompts = append(content.Prompts, work{
			ID: p.ID, Phase: p.Phase, StoryPoints: p.StoryPoints, Name: p.Name, Body: p.Body,
			Targets: p.Targets, Commit: p.Commit, DependsOn: p.DependsOn, Attributes: p.attrs.plain(),
		})
	}
	data, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("fingerprint: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
