package crashfs

import (
	"io/fs"
	"maps"
	"slices"
)

// An inode is a file or a folder. Its bytes are never changed in place, so that clones
// share them.
type inode struct {
	number uint64
	mode   fs.FileMode
	time   int64 // milliseconds, of the last change

	data   []byte      // of a file: what a process reads
	onDisk []byte      // what is on the disk whatever becomes of writes
	writes []dataWrite // since: open

	names       map[string]*inode // of a folder: what a process sees; nil for a file
	namesOnDisk map[string]*inode
	moves       []move // since: open
}

// A dataWrite is an open change of a file's bytes.
type dataWrite struct {
	offset int64
	data   []byte
	cut    bool // a truncation to offset
}

// A move is an open change of a folder's entries: take falls away, then put is there.
type move struct {
	put  string
	node *inode
	take string
}

func (f *FS) newInode(mode fs.FileMode) *inode {
	f.last++
	node := &inode{number: f.last, mode: mode, time: f.clock}
	if mode.IsDir() {
		node.names, node.namesOnDisk = map[string]*inode{}, map[string]*inode{}
	}
	return node
}

// clone copies the inode and all that it leads to. seen keeps two ways to one inode from
// becoming two inodes.
func (n *inode) clone(seen map[*inode]*inode) *inode {
	if n == nil {
		return nil
	}
	if c := seen[n]; c != nil {
		return c
	}
	c := *n
	seen[n] = &c
	c.writes, c.moves = slices.Clone(n.writes), slices.Clone(n.moves)
	for i := range c.moves {
		c.moves[i].node = c.moves[i].node.clone(seen)
	}
	c.names, c.namesOnDisk = cloneNames(n.names, seen), cloneNames(n.namesOnDisk, seen)
	return &c
}

func cloneNames(names map[string]*inode, seen map[*inode]*inode) map[string]*inode {
	c := maps.Clone(names)
	for name, node := range c {
		c[name] = node.clone(seen)
	}
	return c
}

// write makes an open change of the bytes.
func (n *inode) write(w dataWrite) {
	n.data = w.onto(n.data)
	n.writes = append(n.writes, w)
}

// onto returns the bytes that the change makes of others. A write behind their end
// leaves a hole of zeros, and so does a truncation there.
func (w dataWrite) onto(data []byte) []byte {
	if w.cut {
		if w.offset <= int64(len(data)) {
			return data[:w.offset:w.offset]
		}
		return append(slices.Clip(data), make([]byte, w.offset-int64(len(data)))...)
	}
	whole := make([]byte, max(int64(len(data)), w.offset+int64(len(w.data))))
	copy(whole, data)
	copy(whole[w.offset:], w.data)
	return whole
}

// sync puts what is open on the disk.
func (n *inode) sync() {
	for _, w := range n.writes {
		n.onDisk = w.onto(n.onDisk)
	}
	for _, m := range n.moves {
		m.onto(n.namesOnDisk)
	}
	n.writes, n.moves = nil, nil
}

// move makes an open change of the entries.
func (n *inode) move(m move) {
	m.onto(n.names)
	n.moves = append(n.moves, m)
}

func (m move) onto(names map[string]*inode) {
	if m.take != "" {
		delete(names, m.take)
	}
	if m.put != "" {
		names[m.put] = m.node
	}
}

// forget loses the bytes that are not on the disk: they can still be read and count as
// written. The file's size is kept in the journal, as a folder is.
func (n *inode) forget() {
	n.writes = slices.DeleteFunc(n.writes, func(w dataWrite) bool { return !w.cut })
}
