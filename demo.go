package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"docket/memory"
	"docket/memory/cli"
	"docket/memory/demo"
	"docket/memory/filestore"
	"docket/web"
)

// demoCommand makes a worked example and serves it.
type demoCommand struct {
	Dir  string    `help:"The folder of the example (default a folder of its own in the user's state folder)." placeholder:"DIR"`
	Addr string    `default:"127.0.0.1:8420" help:"Where to listen; port 0 takes a free one (default 127.0.0.1:8420)." placeholder:"HOST:PORT"`
	Now  *cli.Time `help:"What the example and its pages take for now." placeholder:"T"`
}

// demoMark is the file that tells an example from anything else. It is there from the
// moment at which the folder is.
const demoMark = "DOCKET-DEMO.txt"

// Run does it.
func (c *demoCommand) Run(ctx context.Context, h *host) error {
	if h.line.Project != nil || h.line.Identity != nil || h.line.Namespace != nil {
		return &memory.InvalidError{Field: "demo", Reason: "is a project of its own: it takes --dir, not --project, --identity or --namespace"}
	}
	state, err := stateFolder(h.env)
	if err != nil {
		return err
	}
	dir := c.Dir
	if dir == "" {
		dir = filepath.Join(state, "demo")
	}
	clock := time.Now
	if c.Now != nil {
		clock = func() time.Time { return c.Now.Time }
	}
	told, made, err := prepareDemo(ctx, dir, clock)
	if err != nil {
		return err
	}
	fmt.Fprintln(h.stderr, cli.Escape(told))
	store, err := filestore.Open(dir, filestore.Options{})
	if err != nil {
		return err
	}
	engine := memory.Open(store, memory.Options{Now: clock})
	if made {
		// Nothing hangs on it but what the desk says of the last run.
		if err := web.RememberRun(state, engine.WorkspaceID(), demo.LastRun(clock())); err != nil {
			fmt.Fprintln(h.stderr, cli.Escape(err.Error()))
		}
	}
	cfg := web.Config{Addr: c.Addr, Projects: []web.Project{{Name: "demo", Engine: engine}}, StateDir: state, Now: clock}
	return h.serve(ctx, cfg, nil)
}

// prepareDemo makes the example in dir, unless it is there, and says which.
func prepareDemo(ctx context.Context, dir string, clock func() time.Time) (told string, made bool, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", false, err
	}
	there, err := isDemo(dir)
	if err != nil {
		return "", false, err
	}
	if there {
		return "The worked example in " + dir + " goes on as it is", false, nil
	}
	if err := makeDemo(ctx, dir, clock); err != nil {
		return "", false, fmt.Errorf("make the example: %w", err)
	}
	return "Made a worked example in " + dir, true, nil
}

// isDemo reports whether dir holds an example. A folder that holds anything else is
// refused; one that is empty, or is not there, holds none.
func isDemo(dir string) (bool, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return false, nil
	}
	if err != nil {
		return false, &memory.InvalidError{Field: "dir", Reason: fmt.Sprintf("cannot be read: %v", err)}
	}
	if _, err := os.Stat(filepath.Join(dir, demoMark)); err != nil {
		return false, &memory.InvalidError{Field: "dir", Reason: fmt.Sprintf("holds something that is not the demo: %q", dir)}
	}
	return true, nil
}

// makeDemo writes the example beside dir and renames it when it is whole, so that a
// run that dies leaves no half of one. The records carry the id of dir from the start.
func makeDemo(ctx context.Context, dir string, clock func() time.Time) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return err
	}
	dir = filepath.Join(parent, filepath.Base(dir))
	draft, err := os.MkdirTemp(parent, ".docket-demo-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(draft))
		}
	}()
	if err := fillDemo(ctx, draft, dir, clock); err != nil {
		return err
	}
	// An empty folder in its place: not every system renames over it.
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(draft, dir)
}

func fillDemo(ctx context.Context, folder, identity string, clock func() time.Time) error {
	store, err := filestore.Open(folder, filestore.Options{Identity: identity})
	if err != nil {
		return err
	}
	engine := memory.Open(store, memory.Options{Now: clock})
	if err := demo.Write(ctx, engine, clock()); err != nil {
		return err
	}
	words := fmt.Sprintf("Docket's worked example, as of %s. Made by docket demo, which goes on with it as it is.\n"+
		"Remove this folder to get a new one.\n", memory.FormatTime(clock()))
	return os.WriteFile(filepath.Join(folder, demoMark), []byte(words), 0o600)
}
