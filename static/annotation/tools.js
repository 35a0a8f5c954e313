/* What stands above the form: instructions, board or list, differences, help, skipping. */
import { choose } from "./choosing.js";
import { showDifferences } from "./differences.js";
import { leave } from "./handing_in.js";
import { form } from "./places.js";
import { remember, remembered } from "./remembered.js";
import { send } from "./server.js";
import { text } from "./status.js";

/** Start all of them; return what keys call. */
export function startTools(boards) {
  startInstructions();
  startViews(boards);
  startSkipping();
  const help = document.getElementById("help");
  const helpButton = document.querySelector(".help-switch");
  helpButton.hidden = false;
  helpButton.addEventListener("click", () => help.showModal());
  return { differences: startDifferences(), help: () => help.showModal() };
}

/** They are open until somebody closes them; a new version of them is open again. */
function startInstructions() {
  const details = document.querySelector(".instructions");
  const name = `instructions-${details.dataset.version}`;
  const kept = remembered(name);
  if (kept) details.open = kept === "open";
  details.addEventListener("toggle", () => remember(name, details.open ? "open" : "closed"));
}

export function startViews(boards) {
  const button = document.querySelector(".view-switch");
  const show = (view) => {
    choose([]);
    form.dataset.view = view;
    for (const board of boards) board.hidden = view === "list";
    for (const list of form.querySelectorAll(".list")) list.hidden = view !== "list";
    button.textContent = view === "list" ? text("asBoard") : text("asList");
  };
  button.addEventListener("click", () => {
    show(form.dataset.view === "list" ? "board" : "list");
    remember("view", form.dataset.view);
  });
  button.hidden = false;
  show(remembered("view") === "list" ? "list" : "board");
}

export function startDifferences() {
  const button = document.querySelector(".differences-switch");
  const show = (isOn) => {
    button.setAttribute("aria-pressed", String(isOn));
    for (const segment of form.querySelectorAll(".segment")) {
      for (const kind of [".candidate legend bdi", ".piece bdi"]) {
        const texts = [...segment.querySelectorAll(kind)];
        // As the page came, whatever ranks they are on.
        showDifferences(texts, isOn);
      }
    }
  };
  const turn = () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    show(isOn);
    remember("differences", isOn ? "on" : "off");
  };
  button.addEventListener("click", turn);
  button.hidden = false;
  if (remembered("differences") === "on") show(true);
  return turn;
}

/** The page for skipping as a dialog, which says it when there is no network. */
function startSkipping() {
  const dialog = document.getElementById("skip");
  const skipForm = dialog.querySelector("form");
  document.querySelector(".skip-switch").addEventListener("click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  for (const close of document.querySelectorAll("dialog .close")) {
    close.addEventListener("click", (event) => {
      event.preventDefault();
      close.closest("dialog").close();
    });
  }
  skipForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { reason, comment } = skipForm.elements;
    const { status, data } = await send("POST", form.dataset.skipUrl, { reason: reason.value, comment: comment.value });
    if (status === 204) leave(form.dataset.goOn);
    else dialog.querySelector(".problem-line").textContent = problem(status, data);
  });
}

function problem(status, data) {
  if (status === 403) return text("signedOut");
  if (!status || status >= 500) return text("notSkipped");
  return data.detail ?? text("notSkipped");
}
