package crashfs

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docket/memory/filestore"
)

// Lstat is no change.
func (f *FS) Lstat(path string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.alive(f.process); err != nil {
		return nil, err
	}
	node, err := f.get(path)
	if err != nil {
		return nil, err
	}
	return infoOf(filepath.Base(path), node), nil
}

// ReadDir is no change. It returns the names in the reverse of their order.
func (f *FS) ReadDir(path string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.alive(f.process); err != nil {
		return nil, err
	}
	node, err := f.get(path)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(node.names))
	for name := range node.names {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, nil
}

// UnsafeLocks says that locks hold.
func (f *FS) UnsafeLocks(path string) (string, error) { return "", nil }

// Open is the change "create" if the flag has os.O_CREATE, and else none. A file opened
// for writing is always appended to.
func (f *FS) Open(path string, flag int) (filestore.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	if flag&os.O_CREATE == 0 {
		if err := f.alive(f.process); err != nil {
			return nil, err
		}
		node, err := f.get(path)
		if err != nil {
			return nil, err
		}
		return f.open(path, node, writes), nil
	}
	node, err := f.create(path, f.label(path))
	if err != nil {
		return nil, err
	}
	return f.open(path, node, writes), nil
}

// CreateTemp is the change "create". Names are numbered, and lines show the pattern.
func (f *FS) CreateTemp(folder string) (filestore.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.temps++
	name := strings.Replace(filestore.TempPattern, "*", fmt.Sprint(f.temps), 1)
	path := filepath.Join(folder, name)
	label := f.label(filepath.Join(folder, filestore.TempPattern))
	node, err := f.create(path, label)
	if err != nil {
		return nil, err
	}
	f.labels[node] = label
	return f.open(path, node, true), nil
}

func (f *FS) open(path string, node *inode, writes bool) *file {
	label, ok := f.labels[node]
	if !ok {
		label = f.label(path)
	}
	return &file{fs: f, process: f.process, node: node, path: path, label: label, writes: writes}
}

func (f *FS) create(path, label string) (made *inode, err error) {
	err = f.change(f.process, "create", label, func() error {
		folder, name, err := f.find(path)
		if err != nil {
			return err
		}
		if folder.names[name] != nil {
			return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		}
		made = f.newInode(0o600)
		folder.move(move{put: name, node: made})
		return nil
	}, nil)
	return made, err
}

// Mkdir is the change "mkdir".
func (f *FS) Mkdir(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(f.process, "mkdir", f.label(path), func() error {
		folder, name, err := f.find(path)
		if err != nil {
			return err
		}
		if folder.names[name] != nil {
			return &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrExist}
		}
		folder.move(move{put: name, node: f.newInode(fs.ModeDir | 0o700)})
		return nil
	}, nil)
}

// Rename is the change "rename", which names the place that it fills. It works within
// one folder.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(f.process, "rename", f.label(to), func() error {
		folder, source, err := f.find(from)
		if err != nil {
			return err
		}
		other, target, err := f.find(to)
		if err != nil {
			return err
		}
		node := folder.names[source]
		if node == nil || other != folder {
			return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
		}
		delete(f.labels, node)
		folder.move(move{put: target, node: node, take: source})
		return nil
	}, nil)
}

// Remove is the change "remove".
func (f *FS) Remove(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	label := f.label(path)
	if node, err := f.get(path); err == nil && f.labels[node] != "" {
		label = f.labels[node]
	}
	return f.change(f.process, "remove", label, func() error {
		folder, name, err := f.find(path)
		if err != nil {
			return err
		}
		if folder.names[name] == nil {
			return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
		}
		folder.move(move{take: name})
		return nil
	}, nil)
}

// SyncDir is the change "syncdir".
func (f *FS) SyncDir(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change(f.process, "syncdir", f.label(path), func() error {
		node, err := f.get(path)
		if err != nil {
			return err
		}
		node.sync()
		return nil
	}, nil)
}

// Lock is the change "lock", once it is held: waiting is none. The file that it makes is
// open like any other, and its words are not kept.
func (f *FS) Lock(ctx context.Context, path, words string) (filestore.Lock, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	slot := f.locks[path]
	if slot == nil {
		slot = make(chan struct{}, 1)
		f.locks[path] = slot
	}
	f.mu.Unlock()
	select {
	case slot <- struct{}{}:
		f.mu.Lock()
	case <-ctx.Done():
		f.mu.Lock()
		return nil, ctx.Err()
	}
	err := f.change(f.process, "lock", f.label(path), func() error {
		folder, name, err := f.find(path)
		if err == nil && folder.names[name] == nil {
			folder.move(move{put: name, node: f.newInode(0o600)})
		}
		return err
	}, nil)
	if err != nil {
		<-slot
		return nil, err
	}
	return &lock{slot: slot}, nil
}
