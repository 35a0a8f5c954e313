/*
 * Judging by keys. The candidate that a key places is the focused one, else the first that is not
 * placed yet; then the focus goes on to the next one that is not placed.
 */
import { pieceOf } from "./board.js";
import { choose, chosen, toggle } from "./choosing.js";
import { redo, undo } from "./history.js";
import { cards, form, GARBAGE, place, ranksOf, unplaced, valueOf } from "./places.js";
import { remember, remembered } from "./remembered.js";
import { say, text } from "./status.js";

const TYPING = "input:not([type=radio]), textarea, select, [contenteditable]";
// Two digits in such quick succession are one number.
const TOGETHER = 700;

let digits = { typed: "", timer: 0 };
let actions = {};

/** Listen to keys; `others` are what pages do on D and ?: { differences, help }. */
export function startKeys(others) {
  actions = others;
  startSingleKeys(document.getElementById("help"));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.target.closest(TYPING)) return;
    if (onKey(event)) event.preventDefault();
  });
  // A button is pressed when Space is let go.
  form.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.closest(".face")) event.preventDefault();
  });
  form.addEventListener("missing", () => {
    say(`${text("missing")} ${unplaced().length}`);
    goTo(unplaced()[0]);
  });
}

function onKey(event) {
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return onUndoKeys(event);
  if (isCharacter(event) && !singleKeys()) return false;
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? (/^[0-9]$/.test(event.key) ? event.key : null);
  if (digit !== null && event.key !== "?") return typeDigit(digit);
  finishDigits();
  if (event.shiftKey && event.key === "Enter") return handIn(event);
  const action = byName(event)[nameOf(event)];
  return action ? action() !== false : false;
}

function isCharacter({ key }) {
  return key.length === 1 && key !== " ";
}

/** Whoever speaks to the machine, or strays on the keyboard, switches them off (WCAG 2.1.4). */
function singleKeys() {
  return remembered("single-keys") !== "off";
}

/** The switch in the list of keys; what it says holds in this browser from then on. */
function startSingleKeys(help) {
  const box = help.querySelector(".single-keys");
  box.checked = singleKeys();
  box.addEventListener("change", () => remember("single-keys", box.checked ? "on" : "off"));
}

/** A letter by what it says, or by where it is on keyboards of other scripts. */
function nameOf(event) {
  if (event.key.length > 1 || event.key === " " || event.key === "?") return event.key;
  return /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? "").toLowerCase();
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
    g: () => placeAtFocus(GARBAGE),
    u: () => follow(shiftKey ? redo() : undo()),
    y: () => follow(redo()),
    d: () => actions.differences(),
    "?": () => actions.help(),
    " ": () => toggleFocused(),
    Escape: () => choose([]),
  };
}

function onUndoKeys(event) {
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return false;
  follow(key === "y" || event.shiftKey ? redo() : undo());
  return true;
}

function handIn(event) {
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

/** Focus a card in the view that is shown; the card is seen. */
export function goTo(card) {
  const candidate = form.querySelector(`.candidate[data-card="${card}"]`);
  const part = isInList()
    ? candidate.querySelector("input:checked") ?? candidate.querySelector("input")
    : pieceOf(card).querySelector(".face");
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "nearest" });
}

/** The cards as they stand on the screen. */
function inOrder() {
  return isInList() ? cards : [...form.querySelectorAll(".piece")].map((piece) => piece.dataset.card);
}

function move(by, isShift) {
  const order = inOrder();
  const from = focused();
  const to = from ? order[order.indexOf(from) + by] : unplaced()[0] ?? order[0];
  if (!to) return;
  if (isShift && from && !isInList()) extend(from, to);
  goTo(to);
}

function extend(...ends) {
  for (const card of ends) {
    if (!chosen().includes(pieceOf(card))) toggle(pieceOf(card));
  }
}

function toggleFocused() {
  const face = document.activeElement.closest(".face");
  if (!face) return false;
  toggle(face.closest(".piece"));
  return true;
}

function follow(moved) {
  choose([]);
  if (moved.length) goTo(moved[0]);
}

/* --- placing ------------------------------------------------------------------------------------- */

/** Return the cards that a key would place. */
function targets() {
  if (chosen().length) return chosen().map((piece) => piece.dataset.card);
  const card = focused() ?? unplaced()[0];
  return card ? [card] : [];
}

function placeAtFocus(value) {
  const moved = targets();
  if (!moved.length) return;
  const wasPlaced = moved.map(valueOf).every((before) => before !== "");
  choose([]);
  place(Object.fromEntries(moved.map((card) => [card, value])));
  goOn(moved, { wasPlaced });
}

/** Go to the next candidate that is not placed: of this segment, then of those that follow. */
export function goOn(moved, { wasPlaced = false } = {}) {
  const left = unplaced();
  const last = cards.indexOf(moved.at(-1));
  const segment = moved.at(-1).split("-")[0];
  const here = left.filter((card) => card.split("-")[0] === segment);
  const after = (those) => those.find((card) => cards.indexOf(card) > last);
  const next = after(here) ?? here[0] ?? after(left) ?? left[0];
  if (next) goTo(next);
  else if (wasPlaced) goTo(moved.at(-1));
  else form.querySelector("button[type=submit]").focus();
}

/** Place at once where no second digit can follow; else wait a moment for it. */
function typeDigit(digit) {
  const card = targets()[0];
  if (!card) return false;
  const ranks = ranksOf(card);
  clearTimeout(digits.timer);
  const typed = digits.typed + digit;
  if (digits.typed && Number(typed) > ranks) {
    finishDigits();
    return typeDigit(digit);
  }
  const mayGoOn = ranks >= 10 && typed.length < 2 && Number(typed) * 10 <= ranks;
  if (mayGoOn) {
    digits = { typed, timer: setTimeout(finishDigits, TOGETHER) };
    say(`${typed}…`);
  } else {
    digits = { typed: "", timer: 0 };
    placeOn(Number(typed), ranks);
  }
  return true;
}

function finishDigits() {
  const { typed, timer } = digits;
  clearTimeout(timer);
  digits = { typed: "", timer: 0 };
  const card = targets()[0];
  if (typed && card) placeOn(Number(typed), ranksOf(card));
}

function placeOn(rank, ranks) {
  if (rank >= 1 && rank <= ranks) placeAtFocus(String(rank));
  else say(`${text("noRank")} ${ranks}`);
}
