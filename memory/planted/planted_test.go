package planted

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	test     string // its name; a pattern of -run
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
	}
}

func TestPlantedBugsAreCaught(t *testing.T) {
	if !*plant {
		t.Skip("plants bugs for minutes: go test ./memory/planted -planted -timeout 1h")
	}
	for _, b := range bugs() {
		t.Run(b.name, func(t *testing.T) {
			out, err := b.run(t)
			switch {
			case err == nil:
				t.Errorf("%s did not see it", b.test)
			case regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: `).MatchString(out) && !strings.Contains(out, "--- FAIL"):
				t.Errorf("it does not build:\n%s", out)
			case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
				t.Errorf("%v, and no test failed:\n%s", err, out)
			default:
				t.Logf("caught: %s", strings.Join(regexp.MustCompile(`(?m)^--- FAIL: (\S+)`).FindAllString(out, 3), ", "))
			}
		})
	}
}

// run runs the test over the sources with the bug in them.
func (b bug) run(t *testing.T) (string, error) {
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
	command := exec.Command("go", "test", "-overlay", path, "-count=1", "-timeout", "5m", "-run", b.test, b.pkg)
	command.Dir = root
	out, err := command.CombinedOutput()
	return string(out), err
}
