/*
 * The board that is made of the list of radio buttons: candidates stand in the tray, on ranks or
 * in the garbage, and move when something is placed.
 */
import { addBoard } from "./board_parts.js";
import { form, valueOf } from "./places.js";

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Make the board of every segment. */
export function makeBoards() {
  return [...form.querySelectorAll(".segment")].map((segment) => {
    const board = addBoard(segment);
    for (const piece of board.querySelectorAll(".piece")) slotFor(board, valueOf(piece.dataset.card)).append(piece);
    refresh(board);
    return board;
  });
}

export function pieceOf(card) {
  return form.querySelector(`.piece[data-card="${card}"]`);
}

export function zoneOf(board, value) {
  return board.querySelector(`.zone[data-value="${value}"]`);
}

function slotFor(board, value) {
  return zoneOf(board, value).querySelector(".slot");
}

/** Open the empty ranks of a board, which else take almost no room, or close them. */
export function open(board, isOpen, anchor) {
  if (board.classList.contains("is-open") === isOpen) return;
  steadily(anchor, () => {
    board.classList.toggle("is-open", isOpen);
    for (const put of board.querySelectorAll(".put")) put.disabled = !isOpen;
  });
}

/** Change the page while the anchor stays where it is on the screen. */
export function steadily(anchor, change) {
  const before = anchor.getBoundingClientRect().top;
  change();
  const shift = anchor.getBoundingClientRect().top - before;
  if (shift) window.scrollBy({ top: shift, behavior: "instant" });
}

form.addEventListener("placed", ({ detail }) => {
  for (const { card, to } of detail.step) move(pieceOf(card), to, detail);
});

/** Move a piece; the rank it goes to stays where it is on the screen. */
function move(piece, value, { calmly = false }) {
  const board = piece.closest(".board");
  const slot = slotFor(board, value);
  const from = piece.getBoundingClientRect();
  const visible = from.width > 0;
  const anchor = value ? slot.closest(".zone") : board.querySelector(".ladder");
  steadily(anchor, () => {
    insert(slot, piece);
    refresh(board);
  });
  if (visible && !calmly && !calm.matches) glide(piece, from);
}

/** In the tray all stand in the order they came in; on a rank, as they were placed. */
function insert(slot, piece) {
  const position = (other) => Number(other.dataset.card.split("-")[1]);
  const following = slot.closest(".tray") && [...slot.children].find((other) => position(other) > position(piece));
  slot.insertBefore(piece, following || null);
}

function glide(piece, from) {
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
}
