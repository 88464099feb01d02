package web

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"docket/templates"
)

// renderMarkdown turns MEMORY.md into inert HTML: raw HTML is left out, headings get no
// ids, nothing is linkified, what would load or lead somewhere is shown as text, and what
// is invisible in a text by name.
func renderMarkdown(text string) (string, error) {
	markdown := goldmark.New(goldmark.WithRendererOptions(
		renderer.WithNodeRenderers(util.Prioritized(inert{}, 1)), // before the standard ones
	))
	var b bytes.Buffer
	if err := markdown.Convert([]byte(text), &b); err != nil {
		return "", fmt.Errorf("render MEMORY.md: %w", err)
	}
	return templates.VisibleHTML(b.String()), nil
}

// inert renders links and images as their text, with the address behind it.
type inert struct{}

// RegisterFuncs takes the place of the standard renderers of all that has an address.
func (inert) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			writeAddress(w, n.(*ast.Link).Destination)
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			writeAddress(w, n.(*ast.Image).Destination)
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.Write(util.EscapeHTML(n.(*ast.AutoLink).Label(source)))
		}
		return ast.WalkContinue, nil
	})
}

func writeAddress(w util.BufWriter, address []byte) {
	w.WriteString(" (")
	w.Write(util.EscapeHTML(address))
	w.WriteString(")")
}
