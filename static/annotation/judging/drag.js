/*
 * Dragging with the mouse or a finger. Sortable lets the piece follow the pointer but moves nothing
 * on the board: the ranks stay where they are, and the one under the pointer is highlighted, or the
 * line between two of them.
 */
import Sortable from "../../vendor/sortablejs-1.15.7/sortable.esm.js";
import { open } from "./board.js";
import { selectedPieces, select } from "./selection.js";
import { insertion, place } from "./placements.js";

// Pixels at the edges of a rank that are its lines; at most a quarter of its height.
const LINE = 10;

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
      onStart: ({ item, originalEvent }) => {
        start(board, item);
        fitToText(Sortable.ghost, item, (originalEvent.touches?.[0] ?? originalEvent).clientX);
      },
      // The browser takes a touch for something else, as a call or a third finger: nothing moves.
      onEnd: ({ originalEvent }) => end(board, { isCancelled: originalEvent?.type.endsWith("cancel") ?? false }),
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
  open(board, true);
  document.addEventListener("pointermove", followPointer);
  document.addEventListener("scroll", highlightZone, { passive: true });
}

/** Make the card that follows the pointer as wide as its text; the pointer stays over it. */
function fitToText(flying, piece, x) {
  const { left, width } = piece.getBoundingClientRect();
  Object.assign(flying.style, { width: "max-content", height: "auto", maxWidth: `${width}px` });
  const narrower = width - flying.getBoundingClientRect().width;
  flying.style.marginLeft = `${narrower * (x - left) / width}px`;
}

function followPointer(event) {
  dragging.x = event.clientX;
  dragging.y = event.clientY;
  highlightZone();
}

function highlightZone() {
  const { zone: near, line } = target();
  const rank = Number(near?.dataset.value);
  for (const zone of dragging.board.querySelectorAll(".zone")) {
    zone.classList.toggle("is-near", zone === near && !line);
    zone.classList.toggle("is-line-above", zone === near && line === rank);
    zone.classList.toggle("is-line-below", zone === near && line === rank + 1);
  }
}

/** Return the zone under the pointer, and the rank above which to insert; 0 to share the rank. */
function target() {
  const { board, pieces, x, y } = dragging;
  const zone = document.elementFromPoint(x, y)?.closest(".zone");
  if (!zone || !board.contains(zone)) return { zone: null, line: 0 };
  const others = [...zone.querySelectorAll(".piece")].filter((piece) => !pieces.includes(piece));
  if (!zone.querySelector(".insert") || !others.length) return { zone, line: 0 };
  const { top, bottom, height } = zone.getBoundingClientRect();
  const edge = Math.min(LINE, height / 4);
  const rank = Number(zone.dataset.value);
  if (y - top < edge) return { zone, line: rank };
  return { zone, line: bottom - y < edge ? rank + 1 : 0 };
}

function end(board, { isCancelled }) {
  document.removeEventListener("pointermove", followPointer);
  document.removeEventListener("scroll", highlightZone);
  const { zone, line } = target();
  for (const near of board.querySelectorAll(".zone")) near.classList.remove("is-near", "is-line-above", "is-line-below");
  for (const other of dragging.pieces) other.classList.remove("piece-lifted");
  if (zone && !isCancelled) {
    const cards = dragging.pieces.map((other) => other.dataset.card);
    const there = Object.fromEntries(cards.map((card) => [card, zone.dataset.value]));
    place(line ? insertion(cards, line) : there, { instantly: true });
  }
  open(board, false);
  dragging = null;
  // After the click that ends a drag, which selects nothing.
  setTimeout(() => board.classList.remove("is-dragging"));
}
