//go:build unix && !linux

package process_test

import "syscall"

func diesWithParent() *syscall.SysProcAttr { return nil }
