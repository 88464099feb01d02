package web

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// secretName is the file under the state folder that holds what cookies are signed with.
const secretName = "secret"

// secretSize is the length of the secret in bytes.
const secretSize = 32

// loadSecret returns the secret under dir and makes one at first. It is kept so that a
// restart signs nobody out. A secret that others may read is refused: whoever read it
// can sign cookies.
func loadSecret(dir string) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	path := filepath.Join(dir, secretName)
	secret, err := readSecret(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return secret, err
	}
	if err := makeSecret(dir, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("session secret: %w", err)
	}
	return readSecret(path) // ours, or that of a server which started at the same moment
}

func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("session secret %s may be read by others (mode %04o): delete it, and everybody signs in anew", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != secretSize {
		return nil, fmt.Errorf("session secret %s is not %d bytes in hex: delete it, and everybody signs in anew", path, secretSize)
	}
	return secret, nil
}

// makeSecret writes a new secret whole before it has its name, and fails with
// fs.ErrExist where another process was first.
func makeSecret(dir, path string) error {
	secret := make([]byte, secretSize)
	rand.Read(secret)
	temp, err := os.CreateTemp(dir, ".secret-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(hex.EncodeToString(secret) + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Link(temp.Name(), path)
}
