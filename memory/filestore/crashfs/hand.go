package crashfs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// Files returns what a process reads in each file, by its path relative to the root.
func (f *FS) Files() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	files := map[string]string{}
	f.walk(func(path string, n *inode) {
		if !n.mode.IsDir() {
			files[path] = string(n.data)
		}
	})
	return files
}

// Edit writes the file anew in its place, as some editors do: it stays the same file.
// What is written by hand is on the disk.
func (f *FS) Edit(path, text string) error {
	return f.byHand(path, func(folder *inode, name string) error {
		node := folder.names[name]
		if node == nil {
			return &fs.PathError{Op: "edit", Path: path, Err: fs.ErrNotExist}
		}
		node.data, node.onDisk, node.writes, node.time = []byte(text), []byte(text), nil, f.clock
		return nil
	})
}

// Save puts a new file in the place, as editors do that save by rename.
func (f *FS) Save(path, text string) error {
	return f.byHand(path, func(folder *inode, name string) error {
		node := f.newInode(0o600)
		node.data, node.onDisk = []byte(text), []byte(text)
		folder.names[name], folder.namesOnDisk[name] = node, node
		return nil
	})
}

// Delete removes the file.
func (f *FS) Delete(path string) error {
	return f.byHand(path, func(folder *inode, name string) error {
		if folder.names[name] == nil {
			return &fs.PathError{Op: "delete", Path: path, Err: fs.ErrNotExist}
		}
		delete(folder.names, name)
		delete(folder.namesOnDisk, name)
		return nil
	})
}

// byHand lets a change happen that is not the process's, and is not counted.
func (f *FS) byHand(path string, change func(folder *inode, name string) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock += 1000
	folder, name, err := f.find(filepath.Join(f.root, filepath.FromSlash(path)))
	if err != nil {
		return err
	}
	return change(folder, name)
}

// Digest tells disks apart: two of one digest read alike, and have the same images.
func (f *FS) Digest() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	sum := sha256.New()
	put := func(data []byte) {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(data)))
		sum.Write(size[:])
		sum.Write(data)
	}
	nodes := f.top.all()
	number := make(map[*inode]int, len(nodes))
	for i, n := range nodes {
		number[n] = i
	}
	for _, n := range nodes {
		put(n.data)
		put(n.onDisk)
		for _, w := range n.writes {
			put(fmt.Append(nil, w.offset, w.cut))
			put(w.data)
		}
		for _, names := range []map[string]*inode{n.names, n.namesOnDisk} {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				put(fmt.Append(nil, name, number[names[name]]))
			}
			put(nil)
		}
		for _, m := range n.moves {
			put(fmt.Append(nil, m.put, m.take, number[m.node]))
		}
	}
	return string(sum.Sum(nil))
}
