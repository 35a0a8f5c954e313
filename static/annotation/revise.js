/*
 * The page for revising, and that for giving the answers of a practice sentence: the board, keys
 * and undo of the judging page. The form itself hands in; until then, what is placed and written
 * is kept in this browser.
 */
import { makeBoards } from "./board.js";
import { makeChoosable } from "./choosing.js";
import { makeDraggable } from "./dragging.js";
import { startHistory } from "./history.js";
import { forget, keep, recall } from "./kept.js";
import { goOn, startKeys } from "./keys.js";
import { choices, form, placeAll, unplaced } from "./places.js";
import { sayOn, showStatus, text } from "./status.js";
import { startDifferences, startViews } from "./tools.js";

const texts = [...form.querySelectorAll("textarea")];
let sent = false;

/** Go on after a reload; what was revised meanwhile is kept under another name and forgotten. */
function startKeeping() {
  const kept = recall();
  if (kept?.choices) placeAll(kept.choices, { undoing: true, calmly: true });
  for (const area of texts) area.value = kept?.words?.[area.name] ?? area.value;
  form.addEventListener("placed", () => keep({ choices: choices() }));
  form.addEventListener("input", ({ target }) => {
    if (texts.includes(target)) keep({ words: Object.fromEntries(texts.map((area) => [area.name, area.value])) });
  });
  document.querySelector(".leave").addEventListener("click", () => forget());
}

function startHandingIn() {
  // Hidden radio buttons cannot show the browser's own complaints; the page says what is left.
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    if (sent || unplaced().length) event.preventDefault();
    if (sent) return;
    if (unplaced().length) {
      form.dispatchEvent(new CustomEvent("missing"));
      return;
    }
    sent = true;
    sayOn(text("sending"));
  });
}

function startHelp() {
  const help = document.getElementById("help");
  const button = document.querySelector(".help-switch");
  const show = () => help.showModal();
  button.hidden = false;
  button.addEventListener("click", show);
  help.querySelector(".close").addEventListener("click", () => help.close());
  return show;
}

const boards = makeBoards();
for (const board of boards) {
  makeDraggable(board);
  makeChoosable(board, goOn);
}
startViews(boards);
startKeeping();
startHistory();
startKeys({ differences: startDifferences(), help: startHelp() });
startHandingIn();
showStatus();

// The browser's "back" brings the page as it was when it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
