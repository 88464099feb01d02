package planted

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var plant = flag.Bool("planted", false, "plant each bug and run the test that is to catch it (minutes)")

// A bug is one change of a source, and the test that fails upon it.
type bug struct {
	name     string
	file     string // from the module's root
	old, new string // old stands in the file once
	pkg      string // whose test catches it
	test     string // its whole name, also of a subtest, as go test prints it
}

const root = "../.."

func TestEveryBugCanBePlanted(t *testing.T) {
	if n := len(bugs()); n < 25 {
		t.Errorf("%d bugs in the table", n)
	}
	for _, b := range bugs() {
		source, err := os.ReadFile(filepath.Join(root, b.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), b.old); n != 1 {
			t.Errorf("%s: %q stands %d times in %s", b.name, b.old, n, b.file)
		}
		if !b.hasTest(t) {
			t.Errorf("%s: there is no test %s in %s", b.name, b.test, b.pkg)
		}
	}
}

// hasTest looks for the declaration of the test, or of that which runs it as a subtest.
func (b bug) hasTest(t *testing.T) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, b.pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(b.test, "/")
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "\nfunc "+name+"(t *testing.T) {")
	})
}

func TestPlantedBugsAreCaught(t *testing.T) {
	if !*plant {
		t.Skip("plants bugs for minutes: go test ./memory/planted -planted -timeout 1h")
	}
	controls := map[string]error{} // by package and test
	for _, b := range bugs() {
		t.Run(b.name, func(t *testing.T) {
			name := b.pkg + " " + b.test
			if _, tried := controls[name]; !tried {
				controls[name] = b.control()
			}
			if err := controls[name]; err != nil {
				t.Fatal(err)
			}
			out := b.runTest("-overlay", b.overlay(t))
			if !b.caught(out) {
				t.Errorf("%s did not see it:\n%s", b.test, out)
			}
		})
	}
}

// control runs the test once without any bug: one that fails or skips anyway sees nothing.
func (b bug) control() error {
	if out := b.runTest(); !regexp.MustCompile(`(?m)^\s*--- PASS: ` + regexp.QuoteMeta(b.test) + ` \(`).MatchString(out) {
		return fmt.Errorf("%s does not pass without a bug:\n%s", b.test, out)
	}
	return nil
}

// caught reports whether the test itself failed: sources that do not build, another test
// or one that hangs have not shown the bug.
func (b bug) caught(out string) bool {
	failed := regexp.MustCompile(`(?m)^\s*--- FAIL: ` + regexp.QuoteMeta(b.test) + ` \(`)
	return failed.MatchString(out) && !strings.Contains(out, "panic: test timed out")
}

// overlay returns the path of a file that tells go to take the source with the bug in it.
func (b bug) overlay(t *testing.T) string {
	t.Helper()
	whole, err := filepath.Abs(filepath.Join(root, b.file))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	with := filepath.Join(dir, filepath.Base(b.file))
	if err := os.WriteFile(with, []byte(strings.Replace(string(source), b.old, b.new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {whole: with}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runTest runs the test alone and returns what go said. How it exited tells nothing more:
// it fails on what does not build, too.
func (b bug) runTest(flags ...string) string {
	var pattern []string
	for _, part := range strings.Split(b.test, "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(part)+"$")
	}
	args := append([]string{"test", "-v", "-vet=off", "-count=1", "-timeout", "5m", "-run", strings.Join(pattern, "/")}, flags...)
	command := exec.Command("go", append(args, b.pkg)...)
	command.Dir = root
	out, err := command.CombinedOutput()
	return fmt.Sprintf("%s%v\n", out, err)
}

// TestCaught holds outputs of go test against what counts as caught.
func TestCaught(t *testing.T) {
	b := bug{test: "TestSome/of_it"}
	for out, want := range map[string]bool{
		"--- FAIL: TestSome (0.01s)\n    --- FAIL: TestSome/of_it (0.01s)\nFAIL\n":                            true,
		"--- FAIL: TestSome/of_it (0.01s)\npanic: index out of range":                                         true,
		"--- FAIL: TestSome (0.01s)\n    --- FAIL: TestSome/of_it_all (0.01s)\nFAIL\n":                        false,
		"--- FAIL: TestOther (0.01s)\nFAIL\n":                                                                 false,
		"panic: in another goroutine\n":                                                                       false,
		"    --- FAIL: TestSome/of_it (300.00s)\npanic: test timed out after 5m0s\n":                          false,
		"# docket/memory\nmemory/a.go:1:1: undefined: x\nFAIL\tdocket/memory [build failed]\n":                false,
		"--- PASS: TestSome (0.01s)\n    --- PASS: TestSome/of_it (0.01s)\nPASS\nok  \tdocket/memory\t0.1s\n": false,
	} {
		if got := b.caught(out); got != want {
			t.Errorf("caught is %t, want %t:\n%s", got, want, out)
		}
	}
}
