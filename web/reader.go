package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"docket/memory"
)

// readersName is the file under the state folder that holds what readers have marked.
const readersName = "readers.db"

// How long a reader's request waits for another process to let go of that file. A page
// that is only read goes without it sooner.
const (
	readersReadWait  = 150 * time.Millisecond
	readersWriteWait = time.Second
)

// A mark is a case as a reader had it before them when they marked it.
type mark struct {
	ConflictID  string    `json:"conflict_id"`
	Revision    int       `json:"case_revision"`
	Fingerprint string    `json:"fingerprint"`
	At          time.Time `json:"at"`
}

// marks is what a reader has marked about the question of one memory key. Zero marks
// are none.
type marks struct {
	Seen   mark   `json:"seen,omitzero"`
	Aside  mark   `json:"aside,omitzero"`
	Reason string `json:"reason,omitempty"` // why it was set aside, "" for no reason given
}

// A reader is what one person has marked and chosen in one workspace.
type reader struct {
	marks   map[string]marks // by memory key
	keysOff bool             // single keys do nothing
}

// markOf is the mark of a case as it stands in a state.
func markOf(c memory.Case, at time.Time) mark {
	return mark{ConflictID: c.ID, Revision: c.Revision, Fingerprint: c.Fingerprint, At: at.UTC().Truncate(time.Second)}
}

// of reports whether the mark was made on just this case.
func (m mark) of(c memory.Case) bool { return m.Fingerprint != "" && m.Fingerprint == c.Fingerprint }

// readers keeps what readers have marked in Docket's own state: a project knows nothing
// of it, and losing it loses no decision. The file is open only while it is used, so
// that several servers of one user share it.
type readers struct {
	path string
	mu   sync.RWMutex // the turns of this process; others wait at the file's own lock

	lastMu sync.Mutex // guards last
	last   map[[2]string]markResult
}

// errReaders is what every error of readers wraps.
var errReaders = errors.New("readers' marks")

func newReaders(dir string) *readers {
	return &readers{path: filepath.Join(dir, readersName), last: map[[2]string]markResult{}}
}

// held reports whether err means that another process has the file.
func held(err error) bool { return errors.Is(err, bolterrors.ErrTimeout) }

// read returns what a reader has marked; one who has marked nothing is the zero reader.
// An error wraps errReaders.
func (r *readers) read(workspace, actor string) (found reader, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if _, err := os.Stat(r.path); errors.Is(err, fs.ErrNotExist) {
		return reader{}, nil
	}
	err = r.open(bbolt.Options{ReadOnly: true, Timeout: readersReadWait}, func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			found, err = load(within(tx.Bucket([]byte(workspace)), actor))
			return err
		})
	})
	if err != nil {
		return reader{}, err
	}
	return found, nil
}

// change lets a function change what a reader has marked, and keeps it: all or nothing.
// An error wraps errReaders.
func (r *readers) change(workspace, actor string, how func(*reader)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open(bbolt.Options{Timeout: readersWriteWait}, func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			space, err := tx.CreateBucketIfNotExists([]byte(workspace))
			if err != nil {
				return err
			}
			own, err := space.CreateBucketIfNotExists([]byte(actor))
			if err != nil {
				return err
			}
			was, err := load(own)
			if err != nil {
				return err
			}
			now := reader{marks: maps.Clone(was.marks), keysOff: was.keysOff}
			how(&now)
			return save(own, was, now)
		})
	})
}

// open runs use on the open file. A damaged file can make the library panic, or its
// mapping fault: that is an error of this file, not the end of a server that works
// without it.
func (r *readers) open(options bbolt.Options, use func(*bbolt.DB) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %s is damaged: %v", errReaders, r.path, cause)
		}
	}()
	db, err := bbolt.Open(r.path, 0o600, &options)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", errReaders, r.path, err)
	}
	defer func() {
		if closing := db.Close(); err == nil && closing != nil {
			err = fmt.Errorf("%w: %s: %w", errReaders, r.path, closing)
		}
	}()
	if err := use(db); err != nil {
		return fmt.Errorf("%w: %s: %w", errReaders, r.path, err)
	}
	return nil
}

// The buckets of a reader, and the one setting.
const (
	bucketCases    = "cases"
	bucketSettings = "settings"
	settingKeys    = "keys"
	settingOff     = "off"
	settingOn      = "on"
)

// within returns the bucket of that name in b, nil where either is not there.
func within(b *bbolt.Bucket, name string) *bbolt.Bucket {
	if b == nil {
		return nil
	}
	return b.Bucket([]byte(name))
}

// load reads the bucket of a reader, which may be nil.
func load(own *bbolt.Bucket) (reader, error) {
	found := reader{marks: map[string]marks{}}
	if settings := within(own, bucketSettings); settings != nil {
		found.keysOff = string(settings.Get([]byte(settingKeys))) == settingOff
	}
	cases := within(own, bucketCases)
	if cases == nil {
		return found, nil
	}
	return found, cases.ForEach(func(key, value []byte) error {
		var m marks
		if err := json.Unmarshal(value, &m); err != nil {
			return fmt.Errorf("marks of %q: %w", key, err)
		}
		found.marks[string(key)] = m
		return nil
	})
}

// save writes what is different.
func save(own *bbolt.Bucket, was, now reader) error {
	settings, err := own.CreateBucketIfNotExists([]byte(bucketSettings))
	if err != nil {
		return err
	}
	if now.keysOff {
		err = settings.Put([]byte(settingKeys), []byte(settingOff))
	} else {
		err = settings.Delete([]byte(settingKeys))
	}
	if err != nil {
		return err
	}
	cases, err := own.CreateBucketIfNotExists([]byte(bucketCases))
	if err != nil {
		return err
	}
	for key, m := range now.marks {
		if m == was.marks[key] {
			continue
		}
		value, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if err := cases.Put([]byte(key), value); err != nil {
			return err
		}
	}
	for key := range was.marks {
		if _, kept := now.marks[key]; !kept {
			if err := cases.Delete([]byte(key)); err != nil {
				return err
			}
		}
	}
	return nil
}
