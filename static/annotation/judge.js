/*
 * Makes a board of the judging form: candidates are dragged onto ranks, or chosen and then placed
 * by a click or a key. The radio buttons of the form stay what is submitted: every way of placing
 * goes through place(), which checks the button and moves the piece.
 */
import Sortable from "../vendor/sortablejs-1.15.7/sortable.esm.js";
import { keep, recall } from "./kept.js";

const VIEW_KEY = "segranks-judging-view";
const form = document.getElementById("judgement");
const status = document.getElementById("status");
const submitButton = form.querySelector("button[type=submit]");
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

let chosen = null;
let dragging = null;
// What came back from the server with a complaint is newer than what was kept.
if (!form.querySelector(":checked")) check(recall());
const boards = [...form.querySelectorAll(".segment")].map(makeBoard);

/** Check the buttons of these choices, card → value; those that are not there are passed over. */
function check(choices) {
  for (const [card, value] of Object.entries(choices)) {
    const group = form.elements.namedItem(`card-${card}`);
    if (group) group.value = value;
  }
}

/** Return what is placed: card → value. */
function choices() {
  const placed = [...new FormData(form)].filter(([name]) => name.startsWith("card-"));
  return Object.fromEntries(placed.map(([name, value]) => [name.slice("card-".length), value]));
}

function makeBoard(segment) {
  segment.append(segment.querySelector(".board-template").content.cloneNode(true));
  const board = segment.querySelector(".board");
  for (const slot of board.querySelectorAll(".slot")) makeSortable(slot);
  board.addEventListener("click", (event) => onClick(event, board));
  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose(null);
  });
  for (const piece of board.querySelectorAll(".piece")) {
    const checked = radios(piece).find((radio) => radio.checked);
    if (checked) zoneOf(board, checked.value).querySelector(".slot").append(piece);
  }
  return { segment, board, list: segment.querySelector(".list") };
}

/* --- the one way to place a candidate ------------------------------------------------------ */

/** Put the piece on a rank, into "garbage", or back among the unplaced (""). */
function place(piece, value, { animate = !calm.matches } = {}) {
  for (const radio of radios(piece)) radio.checked = radio.value === value;
  const board = piece.closest(".board");
  const slot = zoneOf(board, value).querySelector(".slot");
  if (piece.parentElement !== slot) moveCalmly(board, piece, slot, animate);
  forget(piece);
  keep(choices());
  refresh();
}

function radios(piece) {
  return [...form.querySelectorAll(`input[name="card-${piece.dataset.card}"]`)];
}

function zoneOf(board, value) {
  return board.querySelector(`.zone[data-value="${value}"]`);
}

/** Move the piece while everything below the tray stays where it is on the screen. */
function moveCalmly(board, piece, slot, animate) {
  const ladder = board.querySelector(".ladder");
  const from = piece.getBoundingClientRect();
  const before = ladder.getBoundingClientRect().top;
  slot.append(piece);
  keepInPlace(ladder, before);
  if (!animate || !from.width) return;
  const to = piece.getBoundingClientRect();
  piece.animate(
    [{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }],
    { duration: 160, easing: "ease-out" },
  );
}

function keepInPlace(element, before) {
  const shift = element.getBoundingClientRect().top - before;
  if (shift) window.scrollBy({ top: shift, behavior: "instant" });
}

/** The server complained that this candidate had no place: now it has one. */
function forget(piece) {
  const fieldset = form.querySelector(`.candidate[data-card="${piece.dataset.card}"]`);
  fieldset.classList.remove("candidate-missing");
  fieldset.querySelector(".missing")?.remove();
}

/* --- dragging ------------------------------------------------------------------------------ */

/*
 * Sortable lifts the piece and lets it follow the pointer, but it moves nothing on the board:
 * while something is dragged all ranks stay where they are, and the one under the pointer is lit.
 */
function makeSortable(slot) {
  const board = slot.closest(".board");
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
    onStart: () => startDragging(board),
    onEnd: (event) => endDragging(board, event.item),
  });
}

function isTouch(event) {
  return event.pointerType === "touch" || event.type === "touchstart";
}

function startDragging(board) {
  choose(null);
  dragging = { board, x: -1, y: -1 };
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

function endDragging(board, piece) {
  document.removeEventListener("pointermove", followPointer);
  document.removeEventListener("scroll", lightZone);
  const zone = zoneUnderPointer();
  for (const lit of board.querySelectorAll(".is-near")) lit.classList.remove("is-near");
  if (zone) place(piece, zone.dataset.value, { animate: false });
  // The click that ends a drag is not a choice.
  setTimeout(() => { dragging = null; });
}

/* --- choosing and placing by click, tap or key ------------------------------------------------ */

function onClick(event, board) {
  if (dragging) return;
  const piece = event.target.closest(".piece");
  const zone = event.target.closest(".zone");
  if (piece) {
    // A click on a placed candidate while another is chosen: they share its rank.
    const joins = chosen && chosen !== piece && chosen.closest(".board") === board && !piece.closest(".tray");
    if (joins) placeChosen(zone, event);
    else choose(chosen === piece ? null : piece);
  } else if (zone) {
    if (chosen?.closest(".board") === board) placeChosen(zone, event);
    else if (!zone.matches(".tray")) say(form.dataset.pick);
  }
}

function choose(piece) {
  chosen?.querySelector(".face").setAttribute("aria-pressed", "false");
  chosen?.closest(".board").classList.remove("is-choosing");
  chosen = piece;
  chosen?.querySelector(".face").setAttribute("aria-pressed", "true");
  chosen?.closest(".board").classList.add("is-choosing");
}

function placeChosen(zone, event) {
  const piece = chosen;
  choose(null);
  place(piece, zone.dataset.value);
  // A click made by a key has no count: whoever uses keys goes on with the next candidate.
  if (event.detail === 0) focusNext(piece.closest(".board"));
}

function focusNext(board) {
  const next = board.querySelector(".tray .face") ?? form.querySelector(".tray .face");
  (next ?? submitButton).focus();
}

/* --- what is left, and submitting ----------------------------------------------------------- */

function refresh() {
  for (const zone of form.querySelectorAll(".zone")) {
    zone.classList.toggle("has-pieces", zone.querySelector(".piece") !== null);
  }
  const unplaced = form.querySelectorAll(".tray .piece");
  submitButton.disabled = unplaced.length > 0;
  status.replaceChildren(...(unplaced.length ? leftMessage(unplaced) : [form.dataset.done]));
}

function leftMessage(unplaced) {
  const link = document.createElement("a");
  link.href = `#${unplaced[0].closest(".segment").id}`;
  link.textContent = `${form.dataset.left} ${unplaced.length}`;
  return [link];
}

function say(text) {
  status.textContent = text;
}

form.addEventListener("change", (event) => {
  const piece = form.querySelector(`.piece[data-card="${event.target.name?.slice("card-".length)}"]`);
  if (piece) place(piece, event.target.value);
});

form.addEventListener("submit", (event) => {
  if (form.dataset.sent || form.querySelector(".tray .piece")) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  submitButton.disabled = true;
  say(form.dataset.sending);
});

// The browser's "back" brings the page as it was when it was left.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  delete form.dataset.sent;
  refresh();
});

/* --- board or list ---------------------------------------------------------------------------- */

const viewSwitch = document.querySelector(".view-switch");

function show(view) {
  choose(null);
  for (const { board, list } of boards) {
    board.hidden = view === "list";
    list.hidden = view !== "list";
  }
  viewSwitch.textContent = view === "list" ? viewSwitch.dataset.board : viewSwitch.dataset.list;
  viewSwitch.dataset.view = view;
}

viewSwitch.addEventListener("click", () => {
  const view = viewSwitch.dataset.view === "list" ? "board" : "list";
  show(view);
  try {
    localStorage.setItem(VIEW_KEY, view);
  } catch {
    // Without storage the choice holds for this page only.
  }
});

function rememberedView() {
  try {
    return localStorage.getItem(VIEW_KEY) === "list" ? "list" : "board";
  } catch {
    return "board";
  }
}

// Hidden radio buttons cannot show the browser's own complaints; the button says what is left.
form.noValidate = true;
viewSwitch.hidden = false;
show(rememberedView());
keep(choices());
refresh();
