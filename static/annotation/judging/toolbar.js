/* The tools above the form: instructions, board or list, differences, shortcuts, skipping. */
import { select } from "./selection.js";
import { showDifferences } from "./differences.js";
import { leaveTo } from "./submission.js";
import { form } from "./placements.js";
import { setPreference, preference } from "./preferences.js";
import { send } from "./server.js";
import { text } from "./status.js";
import { startWholeTranslations } from "./whole_translations.js";

const NARROW = window.matchMedia("(max-width: 43.99rem)");

/** Start all tools; return the actions of keyboard shortcuts. */
export function startTools(boards) {
  startInstructions();
  startViews(boards);
  startMore();
  const skip = startSkipping();
  for (const close of document.querySelectorAll("#skip .close, #help .close")) {
    close.addEventListener("click", (event) => {
      event.preventDefault();
      close.closest("dialog").close();
    });
  }
  const help = document.getElementById("help");
  const helpButton = document.querySelector(".help-switch");
  helpButton.hidden = false;
  helpButton.addEventListener("click", () => help.showModal());
  return {
    differences: startDifferences(),
    help: () => help.showModal(),
    skip,
    whole: startWholeTranslations(),
  };
}

/** On a narrow screen the tools are a menu. */
export function startMore() {
  const button = document.querySelector(".more-switch");
  const tools = document.querySelector(".tools");
  const show = (isOpen) => {
    tools.classList.toggle("is-open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.hidden = false;
  tools.classList.add("is-menu");
  button.addEventListener("click", () => show(!tools.classList.contains("is-open")));
  document.addEventListener("click", ({ target }) => {
    if (target.closest(".more-switch") !== button) show(false);
  });
  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tools.classList.contains("is-open")) return;
    show(false);
    button.focus();
  });
}

/** The instructions stay open once the annotator has opened them, until closed or changed. */
function startInstructions() {
  const details = document.querySelector(".instructions");
  const name = `instructions-${details.dataset.version}`;
  details.open = preference(name) === "open";
  details.addEventListener("toggle", () => setPreference(name, details.open ? "open" : "closed"));
}

/** Show boards or lists: what was chosen before, else what suits the kind and the width. */
export function startViews(boards) {
  const button = document.querySelector(".view-switch");
  const show = (view) => {
    select([]);
    form.dataset.view = view;
    for (const board of boards) board.hidden = view === "list";
    for (const list of form.querySelectorAll(".list")) list.hidden = view !== "list";
    button.textContent = view === "list" ? text("asBoard") : text("asList");
  };
  button.addEventListener("click", () => {
    show(form.dataset.view === "list" ? "board" : "list");
    setPreference("view", form.dataset.view);
  });
  button.hidden = boards.length === 0;
  const chosen = preference("view") ?? (NARROW.matches ? button.dataset.onNarrow : "board");
  show(boards.length ? chosen : "list");
}

export function startDifferences() {
  const button = document.querySelector(".differences-switch");
  const show = (isOn) => {
    button.setAttribute("aria-pressed", String(isOn));
    for (const segment of form.querySelectorAll(".segment")) {
      for (const kind of [".candidate legend bdi", ".piece bdi"]) {
        const texts = [...segment.querySelectorAll(kind)];
        showDifferences(texts, isOn);
      }
    }
  };
  const toggle = () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    show(isOn);
    setPreference("differences", isOn ? "on" : "off");
  };
  button.addEventListener("click", toggle);
  button.hidden = false;
  if (preference("differences") === "on") show(true);
  return toggle;
}

/** Skip in a dialog, which says when the server cannot be reached; return what opens it.
 *
 * Undefined where the sentence cannot be skipped.
 */
function startSkipping() {
  const dialog = document.getElementById("skip");
  if (!dialog) return undefined;
  const skipForm = dialog.querySelector("form");
  document.querySelector(".skip-switch").addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  skipForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { reason, comment } = skipForm.elements;
    const { status, data } = await send("POST", form.dataset.skipUrl, { reason: reason.value, comment: comment.value });
    if (status === 204) leaveTo(`${form.dataset.continue}?skipped`);
    else dialog.querySelector(".problem-line").textContent = problem(status, data);
  });
  return () => dialog.showModal();
}

function problem(status, data) {
  if (status === 403) return data.signed_in ? data.detail : text("signedOut");
  if (!status || status >= 500) return text("notSkipped");
  return data.detail ?? text("notSkipped");
}
