// Single keys, for a reader who has not turned them off. Every one of them does what a
// link, a field or a button of the page does too, and none records a decision.
"use strict";

(function () {
  const page = function (selector) { return document.querySelector("#page " + selector); };
  const rows = function () { return Array.from(document.querySelectorAll("#page .desk li")); };
  const link = function (row) { return row.querySelector("a"); };
  const current = function () { return document.activeElement && document.activeElement.closest("#page .desk li"); };

  // Where a step leads while no row has the focus: to the first one, but after rows were
  // marked on from them, wherever they are now.
  function enter(all, step) {
    const notice = document.getElementById("notice");
    const next = all.findIndex(function (row) { return notice && row.id === notice.dataset.next; });
    return next < 0 ? 0 : step > 0 ? next : next - 1;
  }

  function move(step) {
    const all = rows();
    if (!all.length) return false;
    const at = all.indexOf(current());
    const to = at < 0 ? enter(all, step) : at + step;
    link(all[Math.min(Math.max(to, 0), all.length - 1)]).focus();
    return true;
  }

  function focus(field) {
    if (!field) return false;
    field.focus();
    if (field.select) field.select();
    return true;
  }

  function click(target) {
    if (!target || target.disabled) return false;
    target.click();
    return true;
  }

  // The boxes that an act is for: those that are ticked, or the one of this row.
  function selected() {
    if (page(".desk input:checked")) return true;
    const row = current();
    return Boolean(row) && click(row.querySelector("input"));
  }

  function help() {
    const dialog = document.getElementById("keys");
    if (!dialog) return false;
    dialog.querySelector("[name=back]").value = location.pathname + location.search;
    dialog.showModal();
    return true;
  }

  function choose(n) {
    const choice = document.querySelectorAll("#decision input[type=radio]")[n - 1];
    if (!choice) return false;
    choice.focus();
    return click(choice);
  }

  function act(key) {
    switch (key) {
      case "j": return move(1);
      case "k": return move(-1);
      case "x": { const row = current(); return Boolean(row) && click(row.querySelector("input")); }
      case "m": return selected() && click(page('.bar button[value="seen"]'));
      case "s": return selected() && focus(page(".bar input"));
      case "u": return click(page(".crumbs a"));
      case "r": return focus(document.getElementById("rationale"));
      case "/": return focus(page("input[type=search]"));
      case "?": return help();
    }
    return /^[1-9]$/.test(key) && choose(Number(key));
  }

  // Where keys mean letters. A box and a radio take none but space and arrows.
  function typing(target) {
    return target.isContentEditable || Boolean(target.closest("textarea, select, input:not([type=checkbox], [type=radio])"));
  }

  document.addEventListener("keydown", function (event) {
    if (document.body.dataset.keys === "off" || event.defaultPrevented || event.isComposing || event.repeat && event.key !== "j" && event.key !== "k") return;
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
    if (act(event.key)) event.preventDefault();
  });

  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-help]")) help();
    // Back finds the row again, also where the browser did not keep the page.
    const row = event.target.closest("#page .desk a") && event.target.closest("li");
    if (row) history.replaceState(Object.assign({}, history.state, { row: row.id }), "");
  });

  addEventListener("pageshow", function (event) {
    if (event.persisted) return; // then the browser kept the focus too
    const id = (history.state && history.state.row) || decodeURIComponent(location.hash.slice(1));
    const row = id && document.getElementById(id);
    if (row && row.closest(".desk")) link(row).focus({ preventScroll: Boolean(history.state && history.state.row) });
  });
})();
