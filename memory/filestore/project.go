package filestore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"docket/memory"
)

// resolveProject returns the one path of the folder that project names: workspaces
// are told apart by it.
func resolveProject(project string) (string, error) {
	if project == "" {
		return "", &memory.InvalidError{Field: "project", Reason: "is empty"}
	}
	expanded, err := expandHome(project)
	if err != nil {
		return "", err
	}
	absolute, err := filepath.Abs(expanded)
	if err != nil {
		return "", fmt.Errorf("project %q: %w", project, err)
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &memory.InvalidError{Field: "project", Reason: fmt.Sprintf("does not exist: %q", absolute)}
	}
	if err != nil {
		return "", &memory.InvalidError{Field: "project", Reason: fmt.Sprintf("cannot be resolved: %q: %v", absolute, err)}
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return "", fmt.Errorf("project %q: %w", project, err)
	}
	if !info.IsDir() {
		return "", &memory.InvalidError{Field: "project", Reason: fmt.Sprintf("is not a folder: %q", resolved)}
	}
	return resolved, nil
}

// expandHome replaces a leading ~ by the user's home, as a shell does for an
// argument that it recognises; another user's (~name) is left as it is.
func expandHome(path string) (string, error) {
	rest, found := strings.CutPrefix(path, "~")
	if !found || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("project %q: %w", path, err)
	}
	return home + rest, nil
}

// workspaceID derives the id from the project's path, or from what it was.
func workspaceID(identity string) (string, error) {
	if !utf8.ValidString(identity) {
		return "", &memory.InvalidError{Field: "identity", Reason: fmt.Sprintf("is not valid UTF-8: %q", identity)}
	}
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:])[:16], nil
}

// checkNamespace lets one path element through, that stays in the project.
func checkNamespace(name string) error {
	if name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") || !filepath.IsLocal(name) {
		return &memory.InvalidError{Field: "namespace", Reason: fmt.Sprintf("must be the name of one folder: %q", name)}
	}
	return nil
}
