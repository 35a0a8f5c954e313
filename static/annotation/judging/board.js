/*
 * The boards: candidates are pieces in the tray, on ranks or in Garbage, and move when they are
 * placed.
 */
import { addBoard } from "./board_layout.js";
import { form, valueOf } from "./placements.js";

const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Make a board for every segment. */
export function makeBoards() {
  // A kind with cards of its own has no boards.
  if (!document.getElementById("board-parts")) return [];
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

/** Let the ranks of a board be chosen, or not. */
export function open(board, isOpen) {
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

form.addEventListener("placed", ({ detail }) => {
  for (const { card, to } of detail.step) {
    const piece = pieceOf(card);
    if (piece) move(piece, to, detail);
  }
});

/** Move a piece; its new rank stays where it is on the screen. */
function move(piece, value, { instantly = false }) {
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
