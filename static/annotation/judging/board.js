/*
 * The boards: candidates are pieces in the tray, on ranks or in Garbage, which are dragged or selected
 * and move when they are placed. A script of the answers that have boards; the preview shows them.
 */
import {
  after, atEnd, eachSheet, form, insertion, on, onBoard, place, showBriefly, text, valueOf,
} from "./sheet.js";

const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

Object.assign(onBoard, { pieceOf, select, selectedPieces: () => selection, toggle });
eachSheet(startBoards);

/** Make a board for every segment. */
function startBoards() {
  selection = [];
  addsToSelection = ignoresClick = false;
  for (const segment of form.querySelectorAll(".segment")) {
    const board = addBoard(segment);
    for (const piece of board.querySelectorAll(".piece")) slotFor(board, valueOf(piece.dataset.card)).append(piece);
    refresh(board);
    enableDragging(board);
    enableSelection(board);
  }
  on(form, "placed", ({ detail }) => {
    for (const { card, to } of detail.step) move(pieceOf(card), to, detail);
  });
}

function pieceOf(card) {
  return form.querySelector(`.piece[data-card="${card}"]`);
}

function slotFor(board, value) {
  return board.querySelector(`.zone[data-value="${value}"] .slot`);
}

/** Let the ranks of a board be chosen, or not. */
function open(board, isOpen) {
  board.classList.toggle("is-open", isOpen);
  for (const put of board.querySelectorAll(".put, .insert")) put.disabled = !isOpen;
}

/** Change the page, scrolling so that the anchor stays where it is on the screen. */
function keepInPlace(anchor, change) {
  const before = anchor.getBoundingClientRect().top;
  change();
  const shift = anchor.getBoundingClientRect().top - before;
  if (shift) window.scrollBy({ top: shift, behavior: "instant" });
}

/** Move a piece; its new rank stays where it is on the screen. */
function move(piece, value, { instantly = false }) {
  // Comments are placed, too.
  if (!piece) return;
  const board = piece.closest(".board");
  const slot = slotFor(board, value);
  const from = piece.getBoundingClientRect();
  const visible = from.width > 0;
  const anchor = value ? slot.closest(".zone") : board.querySelector(".ladder");
  keepInPlace(anchor, () => {
    insert(slot, piece);
    refresh(board);
  });
  if (visible && !instantly && !reducedMotion.matches) animateMove(piece, from);
}

/** The tray keeps the original order of the candidates, a rank the order of placement. */
function insert(slot, piece) {
  const position = (other) => Number(other.dataset.card.split("-")[1]);
  const following = slot.closest(".tray") && [...slot.children].find((other) => position(other) > position(piece));
  slot.insertBefore(piece, following || null);
}

function animateMove(piece, from) {
  const to = piece.getBoundingClientRect();
  piece.animate(
    [{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }],
    { duration: 160, easing: "ease-out" },
  );
}

function refresh(board) {
  for (const zone of board.querySelectorAll(".zone")) {
    zone.classList.toggle("has-pieces", zone.querySelector(".piece") !== null);
  }
  // If one of two neighbouring ranks is empty, nothing needs to be inserted between them.
  for (const rank of board.querySelectorAll(".rank")) {
    const before = rank.previousElementSibling;
    const isTaken = rank.matches(".has-pieces") && (!before || before.matches(".has-pieces"));
    rank.classList.toggle("can-insert", isTaken);
  }
}

/* --- layout ------------------------------------------------------------------------------------- */

/** Add a board after the segment's list, with all candidates in the tray; return it. */
export function addBoard(segment) {
  const [board, piece, rank] = document.getElementById("board-parts").content.cloneNode(true).children;
  const candidates = [...segment.querySelectorAll(".candidate")];
  const label = board.querySelector(".tray .label");
  label.id = `${segment.id}-tray`;
  const tray = board.querySelector(".tray .slot");
  tray.setAttribute("aria-labelledby", label.id);
  tray.append(...candidates.map((candidate) => makePiece(piece, candidate)));
  const steps = [...candidates[0].querySelectorAll(".step")].map((step) => step.textContent);
  // Where the label has the key, the place would be a second number.
  const isNumbered = candidates[0].querySelector("[data-key]") !== null;
  const ranks = steps.length || candidates.length;
  for (let number = 1; number <= ranks; number += 1) {
    board.querySelector(".ladder").append(makeRank(rank, number, ranks, steps[number - 1]));
    if (isNumbered) board.querySelector(".ladder > :last-child .rank-number").remove();
  }
  if (steps.length) {
    board.querySelector(".garbage").remove();
    board.classList.add("on-scale");
  }
  board.style.setProperty("--ranks", ranks);
  segment.querySelector(".list").after(board);
  return board;
}

function makePiece(piece, candidate) {
  const made = piece.cloneNode(true);
  made.dataset.card = candidate.dataset.card;
  made.querySelector(".face").append(candidate.querySelector("legend bdi").cloneNode(true));
  if (!candidate.querySelector(".whole")) made.querySelector(".whole-switch").remove();
  return made;
}

/** Return a rank; `step` is the label of a step of a scale. */
function makeRank(rank, number, worst, step) {
  const made = rank.cloneNode(true);
  made.dataset.value = number;
  made.querySelector(".rank-number").textContent = number;
  made.querySelector(".insert-number").textContent = number;
  if (step) {
    made.querySelector(".insert").remove();
    made.querySelector(".best").textContent = step;
    made.querySelector(".best").classList.replace("cue", "step");
  } else if (number !== 1 || worst === 1) made.querySelector(".best").remove();
  if (step || number !== worst || worst === 1) made.querySelector(".worst").remove();
  return made;
}

/* --- selecting ----------------------------------------------------------------------------------
 * Candidates are selected by click, tap or key, and then their rank. Several candidates of a segment
 * are selected with Ctrl/⌘+click, Space, Shift+arrows or a long press.
 */

const LONG_PRESS = 450;
let selection = [];
// After a long press every tap adds to the selection.
let addsToSelection = false;
// The click that follows a long press is ignored.
let ignoresClick = false;

/** Select exactly these pieces, all of one board. */
function select(pieces) {
  const before = selection[0]?.closest(".board");
  const now = pieces[0]?.closest(".board");
  for (const piece of selection) markSelected(piece, false);
  selection = pieces;
  for (const piece of selection) markSelected(piece, true);
  if (!selection.length) addsToSelection = false;
  if (before && before !== now) showSelecting(before, false);
  if (now) showSelecting(now, true);
  document.dispatchEvent(new CustomEvent("selected"));
}

/** Add the piece to the selection, or remove it. */
function toggle(piece) {
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

/** Let clicks select and place. */
function enableSelection(board) {
  board.addEventListener("click", (event) => {
    // The click that ends a drag selects nothing.
    if (board.classList.contains("is-dragging") || event.target.closest(".whole-switch")) return;
    const piece = event.target.closest(".piece");
    const zone = event.target.closest(".zone");
    const isHere = selection[0]?.closest(".board") === board;
    if (piece) clickPiece(event, piece, zone, isHere);
    else if (zone && isHere) placeOnZone(event, zone);
    else if (zone && !zone.matches(".tray")) showBriefly(text("pick"));
  });
  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select([]);
  });
  watchLongPress(board);
}

function placeOnZone(event, zone) {
  const moved = placeSelection(zone, { inserts: event.target.closest(".insert") !== null });
  // A click made by a key has detail 0: the focus moves to the next candidate.
  if (event.detail === 0) form.dispatchEvent(new CustomEvent("placedbykey", { detail: moved }));
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
    timer = after(LONG_PRESS, () => {
      const piece = face.closest(".piece");
      if (!selection.includes(piece)) toggle(piece);
      addsToSelection = true;
      ignoresClick = true;
    });
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

/* --- dragging -----------------------------------------------------------------------------------
 * With the mouse or a finger. Sortable, the other script of these answers, lets the piece follow the
 * pointer but moves nothing on the board: the ranks stay where they are, and the one under the pointer
 * is highlighted, or the line between two of them.
 */

// Pixels at the edges of a rank that are its lines; at most a quarter of its height.
const LINE = 10;

let dragging = null;

function enableDragging(board) {
  for (const slot of board.querySelectorAll(".slot")) {
    const sortable = Sortable.create(slot, {
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
        startDrag(board, item);
        fitToText(Sortable.ghost, item, (originalEvent.touches?.[0] ?? originalEvent).clientX);
      },
      // The browser takes a touch for something else, as a call or a third finger: nothing moves.
      onEnd: ({ originalEvent }) => endDrag(board, { isCancelled: originalEvent?.type.endsWith("cancel") ?? false }),
    });
    // A submission that waited can be sent while a card is being dragged.
    atEnd(() => {
      if (dragging?.board === board) endDrag(board, { isCancelled: true });
      Sortable.ghost?.remove();
      sortable.destroy();
    });
  }
}

function isTouch(event) {
  return event.pointerType === "touch" || event.type === "touchstart";
}

/** Dragging one of several selected pieces moves all of them. */
function startDrag(board, piece) {
  const pieces = selection.includes(piece) ? selection : [piece];
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
  const { zone: near, line } = dropTarget();
  const rank = Number(near?.dataset.value);
  for (const zone of dragging.board.querySelectorAll(".zone")) {
    zone.classList.toggle("is-near", zone === near && !line);
    zone.classList.toggle("is-line-above", zone === near && line === rank);
    zone.classList.toggle("is-line-below", zone === near && line === rank + 1);
  }
}

/** Return the zone under the pointer, and the rank above which to insert; 0 to share the rank. */
function dropTarget() {
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

function endDrag(board, { isCancelled }) {
  document.removeEventListener("pointermove", followPointer);
  document.removeEventListener("scroll", highlightZone);
  const { zone, line } = dropTarget();
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
