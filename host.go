package main

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/term"
)

// A host is what the server's commands have around them.
type host struct {
	line   *commandLine
	env    func(string) string
	stdout io.Writer // unbuffered: the URL is to be seen at once
	stderr io.Writer
}

// log makes the server's log. The handler quotes control characters.
func (h *host) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(h.stderr, nil))
}

// stateFolder returns where Docket keeps what belongs to this user and no project.
func stateFolder(env func(string) string) (string, error) {
	// The XDG specification has relative paths ignored.
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docket"), nil
	}
	if dir := env("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "docket"), nil
	}
	if home := env("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "docket"), nil
	}
	return "", errors.New("no folder for Docket's own state: set XDG_STATE_HOME or HOME")
}

// systemUser returns the name under which this process runs, "" if it cannot be told.
func systemUser(env func(string) string) string {
	if current, err := user.Current(); err == nil {
		// Windows puts the domain before the name.
		return current.Username[strings.LastIndex(current.Username, `\`)+1:]
	}
	if name := env("USER"); name != "" {
		return name
	}
	return env("USERNAME")
}

// terminalWidth returns the cells of a line if w is a terminal, else 0.
func terminalWidth(w io.Writer) int {
	const usual = 80 // where a terminal does not tell
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		return usual
	}
	return width
}

// version says which build this is: the module's version, and the revision that it
// was built from where the build knows it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "docket (unknown build)"
	}
	text := "docket " + info.Main.Version
	settings := map[string]string{}
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		text += " " + revision
	}
	if settings["vcs.modified"] == "true" {
		text += " (modified)"
	}
	return text + " " + info.GoVersion
}
