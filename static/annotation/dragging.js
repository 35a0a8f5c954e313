/*
 * Dragging with the mouse or a finger. Sortable lifts the piece and lets it follow the pointer,
 * but it moves nothing on the board: all ranks stay where they are while something is dragged,
 * and the one under the pointer is lit.
 */
import Sortable from "../vendor/sortablejs-1.15.7/sortable.esm.js";
import { open } from "./board.js";
import { chosen, choose } from "./choosing.js";
import { place } from "./places.js";

let dragging = null;

/** Whether something is being dragged, or was until the click that ends it. */
export function isDragging() {
  return dragging !== null;
}

export function makeDraggable(board) {
  for (const slot of board.querySelectorAll(".slot")) {
    Sortable.create(slot, {
      group: { name: board.closest(".segment").id, put: false },
      sort: false,
      draggable: ".piece",
      ghostClass: "piece-lifted",
      fallbackClass: "piece-flying",
      // The same for mouse and touch; the browser's own dragging differs between them.
      forceFallback: true,
      fallbackOnBody: true,
      fallbackTolerance: 4,
      // A finger drags by the grip only, so that scrolling never turns into dragging.
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

/** Of several chosen ones all go where the one goes that is dragged. */
function start(board, piece) {
  const together = chosen().includes(piece) ? chosen() : [piece];
  choose([]);
  dragging = { board, together, x: -1, y: -1 };
  for (const other of together) other.classList.add("piece-lifted");
  board.classList.add("is-dragging");
  open(board, true, piece);
  document.addEventListener("pointermove", followPointer);
  document.addEventListener("scroll", lightZone, { passive: true });
}

function followPointer(event) {
  dragging.x = event.clientX;
  dragging.y = event.clientY;
  lightZone();
}

function lightZone() {
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
  document.removeEventListener("scroll", lightZone);
  const zone = zoneUnderPointer();
  for (const lit of board.querySelectorAll(".is-near")) lit.classList.remove("is-near");
  for (const other of dragging.together) other.classList.remove("piece-lifted");
  if (zone) {
    const cards = dragging.together.map((other) => other.dataset.card);
    place(Object.fromEntries(cards.map((card) => [card, zone.dataset.value])), { calmly: true });
  }
  open(board, false, piece);
  board.classList.remove("is-dragging");
  // The click that ends a drag is not a choice.
  setTimeout(() => { dragging = null; });
}
