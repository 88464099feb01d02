package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"docket/memory"
	"docket/templates"
)

// A Project is one workspace to be served.
type Project struct {
	Name   string // shown in the rail
	Engine *memory.Engine
}

// Config is what a server is told. Projects, Actor and StateDir are required.
type Config struct {
	Addr         string // "127.0.0.1:8420"; port 0 takes a free one
	AllowRemote  bool   // listen beyond the loopback; the traffic is plain HTTP
	Projects     []Project
	Actor        string           // who a sign-in by the start-up token is
	StateDir     string           // Docket's own state, made 0700; never inside a project
	Policy       memory.Policy    // for every distillation of this server; zero for memory.DocketPolicy
	DistillEvery time.Duration    // how often every project is distilled; 0 for never
	Hosts        []string         // further values of Host that are answered: "name" or "name:port"
	Log          *slog.Logger     // nil for none
	Now          func() time.Time // nil for time.Now
	// Ready is called once, when the server listens, with the URL to print. The URL
	// holds the start-up token: it is for the person who started the server, not for a log.
	Ready func(url string)
}

const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 15 * time.Second
	writeTimeout    = time.Minute // a distillation of a large workspace answers within it
	idleTimeout     = time.Minute
	headerLimit     = 64 << 10 // bytes
	shutdownTimeout = 10 * time.Second
)

// Run serves until ctx ends, then lets the requests at work finish, and returns nil. It
// returns an error if it cannot listen, or stops listening by itself. What ended
// when Run returns: the server, its goroutines and its distillations.
func Run(ctx context.Context, cfg Config) error {
	listener, err := listen(cfg.Addr, cfg.AllowRemote)
	if err != nil {
		return err
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	s, err := newServer(cfg, port)
	if err != nil {
		return err
	}
	defer s.close()
	s.recover(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var background sync.WaitGroup
	defer background.Wait()
	defer cancel() // before the wait
	if s.cfg.DistillEvery > 0 {
		background.Go(func() { s.distillEvery(ctx, s.cfg.DistillEvery) })
	}
	if cfg.Ready != nil {
		cfg.Ready(startURL(cfg.Addr, port, s.sessions.token))
	}
	return s.serve(ctx, listener)
}

// recover finishes what an earlier process began. A workspace for which that fails is
// served all the same: its pages name the fault, and every change is refused.
func (s *server) recover(ctx context.Context) {
	for _, w := range s.workspaces {
		if err := s.projects[w.ID].engine.Recover(ctx); err != nil {
			s.log.Error("not recovered", "workspace", w.ID, "error", err)
		}
	}
}

// serve answers until ctx ends.
func (s *server) serve(ctx context.Context, listener net.Listener) error {
	web := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerLimit,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	err := web.Shutdown(patience)
	if err != nil {
		err = errors.Join(fmt.Errorf("shut down: %w", err), web.Close())
	}
	<-ended
	return err
}

// listen opens addr, on the loopback unless remote is set.
func listen(addr string, remote bool) (net.Listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	if !remote && !tcp.IP.IsLoopback() {
		return nil, fmt.Errorf("address %q is not on the loopback: others could reach Docket, over plain HTTP; "+
			"name 127.0.0.1, or allow remote readers explicitly", addr)
	}
	listener, err := net.ListenTCP("tcp", tcp)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return listener, nil
}

// startURL is the address that signs its reader in. An address that stands for every
// interface is no address to open, so the loopback's is printed.
func startURL(addr string, port int, token string) string {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, fmt.Sprint(port)), Path: templates.SignInURL}
	u.RawQuery = url.Values{fieldToken: {token}}.Encode()
	return u.String()
}

// newServer checks cfg and makes what all requests share.
func newServer(cfg Config, port int) (*server, error) {
	if cfg.Log == nil {
		cfg.Log = quiet()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Policy.Recency == "" && cfg.Policy.MinimumImportance == 0 {
		cfg.Policy = memory.DocketPolicy()
	}
	if err := cfg.Policy.Validate(); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	if cfg.Actor = memory.Collapse(cfg.Actor); cfg.Actor == "" {
		return nil, errors.New("no actor: decisions need a name to be recorded under")
	}
	secret, err := loadSecret(cfg.StateDir)
	if err != nil {
		return nil, err
	}
	s := &server{
		cfg: cfg, log: cfg.Log,
		hosts:    newHosts(port, cfg.Hosts),
		sessions: newSessions(secret, port, cfg.Now),
		readers:  newReaders(cfg.StateDir),
		projects: map[string]*project{},
	}
	for _, p := range cfg.Projects {
		id := p.Engine.WorkspaceID()
		if s.projects[id] != nil {
			return nil, fmt.Errorf("project %q is served already, as %q", p.Name, s.projects[id].name)
		}
		s.projects[id] = &project{
			id: id, name: p.Name, engine: p.Engine,
			runs:  newRunLog(filepath.Join(cfg.StateDir, runsFolder), id),
			check: newHealthCheck(filepath.Join(cfg.StateDir, healthFolder), id),
		}
		s.workspaces = append(s.workspaces, templates.Workspace{ID: id, Name: p.Name})
	}
	if len(s.projects) == 0 {
		return nil, errors.New("no project to serve")
	}
	return s, nil
}
