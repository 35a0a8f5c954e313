/*
 * Selecting candidates by click, tap or key, and then their rank. Several candidates of a segment
 * are selected with Ctrl/⌘+click, Space, Shift+arrows or a long press.
 */
import { open } from "./board.js";
import { insertion, place } from "./placements.js";
import { showBriefly, text } from "./status.js";

const LONG_PRESS = 450;
let selection = [];
// After a long press every tap adds to the selection.
let addsToSelection = false;
// The click that follows a long press is ignored.
let ignoresClick = false;

/** Return the selected pieces. */
export function selectedPieces() {
  return selection;
}

/** Select exactly these pieces, all of one board. */
export function select(pieces) {
  const before = selection[0]?.closest(".board");
  const after = pieces[0]?.closest(".board");
  for (const piece of selection) markSelected(piece, false);
  selection = pieces;
  for (const piece of selection) markSelected(piece, true);
  if (!selection.length) addsToSelection = false;
  if (before && before !== after) showSelecting(before, false);
  if (after) showSelecting(after, true);
  document.dispatchEvent(new CustomEvent("selected"));
}

/** Add the piece to the selection, or remove it. */
export function toggle(piece) {
  const same = selection.filter((other) => other.closest(".board") === piece.closest(".board"));
  select(same.includes(piece) ? same.filter((other) => other !== piece) : [...same, piece]);
}

function markSelected(piece, isSelected) {
  piece.querySelector(".face").setAttribute("aria-pressed", String(isSelected));
}

function showSelecting(board, isOn) {
  board.classList.toggle("is-choosing", isOn);
  open(board, isOn);
}

/** Move the selection to a rank, Garbage or the tray, or insert it above the rank. */
function placeSelection(zone, { inserts = false } = {}) {
  const moved = selection.map((piece) => piece.dataset.card);
  const board = zone.closest(".board");
  const there = Object.fromEntries(moved.map((card) => [card, zone.dataset.value]));
  place(inserts ? insertion(moved, Number(zone.dataset.value)) : there);
  for (const piece of selection) markSelected(piece, false);
  selection = [];
  addsToSelection = false;
  showSelecting(board, false);
  return moved;
}

/** Let clicks select and place; `onPlacedByKey` is called with cards that a key has placed. */
export function enableSelection(board, onPlacedByKey) {
  board.addEventListener("click", (event) => {
    // The click that ends a drag selects nothing.
    if (board.classList.contains("is-dragging") || event.target.closest(".whole-switch")) return;
    const piece = event.target.closest(".piece");
    const zone = event.target.closest(".zone");
    const isHere = selection[0]?.closest(".board") === board;
    if (piece) clickPiece(event, piece, zone, isHere);
    else if (zone && isHere) placeOnZone(event, zone, onPlacedByKey);
    else if (zone && !zone.matches(".tray")) showBriefly(text("pick"));
  });
  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select([]);
  });
  watchLongPress(board);
}

function placeOnZone(event, zone, onPlacedByKey) {
  const moved = placeSelection(zone, { inserts: event.target.closest(".insert") !== null });
  // A click made by a key has detail 0: the focus moves to the next candidate.
  if (event.detail === 0) onPlacedByKey(moved);
}

function clickPiece(event, piece, zone, isHere) {
  if (ignoresClick) {
    ignoresClick = false;
    return;
  }
  // A click on a placed candidate while another is selected: they share its rank.
  const joins = isHere && !selection.includes(piece) && !piece.closest(".tray");
  if (addsToSelection || event.ctrlKey || event.metaKey) toggle(piece);
  else if (joins) placeSelection(zone);
  else select(selection.length === 1 && selection[0] === piece ? [] : [piece]);
}

function watchLongPress(board) {
  let timer = 0;
  board.addEventListener("pointerdown", (event) => {
    const face = event.target.closest(".face");
    clearTimeout(timer);
    ignoresClick = false;
    if (event.pointerType !== "touch" || !face) return;
    timer = setTimeout(() => {
      const piece = face.closest(".piece");
      if (!selection.includes(piece)) toggle(piece);
      addsToSelection = true;
      ignoresClick = true;
    }, LONG_PRESS);
  });
  // A long press would open the browser's menu.
  board.addEventListener("contextmenu", (event) => {
    if (event.pointerType === "touch" && event.target.closest(".face")) event.preventDefault();
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    board.addEventListener(end, (event) => {
      if (end !== "pointermove" || Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(timer);
    });
  }
}
