/*
 * Dragging with the mouse or a finger. Sortable lets the piece follow the pointer but moves nothing
 * on the board: the ranks stay where they are, and the one under the pointer is highlighted.
 */
import Sortable from "../../vendor/sortablejs-1.15.7/sortable.esm.js";
import { open } from "./board.js";
import { selectedPieces, select } from "./selection.js";
import { place } from "./placements.js";

let dragging = null;

export function enableDragging(board) {
  for (const slot of board.querySelectorAll(".slot")) {
    Sortable.create(slot, {
      group: { name: board.closest(".segment").id, put: false },
      sort: false,
      draggable: ".piece",
      ghostClass: "piece-lifted",
      fallbackClass: "piece-flying",
      // Native dragging differs between mouse and touch.
      forceFallback: true,
      fallbackOnBody: true,
      fallbackTolerance: 4,
      // A finger drags by the grip only, so that scrolling never becomes dragging.
      filter: (event) => isTouch(event) && !event.target.closest(".grip"),
      preventOnFilter: false,
      onStart: (event) => start(board, event.item),
      onEnd: (event) => end(board, event.item),
    });
  }
}

function isTouch(event) {
  return event.pointerType === "touch" || event.type === "touchstart";
}

/** Dragging one of several selected pieces moves all of them. */
function start(board, piece) {
  const pieces = selectedPieces().includes(piece) ? selectedPieces() : [piece];
  select([]);
  dragging = { board, pieces, x: -1, y: -1 };
  for (const other of pieces) other.classList.add("piece-lifted");
  board.classList.add("is-dragging");
  open(board, true, piece);
  document.addEventListener("pointermove", followPointer);
  document.addEventListener("scroll", highlightZone, { passive: true });
}

function followPointer(event) {
  dragging.x = event.clientX;
  dragging.y = event.clientY;
  highlightZone();
}

function highlightZone() {
  const near = zoneUnderPointer();
  for (const zone of dragging.board.querySelectorAll(".zone")) {
    zone.classList.toggle("is-near", zone === near);
  }
}

function zoneUnderPointer() {
  const { board, x, y } = dragging;
  const zone = document.elementFromPoint(x, y)?.closest(".zone");
  return zone && board.contains(zone) ? zone : null;
}

function end(board, piece) {
  document.removeEventListener("pointermove", followPointer);
  document.removeEventListener("scroll", highlightZone);
  const zone = zoneUnderPointer();
  for (const near of board.querySelectorAll(".is-near")) near.classList.remove("is-near");
  for (const other of dragging.pieces) other.classList.remove("piece-lifted");
  if (zone) {
    const cards = dragging.pieces.map((other) => other.dataset.card);
    place(Object.fromEntries(cards.map((card) => [card, zone.dataset.value])), { instantly: true });
  }
  open(board, false, piece);
  dragging = null;
  // After the click that ends a drag, which selects nothing.
  setTimeout(() => board.classList.remove("is-dragging"));
}
