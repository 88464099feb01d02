package templates

import (
	"strconv"
	"time"

	"docket/memory"
)

// shownEvidence is how many facts a list shows before it folds.
const shownEvidence = 6

func memoryTime(t time.Time) string { return memory.FormatTime(t) }

func rowID(group string, i int) string { return group + "-" + strconv.Itoa(i+1) }

// textarea is what has to stand in a textarea so that it holds words: HTML drops a
// line break right after the opening tag.
func textarea(words string) string { return "\n" + words }
