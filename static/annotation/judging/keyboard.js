/*
 * Keyboard shortcuts. A key places the focused candidate, or the first one that is not placed, and
 * moves the focus to the next one that is not placed.
 */
import { pieceOf } from "./board.js";
import { select, selectedPieces, toggle } from "./selection.js";
import { redo, undo } from "./history.js";
import { digitOf, hasAlt, isQuestionMark, letterOf } from "./keys.js";
import { cards, form, GARBAGE, insertion, isNumbered, isOnScale, keysOf, place, ranksOf, scoreField, segmentOf, texts, unplaced, valueOf } from "./placements.js";
import { setPreference, preference } from "./preferences.js";
import { currentSegment, showSegment } from "./segments.js";
import { showBriefly, showMessage, showStatus, text } from "./status.js";

const TYPING = "input:not([type=radio], [type=range]), textarea, select, [contenteditable]";
// Milliseconds within which two digits are one number.
const SECOND_DIGIT_WITHIN = 700;

let digits = { typed: "", timer: 0 };
// After I, a number says above which rank to insert.
let inserting = false;
let actions = {};

/** Listen to keys; `pageActions` are those of letters: { differences, help, skip, whole }. */
export function startKeys(pageActions) {
  actions = pageActions;
  startSingleKeysSwitch(document.getElementById("help"));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.target.closest(TYPING)) return;
    if (onKey(event)) event.preventDefault();
  });
  // Browsers click a button when Space is released.
  form.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.closest(".face")) event.preventDefault();
  });
  for (const kind of ["missing", "search"]) form.addEventListener(kind, () => focusCard(unplaced()[0]));
  for (const kind of ["focusin", "focusout", "selected"]) document.addEventListener(kind, () => queueMicrotask(markNext));
  form.addEventListener("placed", () => queueMicrotask(markNext));
  markNext();
}

/** Mark the card that a key would place where nothing else shows it. */
function markNext() {
  const card = focused() || selectedPieces().length ? null : cardsToPlace()[0];
  for (const part of form.querySelectorAll(".is-next")) part.classList.remove("is-next");
  if (card) for (const part of form.querySelectorAll(`[data-card="${card}"]`)) part.classList.add("is-next");
}

function onKey(event) {
  if (hasAlt(event)) return false;
  if (event.ctrlKey || event.metaKey) return onUndoKeys(event);
  if (isCharacter(event) && !singleKeys()) return false;
  const digit = digitOf(event);
  if (digit !== null) return typeDigit(digit);
  finishDigits();
  stopInserting();
  if (event.shiftKey && event.key === "Enter") return submit(event);
  const action = byName(event)[nameOf(event)];
  return action ? action() !== false : false;
}

function isCharacter({ key }) {
  return key.length === 1 && key !== " ";
}

/** People who use voice input turn single-key shortcuts off (WCAG 2.1.4). */
function singleKeys() {
  return preference("single-keys") !== "off";
}

/** The checkbox in the list of shortcuts is stored in this browser. */
function startSingleKeysSwitch(help) {
  const box = help.querySelector(".single-keys");
  box.checked = singleKeys();
  box.addEventListener("change", () => setPreference("single-keys", box.checked ? "on" : "off"));
}

function nameOf(event) {
  if (event.key.length > 1 || event.key === " ") return event.key;
  return isQuestionMark(event) ? "?" : letterOf(event);
}

function byName({ shiftKey }) {
  const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const step = (by) => () => (isInList() ? false : move(by, shiftKey));
  return {
    ArrowDown: step(1),
    ArrowUp: step(-1),
    [forward]: step(1),
    [back]: step(-1),
    j: () => move(1, shiftKey),
    k: () => move(-1, shiftKey),
    g: () => (cardsToPlace().some(isOnScale) ? false : placeAtFocus(GARBAGE)),
    i: () => startInserting(),
    Backspace: () => putBack(),
    Delete: () => putBack(),
    c: () => comment(),
    s: () => actions.skip?.() ?? false,
    w: () => actions.whole?.(cardsToPlace()[0]) ?? false,
    u: () => (shiftKey ? showRedone() : focusMoved(undo())),
    y: () => showRedone(),
    d: () => actions.differences(),
    "?": () => actions.help(),
    " ": () => toggleFocused(),
    Escape: () => select([]),
  };
}

function onUndoKeys(event) {
  const key = letterOf(event);
  if (key !== "z" && key !== "y") return false;
  if (key === "y" || event.shiftKey) showRedone();
  else focusMoved(undo());
  return true;
}

function submit(event) {
  if (!event.repeat) form.requestSubmit();
  return true;
}

/* --- where the focus is ------------------------------------------------------------------------ */

function isInList() {
  return form.dataset.view === "list";
}

function focused() {
  return document.activeElement.closest?.(".piece, .candidate")?.dataset.card;
}

/** Focus a card in the current view and scroll it into view. */
export function focusCard(card) {
  if (!card) return;
  showSegment(segmentOf(card));
  const candidate = form.querySelector(`.candidate[data-card="${card}"]`);
  const part = isInList()
    // Never a text, into which the next digit would be typed.
    ? candidate.querySelector("input:checked, input[type=range]") ?? candidate.querySelector("input:not([type=hidden])")
    : pieceOf(card).querySelector(".face");
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "nearest" });
}

/** Return the cards in their order on the screen. */
function inOrder() {
  return isInList() ? cards : [...form.querySelectorAll(".piece")].map((piece) => piece.dataset.card);
}

function move(by, isShift) {
  const order = inOrder();
  const from = focused();
  const to = from ? order[order.indexOf(from) + by] : firstUnplaced() ?? order[0];
  if (!to) return;
  if (isShift && from && !isInList()) extend(from, to);
  focusCard(to);
}

function extend(...ends) {
  for (const card of ends) {
    if (!selectedPieces().includes(pieceOf(card))) toggle(pieceOf(card));
  }
}

function toggleFocused() {
  const face = document.activeElement.closest(".face");
  if (!face) return false;
  toggle(face.closest(".piece"));
  return true;
}

function focusMoved(moved) {
  select([]);
  const [key] = moved;
  // The focus stays in a text that has changed.
  if (texts.includes(key)) form.elements[key].closest(".candidate, .comment").scrollIntoView({ block: "nearest" });
  else if (key) focusCard(key);
}

/** Redo; when that places the last card, Enter submits, as after placing it. */
function showRedone() {
  const wasLeft = unplaced().length > 0;
  focusMoved(redo());
  if (wasLeft && !unplaced().length) focusSubmit();
}

function focusSubmit() {
  form.querySelector("button[type=submit]").focus();
}

/* --- placing ------------------------------------------------------------------------------------- */

/** Return the cards that a key places. */
function cardsToPlace() {
  if (selectedPieces().length) return selectedPieces().map((piece) => piece.dataset.card);
  const card = focused() ?? firstUnplaced();
  return card ? [card] : [];
}

/** Return the first card that is not placed, of the current segment if it has one. */
function firstUnplaced() {
  const left = unplaced();
  return left.find((card) => segmentOf(card) === currentSegment()) ?? left[0];
}

function placeAtFocus(value) {
  placeByKey((moved) => Object.fromEntries(moved.map((card) => [card, value])));
}

/** Place the cards as `change` says of them, and go on to the next one. */
function placeByKey(change) {
  const moved = cardsToPlace();
  if (!moved.length) return;
  const wasPlaced = moved.map(valueOf).every((before) => before !== "");
  select([]);
  place(change(moved));
  focusNext(moved, { wasPlaced });
}

/** Move the cards back among those that are not ranked. */
function putBack() {
  const moved = cardsToPlace().filter((card) => valueOf(card) !== "");
  if (!moved.length) return false;
  select([]);
  place(Object.fromEntries(moved.map((card) => [card, ""])));
  focusCard(moved[0]);
  return true;
}

function startInserting() {
  const card = cardsToPlace()[0];
  if (!card || isOnScale(card)) return;
  inserting = true;
  showMessage(text("insertAbove"));
}

function stopInserting() {
  if (inserting) showStatus();
  inserting = false;
}

/** Open the comment on the current segment. */
function comment() {
  const part = document.getElementById(`segment-${currentSegment()}`)?.querySelector(".comment");
  if (!part) return false;
  part.open = true;
  part.querySelector("textarea").focus();
  return true;
}

/** Focus the next candidate that is not placed: of this segment, then of the following ones. */
export function focusNext(moved, { wasPlaced = false } = {}) {
  const left = unplaced();
  const last = cards.indexOf(moved.at(-1));
  const segment = segmentOf(moved.at(-1));
  const here = left.filter((card) => segmentOf(card) === segment);
  const after = (those) => those.find((card) => cards.indexOf(card) > last);
  const next = after(here) ?? here[0] ?? after(left) ?? left[0];
  if (next) focusCard(next);
  else if (wasPlaced) focusCard(moved.at(-1));
  else focusSubmit();
}

/** Place at once unless another digit may follow. */
function typeDigit(digit) {
  const card = cardsToPlace()[0];
  if (!card || scoreField(card)) return false;
  const keys = keysToType(card);
  if (digit === "0" && !digits.typed && !inserting && !keys.includes("0")) {
    // Alone it means 10 where that is a label and 0 is none.
    if (!isNumbered(card) || !keys.includes("10")) return putBack();
    placeOn("10", keys);
    return true;
  }
  clearTimeout(digits.timer);
  const typed = digits.typed + digit;
  if (digits.typed && !keys.some((key) => key.startsWith(typed))) {
    finishDigits();
    return typeDigit(digit);
  }
  if (keys.some((key) => key !== typed && key.startsWith(typed))) {
    digits = { typed, timer: setTimeout(finishDigits, SECOND_DIGIT_WITHIN) };
    showBriefly(`${typed}…`);
  } else {
    digits = { typed: "", timer: 0 };
    placeOn(typed, keys);
  }
  return true;
}

/** Return what can be typed, by rank. Inserting may be below the last rank. */
function keysToType(card) {
  return inserting ? [...keysOf(card), String(ranksOf(card) + 1)] : keysOf(card);
}

function finishDigits() {
  const { typed, timer } = digits;
  clearTimeout(timer);
  digits = { typed: "", timer: 0 };
  const card = cardsToPlace()[0];
  if (typed && card) placeOn(typed, keysToType(card));
}

function placeOn(key, keys) {
  const inserts = inserting;
  const card = cardsToPlace()[0];
  const rank = keys.indexOf(key) + 1;
  stopInserting();
  if (rank) placeByKey((moved) => (inserts ? insertion(moved, rank) : Object.fromEntries(moved.map((other) => [other, rank]))));
  else showBriefly(isNumbered(card) ? `${text("noNumber")} ${keys.join(", ")}` : `${text("noRank")} ${keys.length}`);
}
