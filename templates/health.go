package templates

import (
	"fmt"
	"time"

	"docket/memory"
)

// healthName is what the rail calls the page.
const healthName = "Health"

// A HealthMark is what the rail says of the last check.
type HealthMark struct {
	Checked bool // false: it was never checked, or the check could not be finished
	Faults  int  // what the check found, or what cannot be read now if that is more
}

// A HealthView is what is checked of a workspace's files, and how they stand.
type HealthView struct {
	Running *HealthProgress // nil where nothing is being checked
	Last    *HealthCheck    // nil where nothing was ever checked
}

// A HealthProgress is a check at work.
type HealthProgress struct {
	Since   time.Time
	File    string // being read; "" while what was read is held together
	Percent int    // of the bytes that are read
}

// A HealthCheck is a check that is over.
type HealthCheck struct {
	At     time.Time // when it ended
	Took   time.Duration
	Failed bool // the disk kept it from its end: what is below says nothing

	Findings []memory.Finding // the first of them, by file and line
	Faults   int              // of all
	Notes    int              // of all

	// How many of each there are, memory.Uncounted where they could not be read whole.
	Facts, Entries, Cases, Adjudications, Transactions int
}

// More is how many findings are not shown.
func (c HealthCheck) more() int { return c.Faults + c.Notes - len(c.Findings) }

// verdict says how the files stand.
func (c HealthCheck) verdict() string {
	switch {
	case c.Failed:
		return "The last check could not be finished"
	case c.Faults > 0:
		return count(c.Faults, "fault")
	case c.Notes > 0:
		return "No fault"
	}
	return "All is well"
}

// tone is the banner's class.
func (c HealthCheck) tone() string {
	switch {
	case c.Failed:
		return "banner wait"
	case c.Faults > 0:
		return "banner bad"
	}
	return "banner good"
}

// HealthTitle says how the files stand.
func HealthTitle(v HealthView) string {
	switch {
	case v.Running != nil:
		return healthName + " · checking"
	case v.Last == nil:
		return healthName + " · never checked"
	case v.Last.Failed:
		return healthName + " · not known"
	case v.Last.Faults > 0:
		return healthName + " · " + count(v.Last.Faults, "fault")
	}
	return healthName + " · all is well"
}

// took says how long a check took.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return duration(d)
}

// A meaning is what findings of one file mean that stand behind each other.
type meaning struct {
	why      string
	findings []memory.Finding
}

// A findingsFile is what was found in one file.
type findingsFile struct {
	name     string
	meanings []meaning
}

// byFile puts findings, which are sorted by file, under their files and what they mean.
func byFile(findings []memory.Finding) []findingsFile {
	var files []findingsFile
	for _, f := range findings {
		if n := len(files); n == 0 || files[n-1].name != f.File {
			files = append(files, findingsFile{name: f.File})
		}
		file := &files[len(files)-1]
		if n := len(file.meanings); n == 0 || file.meanings[n-1].why != f.Why {
			file.meanings = append(file.meanings, meaning{why: f.Why})
		}
		last := &file.meanings[len(file.meanings)-1]
		last.findings = append(last.findings, f)
	}
	return files
}

// severity is the class of a finding's tag.
func severity(s memory.Severity) string {
	if s == memory.SeverityFault {
		return "tag bad"
	}
	return "tag"
}

// checked is what a check looks at, in the order in which a reader asks.
func checked() []string {
	return []string{
		"Every line of the daily logs: its form, that it belongs to this project and to that day, and that no id stands for two facts.",
		"Every entry: its key, its chain of revisions, and that its evidence is in the logs and says what the entry says.",
		"Every case: its fingerprint and ids, its candidates, and that what it observed is in the logs.",
		"Every adjudication against its case, the entry that it put in force and the journal, and each of those against it.",
		"The journal: every intent against its hash, and that no phase is missing.",
		"MEMORY.md against curated.json.",
		"Modes of files and folders, what dead writers left behind, and files that are not Docket's.",
	}
}
