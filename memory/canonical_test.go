package memory

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRecordsHaveTheirKeysInOrder(t *testing.T) {
	for _, record := range []any{
		factRecord{}, entryRecord{}, curatedRecord{}, candidateRecord{}, caseRecord{}, conflictsRecord{},
		adjudicationRecord{}, intentRecord{}, phaseRecord{},
	} {
		names := recordNames(record)
		if !slices.IsSorted(names) || len(names) < 3 || len(names) != reflect.TypeOf(record).NumField()-1 {
			t.Errorf("%T has the keys %q", record, names)
		}
	}
	// Keys of the snapshot are hashed and need the order too.
	if names := recordNames(snapshot{}); !slices.IsSorted(names) {
		t.Errorf("the snapshot has the keys %q", names)
	}
}

func TestEncodings(t *testing.T) {
	value := map[string]any{
		"\U0001F600": 1, "\uffee": []any{}, "\ue000": map[string]any{}, "a": []any{true, nil, -7},
		"Z": "\x00\x01\b\t\n\v\f\r\x1f\x7f\u0080\u2028\u2029<>&/\"\\\U0001F600é",
	}
	const escaped = `"\u0000\u0001\b\t\n\u000b\f\r\u001f` + "\x7f\u0080\u2028\u2029<>&/" + `\"\\` + "\U0001F600é\""
	for _, c := range []struct {
		name   string
		encode func(any) ([]byte, error)
		want   string
	}{
		{"canonical", canonical, `{"Z":` + escaped + `,"a":[true,null,-7],` + "\"\ue000\":{},\"\uffee\":[],\"\U0001F600\":1}"},
		{"line", line, `{"Z": ` + escaped + `, "a": [true, null, -7], ` + "\"\ue000\": {}, \"\uffee\": [], \"\U0001F600\": 1}\n"},
		{"document", document, "{\n  \"Z\": " + escaped + ",\n  \"a\": [\n    true,\n    null,\n    -7\n  ],\n" +
			"  \"\ue000\": {},\n  \"\uffee\": [],\n  \"\U0001F600\": 1\n}\n"},
	} {
		got, err := c.encode(value)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if _, err := canonical("a\xff"); err == nil {
		t.Error("invalid UTF-8 is encoded")
	}
}

func TestEncodedFact(t *testing.T) {
	fact := Fact{
		ID: "f", WorkspaceID: "0123456789abcdef", RecordedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Kind: Outcome, Content: "<c>", Source: "", Importance: 3,
		SchemaVersion: 2, Evidence: map[string]string{"\U0001F600": "1", "\uffee": "2", "Z": "3", "a": "4"},
	}
	got, err := line(fact.record())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"content": "<c>", "evidence": {"Z": "3", "a": "4", "` + "\uffee" + `": "2", "` + "\U0001F600" + `": "1"}, "fact_id": "f", ` +
		`"importance": 3, "kind": "outcome", "memory_key": null, "recorded_at": "2026-01-01T00:00:00Z", "schema_version": 2, ` +
		`"source": "", "workspace_id": "0123456789abcdef"}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmptyDocuments(t *testing.T) {
	curated, err := encodeCurated(nil, "0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	conflicts, err := encodeConflicts(nil, "0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	const tail = "  \"workspace_id\": \"0123456789abcdef\"\n}\n"
	if want := "{\n  \"entries\": [],\n  \"schema_version\": 2,\n" + tail; string(curated) != want {
		t.Errorf("curated.json is %q", curated)
	}
	if want := "{\n  \"cases\": [],\n  \"schema_version\": 1,\n" + tail; string(conflicts) != want {
		t.Errorf("conflicts.json is %q", conflicts)
	}
}

func TestCanonicalize(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{` { "b" : [ 1.0 , 1e400, -0, 9007199254740993, 1E5 ] } `, `{"b":[1.0,1e400,-0,9007199254740993,1E5]}`},
		{`{"\ud83d\ude00":1,"\uffee":2,"\u0041":3}`, "{\"A\":3,\"\uffee\":2,\"\U0001F600\":1}"},
		{`"\u001F\/\u007f\u2028\u0008\u003c"`, "\"\\u001f/\u007f\u2028\\b<\""},
		{"[ ]\r\n", "[]"},
	} {
		got, err := canonicalize(jsontext.Value(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("canonicalize(%s) = %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{`{"a":1,"a":1}`, `{"a":1,"\u0061":1}`, `"\ud800"`, "\"\xff\"", `[1]]`, ``} {
		if got, err := canonicalize(jsontext.Value(in)); err == nil {
			t.Errorf("canonicalize(%q) = %s", in, got)
		}
	}
}

// naive is canonical JSON as the format words it, for values of a few types.
func naive(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		short := map[rune]string{'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}
		var b strings.Builder
		for _, r := range v {
			if escape, ok := short[r]; ok {
				b.WriteString(escape)
			} else if r < 0x20 {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
		return `"` + b.String() + `"`
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, naive(item))
		}
		return "[" + strings.Join(items, ",") + "]"
	case map[string]any:
		var names []string
		for name := range v {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int { return slices.Compare([]rune(a), []rune(b)) })
		for i, name := range names {
			names[i] = naive(name) + ":" + naive(v[name])
		}
		return "{" + strings.Join(names, ",") + "}"
	}
	return fmt.Sprint(v)
}

func drawJSON(t *rapid.T, depth int) any {
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\x00\x1f\"\\<\u2028\uffee\U00010000a"))))
	switch rapid.IntRange(0, 2+2*min(depth, 1)).Draw(t, "type") {
	case 0:
		return rapid.Int().Draw(t, "n")
	case 1, 2:
		return text.Draw(t, "s")
	case 3:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawJSON(t, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		object[text.Draw(t, "name")] = drawJSON(t, depth-1)
	}
	return object
}

func TestCanonicalAgreesWithItsWording(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawJSON(t, 3)
		want := naive(v)
		got, err := canonical(v)
		if err != nil || string(got) != want {
			t.Fatalf("got %s, %v; want %s", got, err, want)
		}
		for _, encode := range []func(any) ([]byte, error){canonical, line, document} {
			text, err := encode(v)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := canonicalize(text); err != nil || string(again) != want {
				t.Fatalf("%q is %q again, %v", text, again, err)
			}
		}
	})
}

func TestStrictRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ in, want string }{ // want is part of the reason; "" where it is accepted
		{`{"kind":"a"}`, ""}, {" {\r\n\t} ", ""}, {`{"x":1e400,"y":1.5,"z":9007199254740993}`, ""},
		{`{"x":` + deep(31) + `}`, ""}, {`{"x":` + deep(32) + `}`, "nests deeper than 32"}, {deep(10_001), "nests deeper"},
		{strings.Repeat("[", 10_001), "nests deeper"}, {`{"x":"` + strings.Repeat("[{", 50) + `\"["}`, ""},
		{`{"x":"\"` + strings.Repeat("[", 50) + `"}`, ""}, {`{"x":"\\","y":` + deep(32) + `}`, "nests deeper than 32"},
		{`{"kind":"a","kind":"a"}`, "duplicate"}, {`{"kind":"a","\u006bind":"b"}`, "duplicate"},
		{`{"x":{"y":1,"y":2}}`, "duplicate"}, {`{"evidence":{"a":"","a":""}}`, "duplicate"}, {`{"x":1,"x":1}`, "duplicate"},
		{`{"x":"\ud800"}`, "surrogate"}, {`{"x":"\udc00\ud800"}`, "surrogate"}, {`{"\ud800":1}`, "surrogate"},
		{`{"evidence":{"\udfff":""}}`, "surrogate"}, {`{"x":"\ud83d\ude00"}`, ""},
		{"{\"x\":\"\xff\"}", "UTF-8"}, {"{\"x\":\"\xed\xa0\x80\"}", "UTF-8"}, {"{\"\xc0\x80\":1}", "UTF-8"},
		{"\ufeff{}", "invalid JSON"}, {`{}x`, "after"}, {`{} {}`, "after"}, {"{}\x00", "after"}, {`{}]`, "after"}, {`{},`, "after"},
		{``, "early"}, {`  `, "early"}, {`{"x":`, "early"}, {`{"x":"a`, "early"},
		{`[]`, "an object"}, {`"a"`, "an object"}, {`3`, "an object"}, {`true`, "an object"},
		{`{"importance":1.0}`, "an integer"}, {`{"importance":1e0}`, "an integer"}, {`{"importance":"3"}`, "an integer"},
		{`{"importance":true}`, "an integer"}, {`{"importance":[3]}`, "an integer"}, {`{"importance":1e400}`, "an integer"},
		{`{"importance":9223372036854775808}`, "an integer"}, {`{"importance":01}`, "invalid JSON"}, {`{"importance":+1}`, "invalid JSON"},
		{`{"content":3}`, "a string"}, {`{"content":["a"]}`, "a string"}, {`{"evidence":{"a":1}}`, "a string"}, {`{"evidence":[]}`, "an object"},
		{`{"x":NaN}`, "invalid JSON"}, {`{"x":Infinity}`, "invalid JSON"}, {`{'x':1}`, "invalid JSON"}, {`{"x":1,}`, "invalid JSON"},
		{`{"x":1}//`, "after"}, {"{\"x\":\"\n\"}", "invalid JSON"}, {"{\u00a0}", "invalid JSON"},
	} {
		var r factRecord
		err := strict([]byte(c.in), &r)
		var shape *shapeError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%.60q is refused: %v", c.in, err)
		case c.want != "" && (!errors.As(err, &shape) || !strings.Contains(shape.reason, c.want)):
			t.Errorf("%.60q: got the error %v, want one with %q", c.in, err, c.want)
		case shape != nil && (shape.offset < 0 || shape.offset > int64(len(c.in))):
			t.Errorf("%.60q: offset %d", c.in, shape.offset)
		}
	}
}

// TestReasonsAreInert: what a page or a terminal prints holds no control character and
// nothing of unbounded length.
func TestReasonsAreInert(t *testing.T) {
	const bad = "\u009b[2J\u202e"
	long := strings.Repeat(bad, 1000)
	for _, in := range []string{
		`{"x":"\ud800` + bad + `"}`, `{"x":"\udc00` + bad + `"}`, `{"x":"\q` + bad + `"}`, `{"x":"\u12` + bad + `"}`,
		`{"` + long + `":1,"` + long + `":1}`, `{` + bad + `}`, `{"x":tr` + bad + `}`, `{"x":` + "\u009b}", "{}" + "\u009b",
		`{"evidence":{"` + long + `":1}}`, `{"kind":"` + long + `"}`, `{"Kind` + "\u017f" + `":1}`, `{"SOURCE":1}`,
	} {
		_, err := decodeFact([]byte(in), "0123456789abcdef")
		checkInert(t, in, err)
	}
}

func checkInert(t *testing.T, in string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%.60q is accepted", in)
		return
	}
	for _, r := range err.Error() {
		if !unicode.IsGraphic(r) {
			t.Errorf("%.60q: the reason %s holds %U", in, strconv.Quote(err.Error()), r)
			break
		}
	}
	if len(err.Error()) > 1000 {
		t.Errorf("%.60q: the reason is %d bytes long", in, len(err.Error()))
	}
}
