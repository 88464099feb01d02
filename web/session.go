package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	// sessionLimit is how long a session lasts at most, used or not.
	sessionLimit = 30 * 24 * time.Hour
	// idleLimit is how long a session lasts without being used.
	idleLimit = 7 * 24 * time.Hour
	// renewAfter is how old the mark of use may be before an answer renews it.
	renewAfter = time.Hour
)

// A session says who a request comes from. The browser holds it, signed.
type session struct {
	Actor  string    `json:"actor"`
	Issued time.Time `json:"issued"`
	Used   time.Time `json:"used"` // to renewAfter
}

// sessions makes and reads the cookies of one server. It holds no session: signing out
// clears the browser's cookie, and a new secret ends them all.
type sessions struct {
	secret []byte
	name   string // of the cookie; carries the port, since all ports of a host share cookies
	token  string // the start-up token
	now    func() time.Time
}

func newSessions(secret []byte, port int, now func() time.Time) *sessions {
	return &sessions{secret: secret, name: fmt.Sprintf("docket-%d", port), token: randomText(32), now: now}
}

// admits reports whether token is the start-up token, in constant time.
func (s *sessions) admits(token string) bool {
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.token))
	return subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// begin returns the cookie of a new session.
func (s *sessions) begin(actor string) *http.Cookie {
	now := s.now().UTC()
	return s.cookie(session{Actor: actor, Issued: now, Used: now})
}

// renew returns the cookie that marks a session as used now, or nil while the mark it
// has is young enough.
func (s *sessions) renew(current session) *http.Cookie {
	now := s.now().UTC()
	if now.Sub(current.Used) < renewAfter {
		return nil
	}
	current.Used = now
	return s.cookie(current)
}

// end returns the cookie that takes the session from the browser.
func (s *sessions) end() *http.Cookie {
	cookie := s.bare()
	cookie.MaxAge = -1
	return cookie
}

// find returns the session that a request carries.
func (s *sessions) find(r *http.Request) (session, bool) {
	for _, cookie := range r.CookiesNamed(s.name) {
		if found, ok := s.open(cookie.Value); ok {
			return found, true
		}
	}
	return session{}, false
}

func (s *sessions) cookie(current session) *http.Cookie {
	cookie := s.bare()
	cookie.Value = s.seal(current)
	cookie.MaxAge = int(current.Issued.Add(sessionLimit).Sub(s.now()) / time.Second)
	return cookie
}

// bare is the cookie without a session. It is not Secure: it is for plain HTTP on the
// loopback, where its name is by port for want of the __Host- prefix.
func (s *sessions) bare() *http.Cookie {
	return &http.Cookie{Name: s.name, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode}
}

func (s *sessions) seal(current session) string {
	payload, err := json.Marshal(current)
	if err != nil {
		panic("web: a session always encodes: " + err.Error())
	}
	return encode(payload) + "." + encode(s.sign(payload))
}

// open returns the session in a cookie's value, if this server or one with its secret
// and its port sealed it and it has not run out.
func (s *sessions) open(value string) (current session, ok bool) {
	first, second, _ := strings.Cut(value, ".")
	payload, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return session{}, false
	}
	signature, err := base64.RawURLEncoding.DecodeString(second)
	if err != nil || !hmac.Equal(signature, s.sign(payload)) {
		return session{}, false
	}
	if json.Unmarshal(payload, &current) != nil || current.Actor == "" {
		return session{}, false
	}
	now := s.now()
	if now.Sub(current.Issued) >= sessionLimit || now.Sub(current.Used) >= idleLimit {
		return session{}, false
	}
	return current, true
}

// sign binds the payload to its purpose and to the cookie's name, so that the cookie of
// another port's server is no good here.
func (s *sessions) sign(payload []byte) []byte {
	mac := hmac.New(sha256.New, s.secret)
	fmt.Fprintf(mac, "session\n%s\n", s.name)
	mac.Write(payload)
	return mac.Sum(nil)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// randomText returns n random bytes as URL-safe text.
func randomText(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return encode(b)
}
