/*
 * The judging page: makes a board of the plain form, saves every change, hands in. Each part is
 * in a module of its own; they meet in places.js, where every placement passes.
 */
import { startActivity } from "./activity.js";
import { makeBoards } from "./board.js";
import { makeChoosable } from "./choosing.js";
import { makeDraggable } from "./dragging.js";
import { startHandingIn } from "./handing_in.js";
import { startHistory } from "./history.js";
import { recall } from "./kept.js";
import { goOn, goTo, startKeys } from "./keys.js";
import { form, unplaced } from "./places.js";
import { startSaving } from "./saving.js";
import { showStatus } from "./status.js";
import { startTools } from "./tools.js";
import "./left_over.js";

const BY_KEYS = "segranks-by-keys";

function showSession(minutes) {
  const part = document.getElementById("session");
  part.hidden = minutes < 1;
  part.querySelector("strong").textContent = minutes;
}

/** Whoever judged the sentence before by keys goes on at once. */
function goOnByKeys() {
  let byKeys = false;
  try {
    byKeys = sessionStorage.getItem(BY_KEYS) === "yes";
    document.addEventListener("keydown", () => sessionStorage.setItem(BY_KEYS, "yes"));
    document.addEventListener("pointerdown", () => sessionStorage.removeItem(BY_KEYS));
  } catch {
    // Then the first key goes to the first candidate.
  }
  if (byKeys && document.activeElement === document.body && unplaced().length) goTo(unplaced()[0]);
}

const boards = makeBoards();
for (const board of boards) {
  makeDraggable(board);
  makeChoosable(board, goOn);
}
// Hidden radio buttons cannot show the browser's own complaints; the page says what is left.
form.noValidate = true;
startActivity(Math.max(Number(form.dataset.active), recall()?.active ?? 0), showSession);
startHistory();
startKeys(startTools(boards));
startSaving();
startHandingIn();
showStatus();
goOnByKeys();

// The browser's "back" brings the page as it was when it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
