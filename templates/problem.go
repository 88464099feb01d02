package templates

import "net/http"

// A ProblemView is an answer that is no page: its status, in public words, and the id
// under which the server's log tells more.
type ProblemView struct {
	Status    int  // 400 401 403 404 405 409 413 421 422 500 503; others get the words of 500
	Unread    bool // 503: part of the record cannot be read; Page.Faults names it
	RequestID string
	Back      string // a local path that helps, "" for none
	Words     string // a reason that was sent and not recorded, byte for byte
}

// A SignInView is the page that asks for the token printed at start.
type SignInView struct {
	Next   string // the local path to go to, "" for the first desk
	Failed bool   // the token just sent is not the one
}

const signInHint = "Open the address that docket printed when it started, or paste the token at its end here."

func problemHeading(v ProblemView) string {
	if v.Unread {
		return "Not known"
	}
	switch v.Status {
	case http.StatusBadRequest:
		return "Not understood"
	case http.StatusUnauthorized:
		return "Signed out"
	case http.StatusForbidden:
		return "Not allowed"
	case http.StatusNotFound:
		return "Not here"
	case http.StatusMethodNotAllowed:
		return "Not that way"
	case http.StatusConflict:
		return "Changed meanwhile"
	case http.StatusRequestEntityTooLarge:
		return "Too large"
	case http.StatusMisdirectedRequest:
		return "Not this server"
	case http.StatusUnprocessableEntity:
		return "Not recorded"
	case http.StatusServiceUnavailable:
		return "Not now"
	}
	return "Something broke"
}

func problemWords(v ProblemView) string {
	if v.Unread {
		return "What belongs here is not known, since part of the record cannot be read. Nothing was changed."
	}
	switch v.Status {
	case http.StatusBadRequest:
		return "The request does not have the form that this address takes. Nothing was changed."
	case http.StatusUnauthorized:
		return signInHint
	case http.StatusForbidden:
		return "The request did not come from a page of this server, or you may not do this. Nothing was changed."
	case http.StatusNotFound:
		return "No page, and no record of this project, has this address."
	case http.StatusMethodNotAllowed:
		return "This address does not take that method. Nothing was changed."
	case http.StatusConflict:
		return "What this was about has changed since the page was made. Nothing was changed; load the page again."
	case http.StatusRequestEntityTooLarge:
		return "The request is larger than a decision can be. Nothing was changed."
	case http.StatusMisdirectedRequest:
		return "This server does not answer under that name. Use the address that docket printed."
	case http.StatusUnprocessableEntity:
		return "A field cannot be recorded as it is. Nothing was changed."
	case http.StatusServiceUnavailable:
		return "The store is busy or cannot be written. Nothing was changed; try again in a moment."
	}
	return "The server could not answer. Its log tells what happened, under the request id below."
}
