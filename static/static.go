package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"sync"
)

// Names of the files.
const (
	Stylesheet = "docket.css"
	Script     = "docket.js"
	Keys       = "keys.js"
	Drafts     = "drafts.js"
	Icon       = "favicon.svg"
	HTMX       = "htmx.min.js"
	Reset      = "modern-normalize.css"
)

// Prefix is how the address of every file begins.
const Prefix = "/static/"

//go:embed docket.css docket.js drafts.js favicon.svg htmx.min.js keys.js modern-normalize.css
var files embed.FS

// An Asset is one file as it is served.
type Asset struct {
	Name        string
	Hash        string // the first 12 hex digits of the SHA-256 of Data
	ContentType string
	Data        []byte // shared by all; not to be changed
}

var assets = sync.OnceValue(func() map[string]Asset {
	types := map[string]string{
		Stylesheet: "text/css; charset=utf-8",
		Script:     "text/javascript; charset=utf-8",
		Keys:       "text/javascript; charset=utf-8",
		Drafts:     "text/javascript; charset=utf-8",
		Icon:       "image/svg+xml",
		HTMX:       "text/javascript; charset=utf-8",
		Reset:      "text/css; charset=utf-8",
	}
	all := make(map[string]Asset, len(types))
	for name, contentType := range types {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(fmt.Sprintf("static: %v", err))
		}
		sum := sha256.Sum256(data)
		all[name] = Asset{name, hex.EncodeToString(sum[:])[:12], contentType, data}
	}
	return all
})

// URL returns the address of the file of that name, which changes whenever the file
// does. A name that is not one of the constants is a programmer's error and panics.
func URL(name string) string {
	asset, ok := assets()[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return Prefix + asset.Hash + "/" + name
}

// Open returns the file that an address names, and whether there is one: another
// hash than the present one names nothing.
func Open(hash, name string) (Asset, bool) {
	asset, ok := assets()[name]
	if !ok || asset.Hash != hash {
		return Asset{}, false
	}
	return asset, true
}
