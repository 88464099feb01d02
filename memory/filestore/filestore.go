package filestore

import (
	"fmt"
	"os"
	"sync"
	"time"

	"docket/memory"
)

// Options tell Open what it does not find in the project. The zero Options are
// those of a usual project.
type Options struct {
	// Identity is the path that the workspace id is derived from, taken as
	// written; "" is the resolved path of the project. A store that was moved keeps
	// the identity that its records carry.
	Identity string

	// Namespace is the name of the folder in the project that the memory folder is
	// in; "" is DefaultNamespace.
	Namespace string

	// LeaseWait is how long Lease waits for another writer; 0 is DefaultLeaseWait.
	LeaseWait time.Duration

	// FS is the file system to use; nil is OS().
	FS FS

	// AllowUnsafeLocks opens a store on a file system whose locks may not hold.
	AllowUnsafeLocks bool
}

// What the zero Options stand for.
const (
	DefaultNamespace = ".learn_workbuddy"
	DefaultLeaseWait = 5 * time.Second
)

// A Store is a memory.Store in a folder of a project. Its methods may be called
// from several goroutines.
type Store struct {
	fs          FS
	workspaceID string
	project     string // absolute, without symbolic links
	namespace   string
	wait        time.Duration
	holder      string // our words in the lease

	mu      sync.Mutex        // guards the fields below, and keeps writes apart
	held    bool              // the lease is ours
	sealed  bool              // a sync failed
	settled map[string]string // path -> id of the file whose entry there is known to be durable

	replaced map[string]memory.Stamp // path -> stamp of the document whose entry there is known to be durable
}

var _ memory.Store = (*Store)(nil)

// Open returns the store of a project. It creates nothing, and reading a store that
// nobody has written to finds every file absent. Bad arguments are an
// *memory.InvalidError; a folder of the store that is a link or no folder is a
// *memory.Fault.
func Open(project string, opts Options) (*Store, error) {
	resolved, err := resolveProject(project)
	if err != nil {
		return nil, err
	}
	identity := opts.Identity
	if identity == "" {
		identity = resolved
	}
	id, err := workspaceID(identity)
	if err != nil {
		return nil, err
	}
	s := &Store{
		fs:          opts.FS,
		workspaceID: id,
		project:     resolved,
		namespace:   opts.Namespace,
		wait:        opts.LeaseWait,
		holder:      holderWords(),
		settled:     map[string]string{},
		replaced:    map[string]memory.Stamp{},
	}
	s.fillIn()
	if err := checkNamespace(s.namespace); err != nil {
		return nil, err
	}
	deepest, err := s.checkFolders()
	if err != nil {
		return nil, err
	}
	if opts.AllowUnsafeLocks {
		return s, nil
	}
	if err := s.checkLocks(deepest); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) fillIn() {
	if s.fs == nil {
		s.fs = OS()
	}
	if s.namespace == "" {
		s.namespace = DefaultNamespace
	}
	if s.wait <= 0 {
		s.wait = DefaultLeaseWait
	}
}

func (s *Store) checkLocks(folder string) error {
	kind, err := s.fs.UnsafeLocks(folder)
	if err != nil {
		return fmt.Errorf("look at the file system: %w", err)
	}
	if kind != "" {
		return &memory.InvalidError{Field: "project", Reason: fmt.Sprintf(
			"is on a file system (%s) whose locks may not keep two writers apart: %q (--allow-unsafe-locks opens it all the same)", kind, folder)}
	}
	return nil
}

// WorkspaceID returns the id that every record of this store carries.
func (s *Store) WorkspaceID() string { return s.workspaceID }

// Project returns the project's path, absolute and without symbolic links.
func (s *Store) Project() string { return s.project }

// Folder returns the path of the memory folder, which need not exist.
func (s *Store) Folder() string { return s.folder() }

// Exists reports whether the memory folder is there.
func (s *Store) Exists() (bool, error) {
	return s.checkPath(s.namespaceFolder(), s.folder())
}

// holderWords says who we are, for whoever waits for our lease.
func holderWords() string {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Sprintf("pid %d", os.Getpid())
	}
	return fmt.Sprintf("pid %d on %s", os.Getpid(), host)
}
