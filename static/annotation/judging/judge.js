/*
 * The judging page: turns the plain form into boards, saves every change, submits. Every placement
 * passes through placements.js, whose event "placed" connects the other modules.
 */
import { startActivity } from "./activity.js";
import { makeBoards } from "./board.js";
import { enableSelection } from "./selection.js";
import { enableDragging } from "./drag.js";
import { startSubmitting } from "./submission.js";
import { startHistory } from "./history.js";
import { storedDraft } from "./draft_storage.js";
import { focusNext, focusCard, startKeys } from "./keyboard.js";
import { form, unplaced } from "./placements.js";
import { startSaving } from "./draft_saving.js";
import { startScores } from "./scores.js";
import { startSegments } from "./segments.js";
import { showStatus } from "./status.js";
import { startTools } from "./toolbar.js";
import "./pending_submissions.js";

const BY_KEYS = "segranks-by-keys";

function showSession(minutes) {
  const part = document.getElementById("session");
  part.classList.toggle("is-short", minutes < 1);
  part.querySelector("strong").textContent = minutes;
}

/** Focus the first candidate if the last sentence was judged with the keyboard. */
function focusAfterKeyboard() {
  let byKeys = false;
  try {
    byKeys = sessionStorage.getItem(BY_KEYS) === "yes";
    document.addEventListener("keydown", () => sessionStorage.setItem(BY_KEYS, "yes"));
    document.addEventListener("pointerdown", () => sessionStorage.removeItem(BY_KEYS));
  } catch {
    // Without storage the first key press focuses the first candidate.
  }
  if (byKeys && document.activeElement === document.body && unplaced().length) focusCard(unplaced()[0]);
}

const boards = makeBoards();
for (const board of boards) {
  enableDragging(board);
  enableSelection(board, focusNext);
}
// The browser cannot report hidden radio buttons: the page says what is missing.
form.noValidate = true;
startActivity(Math.max(Number(form.dataset.active), storedDraft()?.active ?? 0), showSession);
startHistory();
startScores();
startSegments();
startKeys(startTools(boards));
startSaving();
startSubmitting();
showStatus();
focusAfterKeyboard();

// The back button shows the page as it was when it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
