package filestore

import "testing"

func TestUnsafeKind(t *testing.T) {
	tests := []struct {
		magic uint32
		want  string
	}{
		{0x6969, "NFS"},
		{0x517B, "SMB"},
		{0xFF534D42, "SMB"},
		{0xFE534D42, "SMB"},
		{0x65735546, "FUSE"},
		{0x01021997, "9P"},
		{0x5346414F, "AFS"},
		{0xEF53, ""},     // ext4
		{0x01021994, ""}, // tmpfs
		{0x794C7630, ""}, // overlayfs
		{0x9123683E, ""}, // btrfs
		{0x58465342, ""}, // xfs
	}
	for _, test := range tests {
		if got := unsafeKind(test.magic); got != test.want {
			t.Errorf("unsafeKind(%#x) = %q, want %q", test.magic, got, test.want)
		}
	}
	if _, err := unsafeLocks("/nowhere at all"); err == nil {
		t.Error("unsafeLocks of a path that is not there: no error")
	}
}
