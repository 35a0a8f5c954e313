/*
 * The pages for revising a judgement and for giving the gold answers of a practice sentence. They
 * have the board, keys and undo of the judging page. Changes are stored in the browser until the
 * form is submitted.
 */
import { startControls, startTools } from "./tools.js";
import {
  choices, form, on, openSheet, placeAll, removeDraft, showMessage, startHistory, startSegments,
  startStatus, storeDraft, storedDraft, text, unplaced,
} from "./sheet.js";

/**
 * Restore the draft after a reload or a look at other sentences; a revision made meanwhile has a
 * draft of its own.
 */
function startDraft() {
  const explanations = [...form.querySelectorAll(".why textarea")];
  const draft = storedDraft();
  if (draft?.choices) placeAll(draft.choices, { undoing: true, instantly: true });
  for (const area of explanations) area.value = draft?.words?.[area.name] ?? area.value;
  on(form, "placed", () => storeDraft({ choices: choices() }));
  on(form, "input", ({ target }) => {
    if (explanations.includes(target)) storeDraft({ words: Object.fromEntries(explanations.map((area) => [area.name, area.value])) });
  });
  document.querySelector(".leave").addEventListener("click", () => removeDraft());
}

function startSubmitting() {
  let submitted = false;
  on(form, "submit", (event) => {
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

startTools();
openSheet();
startDraft();
startStatus();
startHistory();
startSegments();
startControls();
startSubmitting();
