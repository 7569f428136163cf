package localruntime

import (
	"encoding/base64"
	"fmt"
	"log"
	"log/slog"
	"os"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

// startUI serves Temporal Web. It has no login, so it is read-only: any process
// of the machine can reach its port. It ends the process when the port is taken.
func startUI(chosen ports, certificates temporalconn.Files, logger *slog.Logger) (*uiserver.Server, error) {
	tls, err := uiTLS(certificates)
	if err != nil {
		return nil, fmt.Errorf("local runtime: certificates of Temporal Web: %w", err)
	}
	// While it is built it talks through the standard logger, which would reach
	// the terminal of a foreground run.
	terminal := log.Writer()
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelDebug).Writer())
	defer log.SetOutput(terminal)
	ui := uiserver.NewServer(uioptions.WithConfigProvider(&uiconfig.Config{
		Host:                loopback,
		Port:                chosen.ui,
		TemporalGRPCAddress: address(chosen.frontend),
		TLS:                 tls,
		EnableUI:            true,
		DefaultNamespace:    namespace,
		DisableWriteActions: true,
		DisableNewsFetch:    true,
		HideLogs:            true,
		// The page is served over plain HTTP on loopback.
		CORS: uiconfig.CORS{CookieInsecure: true},
	}))
	go func() { _ = ui.Start() }() // returns nil when stopped, else it has exited
	return ui, nil
}

// uiTLS passes the certificates by value: given files, Temporal Web prints a
// line for every connection.
func uiTLS(certificates temporalconn.Files) (uiconfig.TLS, error) {
	tls := uiconfig.TLS{EnableHostVerification: true, ServerName: serverName}
	for _, file := range []struct {
		path string
		data *string
	}{{certificates.CA, &tls.CaData}, {certificates.Cert, &tls.CertData}, {certificates.Key, &tls.KeyData}} {
		content, err := os.ReadFile(file.path)
		if err != nil {
			return uiconfig.TLS{}, err
		}
		*file.data = base64.StdEncoding.EncodeToString(content)
	}
	return tls, nil
}
