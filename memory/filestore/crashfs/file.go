package crashfs

import (
	"io"
	"io/fs"
	"sync"
	"time"
)

// A file is one opening of a file.
type file struct {
	fs      *FS
	process int
	node    *inode
	path    string
	label   string
	writes  bool

	syncFailed bool // guarded by fs.mu
}

func (f *file) Name() string { return f.path }

func (f *file) Stat() (fs.FileInfo, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.fs.alive(f.process); err != nil {
		return nil, err
	}
	return infoOf(f.path, f.node), nil
}

func (f *file) ReadAt(data []byte, offset int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.fs.alive(f.process); err != nil {
		return 0, err
	}
	if offset >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(data, f.node.data[offset:])
	if n < len(data) {
		return n, io.EOF
	}
	return n, nil
}

// Write is the change "write", at the end of the file.
func (f *file) Write(data []byte) (n int, err error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	write := func(part []byte) {
		n = len(part)
		f.touch(dataWrite{offset: int64(len(f.node.data)), data: append([]byte(nil), part...)})
	}
	err = f.fs.change(f.process, "write", f.label, func() error { write(data); return nil }, func(m Mode) {
		if m == ShortWrite {
			write(data[:len(data)/2])
		}
	})
	return n, err
}

func (f *file) touch(w dataWrite) {
	f.node.write(w)
	f.node.time = f.fs.clock
}

// Truncate is the change "truncate".
func (f *file) Truncate(size int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	return f.fs.change(f.process, "truncate", f.label, func() error {
		f.touch(dataWrite{offset: size, cut: true})
		return nil
	}, nil)
}

// Chmod is the change "chmod".
func (f *file) Chmod(mode fs.FileMode) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	return f.fs.change(f.process, "chmod", f.label, func() error { f.node.mode = mode; return nil }, nil)
}

// Sync is the change "sync".
func (f *file) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.syncFailed {
		f.fs.syncedAgain = append(f.fs.syncedAgain, f.label)
	}
	err := f.fs.change(f.process, "sync", f.label, func() error { f.node.sync(); return nil }, func(m Mode) {
		if m == SyncDropped {
			f.node.forget()
		}
	})
	f.syncFailed = f.syncFailed || err != nil
	return err
}

// Close is the change "close" if the file was opened for writing.
func (f *file) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if !f.writes {
		return f.fs.alive(f.process)
	}
	return f.fs.change(f.process, "close", f.label, func() error { return nil }, nil)
}

type lock struct {
	slot chan struct{}
	once sync.Once
}

// Unlock frees the lock; after Restart it frees nothing, since the new process has
// locks of its own.
func (l *lock) Unlock() error {
	l.once.Do(func() { <-l.slot })
	return nil
}

// An info describes an inode at one moment.
type info struct {
	name string
	size int64
	mode fs.FileMode
	time int64
	sys  any
}

func infoOf(name string, n *inode) info {
	return info{name: name, size: int64(len(n.data)), mode: n.mode, time: n.time, sys: sysOf(n.number)}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.UnixMilli(i.time) }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return i.sys }
