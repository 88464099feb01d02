package demo

import (
	"testing"
	"time"
)

func TestLastRun(t *testing.T) {
	for _, now := range moments() {
		t.Run(now.Format(time.RFC3339), func(t *testing.T) {
			t.Parallel()
			e, _ := write(t, now)
			var latest time.Time
			for _, c := range e.State(t.Context()).Cases() {
				if c.DetectedAt.After(latest) {
					latest = c.DetectedAt
				}
			}
			if got := LastRun(now); !got.Equal(latest) {
				t.Errorf("the last run was at %v, the last question is of %v", got, latest)
			}
		})
	}
}
