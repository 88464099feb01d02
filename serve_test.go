package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesTellProjectsApart(t *testing.T) {
	shop, api, old := filepath.FromSlash("/srv/shop"), filepath.FromSlash("/srv/api"), filepath.FromSlash("/old/api")
	want := []string{"shop", api, old}
	if diff := cmp.Diff(want, names([]string{shop, api, old})); diff != "" {
		t.Error(diff)
	}
}

func TestStateFolder(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want string // "" for an error
	}{
		{"as told", map[string]string{"XDG_STATE_HOME": "/state", "HOME": "/home/lead"}, "/state/docket"},
		{"home", map[string]string{"HOME": "/home/lead"}, "/home/lead/.local/state/docket"},
		{"relative ones are ignored", map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/lead"}, "/home/lead/.local/state/docket"},
		{"nowhere", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if !filepath.IsAbs("/state") {
				t.Skip("paths look different here")
			}
			got, err := stateFolder(func(name string) string { return test.env[name] })
			if got != test.want || (err != nil) != (test.want == "") {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}
