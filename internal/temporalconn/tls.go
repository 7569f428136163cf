package temporalconn

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// Files are the PEM files of a mutual TLS connection.
type Files struct {
	// CA holds the authority that both sides trust.
	CA string
	// Cert and Key are the own certificate and its private key.
	Cert, Key string
}

// TLS reads the files of the local runtime's mutual TLS into a client
// configuration. It trusts that authority alone.
func TLS(files Files) (*tls.Config, error) {
	authority, err := os.ReadFile(files.CA)
	if err != nil {
		return nil, fmt.Errorf("certificate authority: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("certificate authority: %s holds no PEM certificate", files.CA)
	}
	certificate, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		return nil, fmt.Errorf("client certificate %s: %w", files.Cert, err)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{certificate},
		RootCAs:      roots,
		MinVersion:   tls.VersionTLS13,
	}, nil
}
