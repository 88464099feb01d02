package main

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts and tests start the program as docket: real processes.
func TestMain(m *testing.M) {
	// The race detector has each process sleep for a second before it ends.
	os.Setenv("GORACE", strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"))
	testscript.Main(m, map[string]func(){"docket": main})
}

// Each script is a promise of the command line, or was a bug report.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("GORACE", os.Getenv("GORACE"))
			// Characters that a script could not show.
			for name, value := range map[string]string{"ESC": "\x1b", "BEL": "\a", "CSI": "\u009b", "RLO": "\u202e"} {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"take":  take,
			"inert": inert,
			"chop":  chop,
		},
	})
}

// exits STATUS COMMAND... runs a command and expects its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// take NAME REGEXP sets a variable to what the first group matches in stdout.
func take(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: take NAME REGEXP")
	}
	match := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(match) < 2 {
		ts.Fatalf("no match for %s in stdout", args[1])
	}
	ts.Setenv(args[0], match[1])
}

// inert expects that nothing on stdout or stderr is more than text to a terminal.
func inert(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: inert")
	}
	active := regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`)
	for _, stream := range []string{"stdout", "stderr"} {
		text := strings.ReplaceAll(ts.ReadFile(stream), "\n", "")
		if found := active.FindString(text); found != "" {
			ts.Fatalf("%s holds %q", stream, found)
		}
	}
}

// chop FILE cuts the newline that every file of a script ends with.
func chop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: chop FILE")
	}
	text := strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// ours says which packages of ours each package may import. Packages that are not
// listed may not exist.
func ours() map[string][]string {
	return map[string][]string{
		"static":                   {},
		"memory":                   {},
		"memory/storetest":         {"memory"},
		"memory/filestore":         {"memory"},
		"memory/filestore/faultfs": {"memory/filestore"},
		"memory/filestore/crashfs": {"memory/filestore"},
		"memory/crashtest":         {}, // tests alone
		"memory/crashtest/process": {}, // tests alone
		"memory/planted":           {}, // tests alone
		"memory/demo":              {"memory"},
		"memory/agent":             {"memory"},
		"memory/cli":               {"memory"},
		"memory/mcp":               {"memory/agent", "memory"},
		"templates":                {"memory", "static"},
		"web":                      {"memory", "templates", "static"},
		".":                        {"memory", "memory/cli", "memory/demo", "memory/filestore", "web"},
	}
}

// theirs says which packages may import each module of others, or each part of one
// that is named by itself.
func theirs() map[string][]string {
	return map[string][]string{
		"github.com/alecthomas/kong":         {"."},
		"golang.org/x/term":                  {"."},
		"golang.org/x/text/width":            {"memory/cli"},
		"golang.org/x/text/unicode/norm":     {"templates"},
		"github.com/go-json-experiment/json": {"memory"},
		"github.com/gofrs/flock":             {"memory/filestore"},
		"golang.org/x/sys":                   {"memory/filestore"},
		"github.com/google/go-cmp/cmp":       {"memory/storetest"},
		"pgregory.net/rapid":                 {"memory/storetest"},
		"github.com/a-h/templ":               {"templates", "web"},
		"github.com/aymanbagabas/go-udiff":   {"templates"},
		"github.com/labstack/echo/v4":        {"web"},
		"github.com/yuin/goldmark":           {"web"},
		"go.etcd.io/bbolt":                   {"web"},
	}
}

// The rules hold for the program, on every system it builds for; tests may import
// what they like.
func TestWhoMayImportWhom(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && file != "." && (name == "testdata" || strings.HasPrefix(name, ".")) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		from := filepath.ToSlash(filepath.Dir(file))
		if _, ok := ours()[from]; !ok {
			t.Errorf("package %s is not in the table", from)
		}
		seen[from] = true
		return checkImports(t, file, from)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"memory", "memory/cli", "memory/filestore", "templates", "web", "."} {
		if !seen[from] {
			t.Errorf("no file of package %s was read", from)
		}
	}
}

func checkImports(t *testing.T, file, from string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range parsed.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if !mayImport(from, to) {
			t.Errorf("%s: package %s may not import %s", file, from, to)
		}
	}
	return nil
}

func mayImport(from, to string) bool {
	if to == "docket" || strings.HasPrefix(to, "docket/") {
		return slices.Contains(ours()[from], strings.TrimPrefix(to, "docket/"))
	}
	if first, _, _ := strings.Cut(to, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	for module := to; module != "."; module = path.Dir(module) {
		if allowed, ok := theirs()[module]; ok {
			return slices.Contains(allowed, from)
		}
	}
	return false
}

func TestMayImport(t *testing.T) {
	tests := []struct {
		from, to string
		want     bool
	}{
		{"memory", "encoding/json", true},
		{"memory", "docket/memory/filestore", false},
		{"memory", "docket/web", false},
		{"memory/cli", "docket/memory/filestore", false},
		{"memory/cli", "docket/memory", true},
		{"templates", "github.com/labstack/echo/v4", false},
		{"web", "github.com/labstack/echo/v4/middleware", true},
		{"web", "docket/memory/filestore", false},
		{".", "docket/web", true},
		{"memory", "github.com/someone/something", false},
	}
	for _, test := range tests {
		if got := mayImport(test.from, test.to); got != test.want {
			t.Errorf("%s importing %s: %t, want %t", test.from, test.to, got, test.want)
		}
	}
}

// The store refuses a network's file system unless it is told to; that must reach it.
func TestUnsafeLocksAreAskedForByName(t *testing.T) {
	for _, asked := range []bool{false, true} {
		line := commandLine{Unsafe: asked}
		if opts, err := line.options(); err != nil || opts.AllowUnsafeLocks != asked {
			t.Errorf("asked for: %v; %+v, %v", asked, opts, err)
		}
	}
}
