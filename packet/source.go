package packet

// Source says which of the files and words that make up a packet a value comes
// from, from weakest to strongest.
type Source string

// The sources. The zero value is the place of a finding about no value.
const (
	SourceDefault     Source = "default"
	SourceEnvironment Source = "environment"
	SourceProfile     Source = "profile"
	SourcePacket      Source = "packet"
	SourcePrompt      Source = "prompt"
	SourceCommandLine Source = "command line"
)
