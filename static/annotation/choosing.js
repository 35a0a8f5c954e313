/*
 * Choosing candidates by click, tap or key and then their place. Several of one segment can be
 * chosen: with Ctrl or ⌘ and a click, with Space, with Shift and arrows, or with a long press.
 */
import { open } from "./board.js";
import { isDragging } from "./dragging.js";
import { place } from "./places.js";
import { say, text } from "./status.js";

const LONG_PRESS = 450;
let picked = [];
// After a long press every tap adds to what is chosen.
let several = false;
// The finger that chose by a long press is still there, or its click is yet to come.
let held = false;

/** Return the chosen pieces. */
export function chosen() {
  return picked;
}

/** Choose these pieces of one board and no others. */
export function choose(pieces) {
  const before = picked[0]?.closest(".board");
  const after = pieces[0]?.closest(".board");
  for (const piece of picked) press(piece, false);
  picked = pieces;
  for (const piece of picked) press(piece, true);
  if (!picked.length) several = false;
  if (before && before !== after) choosing(before, false, pieces[0] ?? before);
  if (after) choosing(after, true, pieces.at(-1));
}

/** Choose one more, or one less. */
export function toggle(piece) {
  const same = picked.filter((other) => other.closest(".board") === piece.closest(".board"));
  choose(same.includes(piece) ? same.filter((other) => other !== piece) : [...same, piece]);
}

function press(piece, isChosen) {
  piece.querySelector(".face").setAttribute("aria-pressed", String(isChosen));
}

function choosing(board, isOn, anchor) {
  board.classList.toggle("is-choosing", isOn);
  open(board, isOn, anchor);
}

/** Put what is chosen on a rank, into the garbage or back; the place stays under the pointer. */
function placeChosen(zone) {
  const moved = picked.map((piece) => piece.dataset.card);
  const board = zone.closest(".board");
  place(Object.fromEntries(moved.map((card) => [card, zone.dataset.value])));
  for (const piece of picked) press(piece, false);
  picked = [];
  several = false;
  choosing(board, false, zone);
  return moved;
}

/** Let clicks on the board choose and place; `onPlacedByKey` hears of what a key has placed. */
export function makeChoosable(board, onPlacedByKey) {
  board.addEventListener("click", (event) => {
    if (isDragging()) return;
    const piece = event.target.closest(".piece");
    const zone = event.target.closest(".zone");
    const isHere = picked[0]?.closest(".board") === board;
    if (piece) clickPiece(event, piece, zone, isHere);
    else if (zone && isHere) placeOnZone(event, zone, onPlacedByKey);
    else if (zone && !zone.matches(".tray")) say(text("pick"));
  });
  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose([]);
  });
  watchLongPress(board);
}

function placeOnZone(event, zone, onPlacedByKey) {
  const moved = placeChosen(zone);
  // A click made by a key has no count: whoever uses keys goes on with the next candidate.
  if (event.detail === 0) onPlacedByKey(moved);
}

function clickPiece(event, piece, zone, isHere) {
  if (held) {
    held = false;
    return;
  }
  // A click on a placed candidate while another is chosen: they share its rank.
  const joins = isHere && !picked.includes(piece) && !piece.closest(".tray");
  if (several || event.ctrlKey || event.metaKey) toggle(piece);
  else if (joins) placeChosen(zone);
  else choose(picked.length === 1 && picked[0] === piece ? [] : [piece]);
}

function watchLongPress(board) {
  let timer = 0;
  board.addEventListener("pointerdown", (event) => {
    const face = event.target.closest(".face");
    clearTimeout(timer);
    held = false;
    if (event.pointerType !== "touch" || !face) return;
    timer = setTimeout(() => {
      const piece = face.closest(".piece");
      if (!picked.includes(piece)) toggle(piece);
      several = true;
      held = true;
    }, LONG_PRESS);
  });
  // Browsers show a menu instead of clicking, at about the same time.
  board.addEventListener("contextmenu", (event) => {
    if (event.pointerType === "touch" && event.target.closest(".face")) event.preventDefault();
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    board.addEventListener(end, (event) => {
      if (end !== "pointermove" || Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(timer);
    });
  }
}
