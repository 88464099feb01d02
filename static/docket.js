// Comfort only: every page does its work without this file.
"use strict";

(function () {
  document.documentElement.classList.add("js");

  // The one live region; emptied first, so that the same words are said again.
  function say(words) {
    const live = document.getElementById("live");
    if (!live) return;
    live.textContent = "";
    setTimeout(function () { live.textContent = words; }, 50);
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("button[data-copy]");
    if (!button || !navigator.clipboard) return;
    navigator.clipboard.writeText(button.dataset.copy).then(
      function () {
        button.classList.add("copied");
        setTimeout(function () { button.classList.remove("copied"); }, 2000);
        say(button.dataset.said);
      },
      function () { say("Not copied"); }
    );
  });

  // A form that the browser sends itself: its buttons rest once it is under way, and
  // wake when the page is shown again. The ones htmx sends are htmx's to disable.
  const resting = [];
  document.addEventListener("submit", function (event) {
    const form = event.target;
    if (form.hasAttribute("hx-post") || form.method !== "post") return;
    setTimeout(function () {
      if (event.defaultPrevented) return;
      for (const button of form.querySelectorAll("button[type=submit]")) {
        button.disabled = true;
        resting.push(button);
      }
    }, 0);
  });
  addEventListener("pageshow", function () {
    for (const button of resting.splice(0)) button.disabled = false;
  });

  // What came of an act gets the focus and is said; a page without it is said by its name.
  function tell() {
    const result = document.getElementById("refusal") || document.getElementById("notice");
    (result || document.getElementById("page")).focus();
    const title = result && result.querySelector("h2");
    say(title ? title.textContent.trim() : document.title);
  }
  // So too where the browser sent the form. Back and a reload leave readers where they were.
  const arrival = performance.getEntriesByType("navigation")[0];
  if (arrival && arrival.type === "navigate" && document.getElementById("notice")) tell();

  // The caret survives a swap.
  let caret = null;
  document.addEventListener("htmx:beforeSwap", function () {
    const words = document.getElementById("rationale");
    caret = words && { start: words.selectionStart, end: words.selectionEnd, top: words.scrollTop };
  });
  document.addEventListener("htmx:afterSettle", function (event) {
    const quiet = event.target.closest("[data-quiet]");
    if (quiet) { // it asked by itself; nothing moves under the reader
      if (quiet.id === "newer") say(quiet.textContent.trim());
      if (quiet.dataset.said) say(quiet.dataset.said);
      return;
    }
    const words = document.getElementById("rationale");
    if (words && caret) {
      words.setSelectionRange(caret.start, caret.end);
      words.scrollTop = caret.top;
    }
    caret = null;
    tell();
  });

  // No answer, or one that is not a page: said where the reader is, nothing is lost.
  function fault(status) {
    const box = document.getElementById("send-fault");
    if (!box) return;
    const known = box.querySelector('[data-status="' + status + '"]') ? String(status) : "other";
    for (const words of box.querySelectorAll("[data-status]")) words.hidden = words.dataset.status !== known;
    box.hidden = false;
    box.focus();
    say(box.querySelector("h2").textContent);
  }
  // What asks by itself does not disturb; only what changes would be told wrong.
  function failed(event, status) {
    if (!event.target.closest("[data-quiet]")) return fault(status);
    const part = event.target.id === "choices" && document.getElementById("changes");
    if (!part) return;
    part.querySelector("[data-made]").hidden = true;
    part.querySelector("[data-fault]").hidden = false;
    part.removeAttribute("aria-busy");
  }
  document.addEventListener("htmx:sendError", function (event) { failed(event, 0); });
  document.addEventListener("htmx:timeout", function (event) { failed(event, 0); });
  document.addEventListener("htmx:responseError", function (event) { failed(event, event.detail.xhr.status); });
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (event.target.id === "choices") document.getElementById("changes").setAttribute("aria-busy", "true");
    if (event.target.closest("[data-quiet]")) return;
    const box = document.getElementById("send-fault");
    if (box) box.hidden = true;
  });
})();
