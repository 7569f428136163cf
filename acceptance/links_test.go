package acceptance_test

// The commands under test are built by TestMain. On a machine that has never
// built the embedded server that takes minutes, and go test ends a test process
// that runs for eleven. Imported here, the server is compiled before this
// process starts, and TestMain only links.
import _ "github.com/prompt-runner/prompt-runner/internal/cli"
