package web

import (
	"errors"
	"net/http"

	"docket/memory"
	"docket/templates"
)

// preview shows what agents are given: MEMORY.md, rendered or raw, and the prompt
// context that is made from it.
func (s *server) preview(v *visit) error {
	page := s.page(v, templates.PreviewTitle, templates.NavPreview)
	text, onDisk := v.state.Memory()
	unread := v.state.Readable(memory.PartProjection) != nil
	unknown := !onDisk && (v.state.Readable(memory.PartCurated) != nil || unread && !v.state.HasCurated())
	if !onDisk && !unknown {
		text = v.state.Rendered()
	}
	view := templates.PreviewView{
		Tab:     tabOf(v.QueryParam("tab")),
		Raw:     text,
		Budget:  memory.DefaultBudget,
		OnDisk:  onDisk,
		Unread:  unread && !unknown,
		Unknown: unknown,
		Differs: onDisk && v.state.HasCurated() && text != v.state.Rendered(),
	}
	if view.Tab == templates.TabRendered {
		html, err := renderMarkdown(text)
		if err != nil {
			return err
		}
		view.HTML = html
	}
	context, err := v.engine.Context(v.Request().Context(), memory.DefaultRecent, memory.DefaultBudget)
	if err != nil {
		s.log.Error("no prompt context", "id", requestID(v), "workspace", v.id, "error", err)
		view.Broken = true
		if fault := new(memory.Fault); errors.As(err, &fault) {
			page.Faults = withFault(page.Faults, fault)
		}
	}
	view.Context = context
	return respond(v, http.StatusOK, page, templates.Preview(page, view))
}

// tabOf takes a tab that does not exist for the first.
func tabOf(name string) templates.Tab {
	switch tab := templates.Tab(name); tab {
	case templates.TabRaw, templates.TabContext:
		return tab
	}
	return templates.TabRendered
}
