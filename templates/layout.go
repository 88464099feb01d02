package templates

import "docket/memory"

// htmxConfig keeps htmx inside the content security policy, lets it swap refusals, and
// keeps pages out of the browser's storage. A 401 is swapped in too: its page gives the
// reader's words back, and htmx writes an error to the console for what it does not swap.
const htmxConfig = `{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":true,"responseHandling":[` +
	`{"code":"204","swap":false},{"code":"[23]..","swap":true},{"code":"4(01|09|22)","swap":true},` +
	`{"code":"503","swap":true},{"code":"[45]..","swap":false,"error":true}]}`

// shownFaults is how many faults a banner lists.
const shownFaults = 10

// uncounted is the count of a page that has none. It differs from Unknown.
const uncounted = -2

func documentTitle(p Page) string {
	if p.Title == "" {
		return "Docket"
	}
	return p.Title + " · Docket"
}

// remedy says what to do about a fault.
func remedy(c memory.Code) string {
	switch c {
	case memory.CodeScope:
		return "It belongs to another project. If this one was moved or cloned, serve it with the identity its records carry; if not, restore the file from a copy."
	case memory.CodeIO:
		return "Check the disk and the permissions, then load the page again."
	}
	return "Restore the file from a copy, or mend that line; docket verify then says whether all is well."
}
