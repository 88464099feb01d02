// Words that were typed and not sent: kept in this browser, for its reader, under the
// project and the question that they are about. They are sent nowhere.
"use strict";

(function () {
  const prefix = "docket draft ";

  // Every draft that can be read. A browser that keeps nothing has none.
  function drafts() {
    const found = [];
    try {
      for (let i = 0; i < localStorage.length; i++) {
        const key = localStorage.key(i);
        if (!key.startsWith(prefix)) continue;
        const draft = JSON.parse(localStorage.getItem(key));
        if (draft && typeof draft.words === "string") found.push(Object.assign(draft, { key: key }));
      }
    } catch (e) { /* then there is nothing to restore */ }
    return found;
  }

  function drop(gone) {
    for (const draft of drafts()) if (gone(draft)) localStorage.removeItem(draft.key);
  }

  const form = function () { return document.getElementById("decision"); };
  const words = function () { return document.getElementById("rationale"); };
  const chosen = function () { return form().querySelector("input[type=radio]:checked"); };
  const revision = function () { return form().elements.revision.value; };

  // One draft a question: a newer case revision takes it over.
  function keep() {
    const own = form();
    if (!own) return;
    const domain = own.dataset.domain;
    drop(function (draft) { return draft.domain === domain; });
    if (!words().value && !chosen()) return;
    const draft = {
      domain: domain, conflict: own.dataset.draft, revision: revision(), event: own.elements.event_id.value,
      words: words().value, choice: chosen() ? chosen().value : ""
    };
    try {
      localStorage.setItem(prefix + domain + "/" + draft.conflict + "/" + draft.revision, JSON.stringify(draft));
    } catch (e) { /* full, or forbidden: the form still holds them */ }
  }

  // Only into a form that holds nothing yet.
  function restore() {
    const own = form();
    if (!own || words().value || chosen()) return;
    const draft = drafts().find(function (d) { return d.domain === own.dataset.domain; });
    if (!draft) return;
    words().value = draft.words;
    const choice = Array.from(own.querySelectorAll("input[type=radio]")).find(function (radio) { return radio.value === draft.choice; });
    if (choice) {
      choice.checked = true;
      choice.dispatchEvent(new Event("change", { bubbles: true })); // what it changes is shown again
    }
    const note = document.getElementById("restored");
    if (draft.conflict !== own.dataset.draft) note.querySelector("span").textContent += " It was for case revision " + draft.revision + ".";
    note.hidden = false;
    keep(); // under this form's act
  }

  function discard() {
    const own = form();
    words().value = "";
    if (chosen()) chosen().checked = false;
    drop(function (draft) { return draft.domain === own.dataset.domain; });
    document.getElementById("restored").hidden = true;
    words().focus();
  }

  // The desk's rows that have a draft say so, also those whose case moved since.
  function mark() {
    for (const draft of drafts()) {
      const row = document.querySelector('.desk [data-domain="' + CSS.escape(draft.domain) + '"]');
      if (!row || row.dataset.drafted) continue;
      row.dataset.drafted = "true";
      const tag = document.createElement("span");
      tag.className = "tag wait";
      tag.textContent = "draft";
      (row.querySelector(".values") || row).append(tag);
    }
  }

  function look() {
    const sent = document.querySelector("#notice[data-event]");
    if (sent) drop(function (draft) { return draft.event === sent.dataset.event; });
    restore();
    mark();
  }

  document.addEventListener("input", function (event) {
    if (event.target.closest("#decision")) keep();
  });
  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-discard]")) discard();
  });
  document.addEventListener("DOMContentLoaded", look); // after htmx has taken the page in
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.closest("[data-quiet]")) return;
    keep(); // words that came back stand against a newer case now
    look();
  });
  addEventListener("pageshow", function (event) { if (event.persisted) look(); });
})();
