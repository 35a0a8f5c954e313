/*
 * The pages for revising a judgement and for giving the gold answers of a practice sentence. They
 * have the board, keys and undo of the judging page. Changes are stored in the browser until the
 * form is submitted.
 */
import { makeBoards } from "./board.js";
import { enableSelection } from "./selection.js";
import { enableDragging } from "./drag.js";
import { startHistory } from "./history.js";
import { removeDraft, storeDraft, storedDraft } from "./draft_storage.js";
import { focusNext, startKeys } from "./keyboard.js";
import { choices, form, placeAll, unplaced } from "./placements.js";
import { startScores } from "./scores.js";
import { startSegments } from "./segments.js";
import { showMessage, showStatus, text } from "./status.js";
import { startDifferences, startMore, startViews } from "./toolbar.js";
import { startWholeTranslations } from "./whole_translations.js";

const texts = [...form.querySelectorAll(".why textarea")];
let submitted = false;

/**
 * Restore the draft after a reload or a look at other sentences; a revision made meanwhile has a
 * draft of its own.
 */
function startDraft() {
  const draft = storedDraft();
  if (draft?.choices) placeAll(draft.choices, { undoing: true, instantly: true });
  for (const area of texts) area.value = draft?.words?.[area.name] ?? area.value;
  form.addEventListener("placed", () => storeDraft({ choices: choices() }));
  form.addEventListener("input", ({ target }) => {
    if (texts.includes(target)) storeDraft({ words: Object.fromEntries(texts.map((area) => [area.name, area.value])) });
  });
  document.querySelector(".leave").addEventListener("click", () => removeDraft());
}

function startSubmitting() {
  // The browser cannot report hidden radio buttons: the page says what is missing.
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    if (submitted || unplaced().length) event.preventDefault();
    if (submitted) return;
    if (unplaced().length) {
      form.dispatchEvent(new CustomEvent("missing"));
      return;
    }
    submitted = true;
    showMessage(text("sending"));
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
  enableDragging(board);
  enableSelection(board, focusNext);
}
startViews(boards);
startDraft();
startHistory();
startScores();
startMore();
startSegments();
startKeys({ differences: startDifferences(), help: startHelp(), whole: startWholeTranslations() });
startSubmitting();
showStatus();

// The back button shows the page as it was when it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
