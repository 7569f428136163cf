package localruntime

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/google/renameio/v2"

	"github.com/prompt-runner/prompt-runner/internal/temporalconn"
)

const (
	// serverName is the name in the certificate that server, UI and clients
	// check.
	serverName = "localhost"
	// certificateLife is the validity of new certificates. They never leave the
	// machine and are replaced when they run out.
	certificateLife = 10 * 365 * 24 * time.Hour
	// certificateMargin replaces certificates before a long-lived runtime could
	// outlive them.
	certificateMargin = 30 * 24 * time.Hour
)

// ensureCertificates keeps usable certificates and replaces missing, damaged or
// expiring ones. The caller holds the runtime's lock.
func ensureCertificates(paths temporalconn.Files, now time.Time) error {
	if usableCertificates(paths, now.Add(certificateMargin)) == nil {
		return nil
	}
	if err := createCertificates(paths, now); err != nil {
		return fmt.Errorf("local runtime: create certificates: %w", err)
	}
	return nil
}

// usableCertificates reports why the files cannot serve both sides of mutual
// TLS at a time.
func usableCertificates(paths temporalconn.Files, at time.Time) error {
	pair, err := tls.LoadX509KeyPair(paths.Cert, paths.Key)
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(paths.CA)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	for _, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		_, err := pair.Leaf.Verify(x509.VerifyOptions{
			Roots:       roots,
			DNSName:     serverName,
			CurrentTime: at,
			KeyUsages:   []x509.ExtKeyUsage{usage},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// createCertificates makes an authority and one certificate for both sides. The
// authority's key is forgotten: nothing else will ever be signed.
func createCertificates(paths temporalconn.Files, now time.Time) error {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	authority := &x509.Certificate{
		SerialNumber:          serial(),
		Subject:               pkix.Name{CommonName: "Prompt Runner local runtime"},
		NotBefore:             now.Add(-time.Hour), // clocks are set back now and then
		NotAfter:              now.Add(certificateLife),
		KeyUsage:              x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	leaf := &x509.Certificate{
		SerialNumber: serial(),
		Subject:      pkix.Name{CommonName: serverName},
		NotBefore:    authority.NotBefore,
		NotAfter:     authority.NotAfter,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:     []string{serverName},
		IPAddresses:  []net.IP{net.ParseIP(loopback)},
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, authority, key.Public(), authorityKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	for _, file := range []struct {
		path, kind string
		der        []byte
	}{
		{paths.Key, "PRIVATE KEY", keyDER},
		{paths.Cert, "CERTIFICATE", leafDER},
		{paths.CA, "CERTIFICATE", authorityDER},
	} {
		content := pem.EncodeToMemory(&pem.Block{Type: file.kind, Bytes: file.der})
		if err := renameio.WriteFile(file.path, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// serial returns a random positive serial number.
func serial() *big.Int {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	random[0] &= 0x7f
	return new(big.Int).SetBytes(random)
}
