package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"docket/memory"
	"docket/web"
)

// serveCommand serves projects until it is told to end.
type serveCommand struct {
	Projects     []string      `arg:"" optional:"" name:"project" help:"The projects' folders (default --project)."`
	Addr         string        `default:"127.0.0.1:8420" help:"Where to listen; port 0 takes a free one (default 127.0.0.1:8420)." placeholder:"HOST:PORT"`
	Actor        *string       `help:"The name under which decisions are recorded (default the system's user)." placeholder:"NAME"`
	State        string        `help:"The folder for the server's own state (default the user's state folder)." placeholder:"DIR"`
	DistillEvery time.Duration `help:"Distill every project so often (default never)." placeholder:"D"`
	AllowRemote  bool          `help:"Listen beyond this machine, over plain HTTP."`
	Host         []string      `sep:"none" help:"A further name under which readers reach the server; may be repeated." placeholder:"NAME"`
}

// Run does it.
func (c *serveCommand) Run(ctx context.Context, h *host) error {
	if c.DistillEvery < 0 {
		return &memory.InvalidError{Field: "distill-every", Reason: "must not be negative"}
	}
	projects, err := c.projects(h)
	if err != nil {
		return err
	}
	cfg := web.Config{
		Addr: c.Addr, AllowRemote: c.AllowRemote, Hosts: c.Host, Projects: projects,
		StateDir: c.State, DistillEvery: c.DistillEvery,
	}
	return h.serve(ctx, cfg, c.Actor)
}

// projects opens every project that was asked for.
func (c *serveCommand) projects(h *host) ([]web.Project, error) {
	folders := c.Projects
	if len(folders) > 0 && h.line.Project != nil {
		return nil, &memory.InvalidError{Field: "project", Reason: "must be given with --project or without, not both"}
	}
	if len(folders) == 0 {
		folders = []string{h.line.project()}
	}
	if len(folders) > 1 && h.line.Identity != nil {
		return nil, &memory.InvalidError{Field: "identity", Reason: "must not be given for several projects"}
	}
	var paths []string
	var projects []web.Project
	for _, folder := range folders {
		store, err := h.line.open(folder)
		if err != nil {
			return nil, err
		}
		paths = append(paths, store.Project())
		projects = append(projects, web.Project{Engine: memory.Open(store, memory.Options{})})
	}
	for i, name := range names(paths) {
		projects[i].Name = name
	}
	return projects, nil
}

// names returns what each project is called: its folder's name, or its path where
// another folder has that name too.
func names(paths []string) []string {
	uses := map[string]int{}
	for _, path := range paths {
		uses[filepath.Base(path)]++
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		if names[i] = filepath.Base(path); uses[names[i]] > 1 {
			names[i] = path
		}
	}
	return names
}

// serve fills in what was not asked for, and serves until ctx ends.
func (h *host) serve(ctx context.Context, cfg web.Config, actor *string) error {
	cfg.Log = h.log()
	cfg.Policy = memory.DocketPolicy()
	cfg.Actor = systemUser(h.env)
	if actor != nil {
		cfg.Actor = *actor
	}
	if cfg.StateDir == "" {
		var err error
		if cfg.StateDir, err = stateFolder(h.env); err != nil {
			return err
		}
	}
	cfg.Ready = func(url string) { fmt.Fprintln(h.stdout, url) }
	return web.Run(ctx, cfg)
}
