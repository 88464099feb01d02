package crashfs

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// Exhaustive is the number of open changes up to which every choice between kept and
// dropped becomes an image.
const Exhaustive = 10

// sector is what a disk writes wholly or not at all, in bytes.
const sector = 512

// An Image is the disk as it may be found after a loss of power.
type Image struct {
	Disk  *FS
	Fates []string // what became of each open change, in words

	// Damaged names the files, relative to the root, of which a part that was not synced
	// is neither the bytes that were written nor missing: zeros or garbage.
	Damaged map[string]bool
}

// fate is what becomes of an open change.
type fate int

const (
	kept fate = iota
	dropped
	cut
	torn
)

func (f fate) String() string { return [...]string{"kept", "dropped", "cut", "torn"}[f] }

// Pending returns the number of changes that are not on the disk for certain.
func (f *FS) Pending() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, node := range f.top.all() {
		n += len(node.writes) + len(node.moves)
	}
	return n
}

// Images yields images of the disk: each choice between kept and dropped where there are
// at most Exhaustive open changes, and random ones until there are n, where a write is
// open that could be cut or torn.
func (f *FS) Images(random *rand.Rand, n int) iter.Seq[Image] {
	open := f.Pending()
	return func(yield func(Image) bool) {
		made := 0
		if open <= Exhaustive {
			for ; made < 1<<open; made++ {
				bit := 0
				image := f.image(random, func(bool) fate {
					bit++
					return fate(made >> (bit - 1) & 1)
				})
				if !yield(image) {
					return
				}
			}
			if !f.hasWrite() {
				return
			}
		}
		for ; made < n; made++ {
			if !yield(f.image(random, func(bytes bool) fate { return anyFate(random, bytes) })) {
				return
			}
		}
	}
}

// Synced returns the image that holds nothing but what was synced.
func (f *FS) Synced() Image {
	return f.image(nil, func(bool) fate { return dropped })
}

func anyFate(random *rand.Rand, bytes bool) fate {
	if !bytes {
		return fate(random.IntN(2))
	}
	return [...]fate{kept, dropped, cut, cut, torn, torn}[random.IntN(6)]
}

func (f *FS) hasWrite() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.top.all(), func(n *inode) bool {
		return slices.ContainsFunc(n.writes, func(w dataWrite) bool { return len(w.data) > 0 })
	})
}

// image makes an image; choose gives the fate of each open change, told whether it is a
// write of bytes.
func (f *FS) image(random *rand.Rand, choose func(bytes bool) fate) Image {
	disk := f.Clone()
	image := Image{Disk: disk, Damaged: map[string]bool{}}
	harmed := map[*inode]bool{}
	nodes := disk.top.all() // before entries fall away
	for _, n := range nodes {
		for _, w := range n.writes {
			chosen := choose(len(w.data) > 0)
			var words string
			n.onDisk, words = w.meet(chosen, n.onDisk, random, func() { harmed[n] = true })
			image.Fates = append(image.Fates, fmt.Sprintf("inode %d: %s", n.number, words))
		}
		for _, m := range n.moves {
			chosen := choose(false)
			if chosen == kept {
				m.onto(n.namesOnDisk)
			}
			image.Fates = append(image.Fates, fmt.Sprintf("entry +%q -%q %v", m.put, m.take, chosen))
		}
	}
	for _, n := range nodes {
		n.data, n.names = n.onDisk, maps.Clone(n.namesOnDisk)
		n.writes, n.moves = nil, nil
	}
	disk.walk(func(path string, n *inode) {
		if harmed[n] {
			image.Damaged[path] = true
		}
	})
	return image
}

// meet returns what the change leaves of the bytes on the disk under its fate.
func (w dataWrite) meet(chosen fate, onDisk []byte, random *rand.Rand, harmed func()) (data []byte, words string) {
	what := fmt.Sprintf("write of %d bytes at %d", len(w.data), w.offset)
	if w.cut {
		what = fmt.Sprintf("truncation to %d", w.offset)
	}
	switch chosen {
	case dropped:
		return onDisk, what + " dropped"
	case cut:
		n := random.IntN(len(w.data))
		w.data = w.data[:n]
		return w.onto(onDisk), fmt.Sprintf("%s cut to %d", what, n)
	case torn:
		whole := w.data
		if w.data, words = tear(w, random); !bytes.HasPrefix(whole, w.data) {
			harmed()
		}
		return w.onto(onDisk), what + " torn: " + words
	}
	return w.onto(onDisk), what + " kept"
}

// tear leaves each sector of the write as it is, zeros it, or fills it with garbage; at
// least one of them does not stay. Some are cut, too.
func tear(w dataWrite, random *rand.Rand) (data []byte, words string) {
	data = slices.Clone(w.data)
	var said []string
	for start := 0; start < len(data); {
		end := min(len(data), start+sector-int(w.offset+int64(start))%sector)
		part, choice := data[start:end], random.IntN(3)
		if end == len(data) && !slices.ContainsFunc(said, func(s string) bool { return s != "kept" }) {
			choice = 1 + random.IntN(2)
		}
		switch choice {
		case 1:
			clear(part)
		case 2:
			for i := range part {
				part[i] = byte(random.Uint32())
			}
		}
		said = append(said, [...]string{"kept", "zeros", "garbage"}[choice])
		start = end
	}
	if random.IntN(3) == 0 {
		data = data[:random.IntN(len(data))+1]
		said = append(said, fmt.Sprintf("cut to %d", len(data)))
	}
	return data, strings.Join(said, ", ")
}

// all returns every inode that can be reached or may come back, each once and always in
// the same order.
func (n *inode) all() []*inode {
	seen := map[*inode]bool{}
	var list []*inode
	var add func(n *inode)
	add = func(n *inode) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		list = append(list, n)
		for _, names := range []map[string]*inode{n.names, n.namesOnDisk} {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				add(names[name])
			}
		}
		for _, m := range n.moves {
			add(m.node)
		}
	}
	add(n)
	return list
}

// walk visits every file and folder that can be reached, by its path relative to the root.
func (f *FS) walk(visit func(path string, n *inode)) {
	var in func(folder string, n *inode)
	in = func(folder string, n *inode) {
		for _, name := range slices.Sorted(maps.Keys(n.names)) {
			p := path.Join(folder, name)
			visit(p, n.names[name])
			in(p, n.names[name])
		}
	}
	in("", f.top)
}
