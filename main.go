// Docket keeps what agents write down about a project, distills the stable part by
// rules that can be explained, and puts what the rules cannot settle before a human.
//
// Package main joins the parts: the command line, a store in a folder, the engine over
// it, the server. It holds no rule and no handler.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"docket/memory"
	"docket/memory/cli"
	"docket/memory/filestore"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends a shutdown that does not.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}

// A commandLine is what the arguments say. A nil flag was not given.
type commandLine struct {
	Project   *string          `help:"The project's folder (default .)." placeholder:"DIR"`
	Identity  *string          `help:"The path that the project's records were made under, if it was moved." placeholder:"PATH"`
	Namespace *string          `help:"The folder in the project that holds the memory (default .learn_workbuddy)." placeholder:"NAME"`
	Unsafe    bool             `name:"allow-unsafe-locks" help:"Open a project on NFS, SMB or FUSE, whose locks may not keep two writers apart: you see to it that there is one."`
	JSON      bool             `name:"json" help:"Print records as JSON, errors too."`
	Version   kong.VersionFlag `help:"Print the version."`

	Demo  demoCommand  `cmd:"" help:"Make a worked example, and serve it."`
	Serve serveCommand `cmd:"" help:"Serve projects to a browser."`
	cli.Commands
}

// run does what args say and returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	var line commandLine
	asked := false // for help or the version, which kong has printed then
	parser, err := kong.New(&line,
		kong.Name("docket"),
		kong.Description("A project memory that agents write, rules distill and humans decide."),
		kong.Vars{"version": version()},
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { asked = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		panic(err) // the tags of commandLine are wrong
	}
	command, err := parser.Parse(args)
	if asked {
		return 0
	}
	if err != nil {
		err = &usageError{err}
		cli.Complain(stderr, err, wantsJSON(args))
		return cli.Status(err)
	}
	out := bufio.NewWriter(stdout)
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(
		line.terminal(env, stdin, out, stdout, stderr),
		&host{line: &line, env: env, stdout: stdout, stderr: stderr},
	)
	err = errors.Join(err, out.Flush())
	if err != nil {
		cli.Complain(stderr, err, line.JSON)
	}
	return cli.Status(err)
}

// terminal makes what the commands of package cli run with. Their output goes to out;
// how it looks hangs on what stdout and stderr are.
func (l *commandLine) terminal(env func(string) string, stdin io.Reader, out, stdout, stderr io.Writer) *cli.Terminal {
	return &cli.Terminal{
		Open: func() (*memory.Engine, error) {
			store, err := l.open(l.project())
			if err != nil {
				return nil, err
			}
			return memory.Open(store, memory.Options{}), nil
		},
		Stdin:    stdin,
		Stdout:   out,
		Stderr:   stderr,
		JSON:     l.JSON,
		Width:    terminalWidth(stdout),
		Progress: terminalWidth(stderr) > 0,
		Actor:    systemUser(env),
		Now:      time.Now,
	}
}

func (l *commandLine) project() string {
	if l.Project == nil {
		return "."
	}
	return *l.Project
}

// open opens the store of a project as the flags ask for.
func (l *commandLine) open(project string) (*filestore.Store, error) {
	opts, err := l.options()
	if err != nil {
		return nil, err
	}
	return filestore.Open(project, opts)
}

func (l *commandLine) options() (filestore.Options, error) {
	opts := filestore.Options{AllowUnsafeLocks: l.Unsafe}
	for _, flag := range []struct {
		name  string
		given *string
		to    *string
	}{
		{"identity", l.Identity, &opts.Identity},
		{"namespace", l.Namespace, &opts.Namespace},
	} {
		if flag.given == nil {
			continue
		}
		// To the store, empty means the default; who says --identity "$X" does not.
		if *flag.given == "" {
			return opts, &memory.InvalidError{Field: flag.name, Reason: "must not be empty"}
		}
		*flag.to = *flag.given
	}
	return opts, nil
}

// A usageError says that the arguments are no command.
type usageError struct{ err error }

func (e *usageError) Error() string {
	return fmt.Sprintf("%v (docket --help tells more)", e.err)
}

// Unwrap gives it the code of an invalid argument.
func (e *usageError) Unwrap() error {
	return &memory.InvalidError{Field: "arguments", Reason: e.err.Error()}
}

// wantsJSON looks for --json in arguments that could not be parsed.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "--json" {
			return true
		}
		if value, ok := strings.CutPrefix(arg, "--json="); ok {
			wanted, err := strconv.ParseBool(value)
			return err == nil && wanted
		}
	}
	return false
}
