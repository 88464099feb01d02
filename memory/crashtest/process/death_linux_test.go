package process_test

import "syscall"

// diesWithParent has the kernel kill a child whose parent is gone: one that is stopped
// does not see its standard input end.
func diesWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
