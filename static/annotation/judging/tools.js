/*
 * How annotators work on the sheet: tools, views, sliders, marks of differences, and keys. What is
 * chosen for all sheets, such as the view, is stored in this browser.
 */
import {
  after, cards, currentSegment, form, GARBAGE, insertion, isNumbered, isOnScale, keysOf, NARROW, on,
  onBoard, place, rankOf, ranksOf, redo, scoreField, segmentOf, showBriefly, showMessage, showSegment,
  showStatus, storeDraft, storedDraft, text, texts, undo, unplaced, valueOf,
} from "./sheet.js";

/** Start the tools that stay when the next sheet is shown. */
export function startTools() {
  // The browser cannot report hidden radio buttons: the page says what is missing.
  form.noValidate = true;
  startMore();
  startHelp();
  // The back button shows the page as it was when it was left.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

/** Start what works on this sheet; `skip` opens the dialog in which it is skipped. */
export function startControls({ skip } = {}) {
  startScores();
  startViews();
  startKeys({ differences: startDifferences(), help: showHelp, skip, whole: startWholeTranslations() });
}

/* --- preferences of this browser ---------------------------------------------------------------- */

const PREFIX = "segranks-judging-";

export function preference(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function setPreference(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Without storage the preference is lost with the page.
  }
}

/* --- tools -------------------------------------------------------------------------------------- */

/** On a narrow screen the tools are a menu. */
function startMore() {
  const button = document.querySelector(".more-switch");
  const tools = document.querySelector(".tools");
  const show = (isOpen) => {
    tools.classList.toggle("is-open", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  };
  button.hidden = false;
  tools.classList.add("is-menu");
  button.addEventListener("click", () => show(!tools.classList.contains("is-open")));
  document.addEventListener("click", ({ target }) => {
    if (target.closest(".more-switch") !== button) show(false);
  });
  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tools.classList.contains("is-open")) return;
    show(false);
    button.focus();
  });
}

function showHelp() {
  document.getElementById("help").showModal();
}

/** The list of shortcuts, with a checkbox for people who use voice input (WCAG 2.1.4). */
function startHelp() {
  const help = document.getElementById("help");
  const button = document.querySelector(".help-switch");
  button.hidden = false;
  button.addEventListener("click", showHelp);
  help.querySelector(".close").addEventListener("click", () => help.close());
  const box = help.querySelector(".single-keys");
  box.checked = singleKeys();
  box.addEventListener("change", () => setPreference("single-keys", box.checked ? "on" : "off"));
}

/** Show boards or lists: what was chosen before, else what suits the kind and the width. */
function startViews() {
  const boards = [...form.querySelectorAll(".board")];
  const button = document.querySelector(".view-switch");
  const show = (view) => {
    onBoard.select([]);
    form.dataset.view = view;
    for (const board of boards) board.hidden = view === "list";
    for (const list of form.querySelectorAll(".list")) list.hidden = view !== "list";
    button.textContent = view === "list" ? text("asBoard") : text("asList");
  };
  on(button, "click", () => {
    show(form.dataset.view === "list" ? "board" : "list");
    setPreference("view", form.dataset.view);
  });
  button.hidden = boards.length === 0;
  const chosen = preference("view") ?? (NARROW.matches ? button.dataset.onNarrow : "board");
  show(boards.length ? chosen : "list");
}

/** Show the whole translations of a candidate, with its words marked; return the action of the key. */
function startWholeTranslations() {
  const dialog = document.getElementById("whole");
  if (!dialog) return undefined;
  const show = (card) => {
    const whole = form.querySelector(`.candidate[data-card="${card}"] .whole-texts`);
    if (!whole) return false;
    dialog.querySelector(".whole-shown").replaceChildren(whole.cloneNode(true));
    dialog.showModal();
    return true;
  };
  on(form, "click", ({ target }) => {
    const button = target.closest(".whole-switch");
    if (button) show(button.closest(".piece").dataset.card);
  });
  on(dialog.querySelector(".close"), "click", () => dialog.close());
  return show;
}

/* --- scores: each number field gets a slider, which has no value until it is used ------------------ */

/** Add the sliders. */
function startScores() {
  // The first card has the ticks of all.
  const ticks = form.querySelector(".ticks");
  const parts = new Map([...form.querySelectorAll(".score")].map((part) => [part.querySelector(".score-number").name, addSlider(part, ticks)]));
  on(form, "placed", ({ detail }) => { for (const { card } of detail.step) parts.get(`score-${card}`)?.(); });
}

/** Add a slider above the ticks, or a copy of `anyTicks`; return what shows the score on it. */
function addSlider(part, anyTicks) {
  const field = part.querySelector(".score-number");
  const card = field.name.slice("score-".length);
  // The word of the label that is nearest to the score, where labels have words.
  const ticks = part.querySelector(".ticks") ?? part.appendChild(anyTicks.cloneNode(true));
  const labels = [...ticks.querySelectorAll("li")].map(({ textContent }) => textContent);
  const word = labels.length ? document.createElement("span") : null;
  if (word) {
    word.className = "score-word";
    word.setAttribute("aria-hidden", "true");
    part.insertBefore(word, ticks);
  }
  const label = part.querySelector("label");
  label.id = `score-label-${card}`;
  const showScore = (score) => {
    const share = (Number(score) - Number(field.min)) / (Number(field.max) - Number(field.min));
    part.classList.toggle("is-scored", score !== "");
    part.style.setProperty("--share", share);
    if (word) word.textContent = score === "" ? "" : nearestLabel(labels, share);
    return word?.textContent;
  };
  const { slider, show } = sliderFor(field, label.id, {
    isUnset: () => valueOf(card) === "",
    set: (score) => place({ [card]: rankOf(card, score) }),
    showScore,
  });
  // A digit that is typed on the slider begins a number; Enter goes on to what is not judged yet.
  slider.addEventListener("keydown", (event) => {
    if (digitOf(event) === null || hasAlt(event) || event.ctrlKey || event.metaKey) return;
    field.focus();
    field.select();
  });
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    // What is typed in the field is placed now.
    field.dispatchEvent(new Event("change", { bubbles: true }));
    if (valueOf(card) === "" || !unplaced().length) return;
    event.preventDefault();
    focusNext([card]);
  });
  part.insertBefore(slider, ticks);
  show();
  return show;
}

/**
 * Return a slider for a number field, and what shows the number on it; `set` stores what is chosen
 * with it, `isUnset` says whether nothing is stored, and `showScore` shows a number, "" for none, and
 * returns what screen readers say besides.
 */
export function sliderFor(field, label, { isUnset, set, showScore = () => "" }) {
  const slider = document.createElement("input");
  slider.type = "range";
  slider.className = "slider";
  for (const name of ["min", "max", "step"]) slider[name] = field[name];
  slider.setAttribute("aria-labelledby", label);
  const show = () => {
    const number = isUnset() ? "" : field.value;
    slider.classList.toggle("is-unset", isUnset());
    slider.value = number || field.min;
    const said = showScore(number);
    slider.setAttribute("aria-valuetext", isUnset() ? "–" : [number, said].filter(Boolean).join(", "));
  };
  slider.addEventListener("input", () => {
    // While the slider is dragged only the number follows.
    slider.classList.remove("is-unset");
    field.value = slider.value;
    showScore(slider.value);
  });
  slider.addEventListener("change", () => set(slider.value));
  // A click on the start of an unused slider changes nothing that the browser would report.
  slider.addEventListener("click", () => { if (isUnset()) set(slider.value); });
  return { slider, show };
}

/** Return the nearest of labels that stand at equal distances, of those with words; without its number. */
function nearestLabel(labels, share) {
  const places = labels.map((label, at) => ({ label, distance: Math.abs(share - at / (labels.length - 1)) }));
  const [nearest] = places.filter(({ label }) => /\p{L}/u.test(label)).sort((one, other) => one.distance - other.distance);
  return nearest?.label.replace(/^[0-9]+:\s*/, "") ?? "";
}

/* --- differences --------------------------------------------------------------------------------
 * The words of a candidate that less than half of the segment's other candidates share, by longest
 * common subsequences.
 */

function startDifferences() {
  const button = document.querySelector(".differences-switch");
  if (!button) return () => false;
  const show = (isOn) => {
    button.setAttribute("aria-pressed", String(isOn));
    for (const segment of form.querySelectorAll(".segment")) {
      for (const kind of [".candidate:not(.marked) legend bdi", ".piece bdi"]) {
        showDifferences([...segment.querySelectorAll(kind)], isOn);
      }
      showDifferencesUnderErrors([...segment.querySelectorAll(".candidate.marked")], isOn);
    }
    if (isOn) storeDraft({ differences: true });
    // Of a form that no script sends.
    if (form.elements.differences) form.elements.differences.value = hadDifferences() ? "on" : "";
  };
  const toggle = () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    show(isOn);
    setPreference("differences", isOn ? "on" : "off");
  };
  on(button, "click", toggle);
  button.hidden = false;
  show(preference("differences") === "on");
  return toggle;
}

/** Have differences been shown on this sheet? */
export function hadDifferences() {
  return storedDraft()?.differences === true;
}

// For browsers without Intl.Segmenter.
const SIMPLE_PARTS = { word: /\s+|\S+/gu, sentence: /[^.!?。！？]+[.!?。！？]*\s*/gu, grapheme: /\P{M}?\p{M}*/gu };

/**
 * Split a text into its words and what is between them, its sentences, or its letters with all their
 * marks ("grapheme"). Browsers find the words of Chinese, Japanese, Thai, Lao, Khmer and Burmese in
 * dictionaries.
 */
export function parts(text, language, granularity = "word") {
  if (!Intl.Segmenter) return text.match(SIMPLE_PARTS[granularity]) ?? [];
  const segmenter = new Intl.Segmenter(language || undefined, { granularity });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

// Stretches of scripts that put no space between words, and of others.
const LETTERS = ["Han", "Hira", "Kana", "Thai", "Lao", "Khmr", "Mymr"].map((script) => `\\p{scx=${script}}`).join("");
const WITHOUT_SPACES = new RegExp(`[${LETTERS}]`, "u");
const STRETCHES = new RegExp(`[${LETTERS}]+|[^${LETTERS}\\s]+|\\s+`, "gu");

/** Split a text at its spaces, and at the words of scripts without them. */
function split(text, language) {
  return (text.match(STRETCHES) ?? []).flatMap((part) => (WITHOUT_SPACES.test(part) ? parts(part, language) : [part]));
}

/** Return for each text its parts as [part, isDifferent]. */
function differences(texts, language) {
  const divided = texts.map((text) => split(text, language));
  const words = divided.map((those) => those.map(bare));
  return divided.map((those, i) => {
    const shared = those.map(() => 0);
    words.forEach((others, j) => {
      if (i !== j) for (const at of inCommon(words[i], others)) shared[at] += 1;
    });
    return those.map((part, at) => [part, words[i][at] !== "" && shared[at] * 2 < texts.length - 1]);
  });
}

/** Return the word in lower case and without punctuation around it; "" for spaces. */
function bare(part) {
  const word = part.trim().toLocaleLowerCase();
  return word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, "") || word;
}

/** Return which words of `some` are in a longest common subsequence with `others`. */
function inCommon(some, others) {
  return pairsInCommon(some, others).map(([at]) => at);
}

/** Return the places in both of a longest common subsequence: what both begin and end with, and more. */
function pairsInCommon(some, others) {
  const shorter = Math.min(some.length, others.length);
  let start = 0;
  while (start < shorter && some[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && some.at(-1 - end) === others.at(-1 - end)) end += 1;
  const inner = between(some.slice(start, some.length - end), others.slice(start, others.length - end));
  return [
    ...Array.from({ length: start }, (_, at) => [at, at]),
    ...inner.map(([at, place]) => [at + start, place + start]),
    ...Array.from({ length: end }, (_, at) => [some.length - end + at, others.length - end + at]),
  ];
}

/** Return the same, where the texts begin and end differently: time and memory grow with both. */
function between(some, others) {
  const length = some.map(() => new Array(others.length + 1).fill(0)).concat([new Array(others.length + 1).fill(0)]);
  for (let i = some.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      length[i][j] = some[i] === others[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    if (some[i] === others[j]) {
      found.push([i, j]);
      i += 1;
      j += 1;
    } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

/**
 * Return how one text became another: [part, "same" | "deleted" | "inserted"], neighbours of a kind
 * joined.
 */
export function changes(before, after, language) {
  const [old, now] = [before, after].map((text) => pieces(text, language));
  const found = [];
  const add = (those, kind) => {
    if (!those.length) return;
    if (found.at(-1)?.[1] === kind) found.at(-1)[0] += those.join("");
    else found.push([those.join(""), kind]);
  };
  let [i, j] = [0, 0];
  for (const [oldPlace, newPlace] of [...pairsInCommon(old, now), [old.length, now.length]]) {
    add(old.slice(i, oldPlace), "deleted");
    add(now.slice(j, newPlace), "inserted");
    if (oldPlace < old.length) add([old[oldPlace]], "same");
    [i, j] = [oldPlace + 1, newPlace + 1];
  }
  return found;
}

/** Split a text into words with the space after them, and punctuation marks. */
function pieces(text, language) {
  const joined = [];
  for (const part of parts(text, language)) {
    if (joined.length && !part.trim()) joined[joined.length - 1] += part;
    else joined.push(part);
  }
  return joined;
}

// What the elements have without these marks: in context, other marks.
const unmarked = new WeakMap();

/** Mark the differences between these elements, or remove the marks. */
function showDifferences(elements, isOn) {
  const marked = isOn ? differences(elements.map((element) => element.textContent), elements[0]?.lang) : [];
  elements.forEach((element, i) => {
    if (isOn && !unmarked.has(element)) unmarked.set(element, [...element.childNodes]);
    if (isOn) element.replaceChildren(...marked[i].map(toNode));
    else if (unmarked.has(element)) element.replaceChildren(...unmarked.get(element));
  });
}

/**
 * The same where errors are marked: the text has their marks, and is drawn again with each of them.
 * What draws it gets the places of the differences, in code points.
 */
function showDifferencesUnderErrors(candidates, isOn) {
  const plain = candidates.map((candidate) => candidate.querySelector("legend bdi"));
  const found = isOn ? differences(plain.map((element) => element.textContent), plain[0]?.lang) : [];
  candidates.forEach((candidate, i) => {
    const places = [];
    let at = 0;
    for (const [part, isDifferent] of found[i] ?? []) {
      const end = at + [...part].length;
      if (isDifferent) places.push({ start: at, end });
      at = end;
    }
    candidate.querySelector(".marked-text")?.dispatchEvent(new CustomEvent("differences", { detail: places }));
  });
}

function toNode([part, isDifferent]) {
  if (!isDifferent) return document.createTextNode(part);
  const mark = document.createElement("u");
  mark.className = "differs";
  mark.textContent = part;
  return mark;
}

/* --- keys: by the character where that is Latin, else by the place of the key ---------------------- */

const QUESTION_MARKS = "?\u061f\u055e\uff1f";

/** Return the digit of the key's place, which needs no Shift on any keyboard; null if it has none. */
export function digitOf(event) {
  if (isQuestionMark(event)) return null;
  return /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? (/^[0-9]$/.test(event.key) ? event.key : null);
}

/** Return the lower-case letter of the key; "" if it has none. */
export function letterOf(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return event.key.length > 1 ? "" : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? "").toLowerCase();
}

/** Does the key type the question mark of any script? */
function isQuestionMark({ key }) {
  return key.length === 1 && QUESTION_MARKS.includes(key);
}

/** Is Alt or AltGr held, with which a key types another character, such as "ś" on a Polish keyboard? */
export function hasAlt(event) {
  return event.altKey || event.getModifierState("AltGraph");
}

/* --- shortcuts ----------------------------------------------------------------------------------
 * A key places the focused candidate, or the first one that is not placed, and moves the focus to the
 * next one that is not placed.
 */

// The first field of a part of the answer that is missing.
const UNANSWERED = "[data-unanswered] :is(input[type=radio], input[type=range])";
const TYPING = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]";
// Milliseconds within which two digits are one number.
const SECOND_DIGIT_WITHIN = 700;

let digits = { typed: "", timer: 0 };
// After I, a number says above which rank to insert.
let inserting = false;
let actions = {};

/** Listen to keys; `pageActions` are those of letters: { differences, help, skip, whole }. */
function startKeys(pageActions) {
  actions = pageActions;
  digits = { typed: "", timer: 0 };
  inserting = false;
  on(document, "keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.target.closest(TYPING)) return;
    // Space and arrows belong to the controls of what plays.
    if (event.target.closest("audio, video") && !isCharacter(event)) return;
    if (onKey(event) || isHeldOn(event)) event.preventDefault();
  });
  // Browsers click a button when Space is released.
  on(form, "keyup", (event) => {
    if (event.key === " " && event.target.closest(".face")) event.preventDefault();
  });
  for (const kind of ["missing", "search"]) on(form, kind, () => focusCard(unplaced()[0], { answer: true }));
  on(form, "placedbykey", ({ detail }) => focusNext(detail));
  for (const kind of ["focusin", "focusout", "selected"]) on(document, kind, () => queueMicrotask(markNext));
  on(form, "placed", () => queueMicrotask(markNext));
  markNext();
}

/** Is Enter held down since the sheet before, where it submitted? It clicks nothing on this one. */
function isHeldOn({ key, repeat, target }) {
  return key === "Enter" && repeat && form.contains(target);
}

/** Mark the card that a key would place where nothing else shows it. */
function markNext() {
  const card = focused() || onBoard.selectedPieces().length ? null : cardsToPlace()[0];
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

export function singleKeys() {
  return preference("single-keys") !== "off";
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
    n: () => focusMissing(),
    c: () => comment(),
    s: () => actions.skip?.() ?? false,
    w: () => actions.whole?.(cardsToPlace()[0]) ?? false,
    u: () => (shiftKey ? showRedone() : focusMoved(undo())),
    y: () => showRedone(),
    d: () => actions.differences(),
    "?": () => actions.help(),
    " ": () => toggleFocused(),
    Escape: () => onBoard.select([]),
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

/**
 * Focus a card in the current view and scroll it into view: its text if errors are marked there, but
 * with `answer` what the annotator has to answer.
 */
export function focusCard(card, { answer = false } = {}) {
  if (!card) return;
  showSegment(segmentOf(card));
  showColumn(card);
  const candidate = form.querySelector(`.candidate[data-card="${card}"]`);
  const part = isInList()
    // Never a text, into which the next digit would be typed.
    ? (!answer && candidate.querySelector(".marked-text"))
      || (candidate.querySelector(UNANSWERED) ?? candidate.querySelector("input:checked, input[type=range]") ?? candidate.querySelector("input:not([type=hidden])"))
    : onBoard.pieceOf(card).querySelector(".face");
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "nearest" });
}

/** Go to the next card without an answer, after the focused one and then from the first. */
function focusMissing() {
  const missing = unplaced();
  const at = cards.indexOf(document.activeElement.closest("[data-card]")?.dataset.card);
  focusCard(missing.find((card) => cards.indexOf(card) > at) ?? missing[0]);
}

/** Choose the column of the card, where systems stand side by side and one of them is shown. */
function showColumn(card) {
  const column = document.getElementById(`column-${card.split("-")[1]}`);
  if (column) column.checked = true;
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
    if (!onBoard.selectedPieces().includes(onBoard.pieceOf(card))) onBoard.toggle(onBoard.pieceOf(card));
  }
}

function toggleFocused() {
  const face = document.activeElement.closest(".face");
  if (!face) return false;
  onBoard.toggle(face.closest(".piece"));
  return true;
}

function focusMoved(moved) {
  onBoard.select([]);
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
  if (onBoard.selectedPieces().length) return onBoard.selectedPieces().map((piece) => piece.dataset.card);
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
  onBoard.select([]);
  place(change(moved));
  focusNext(moved, { wasPlaced });
}

/** Move the cards back among those that are not ranked. */
function putBack() {
  const moved = cardsToPlace().filter((card) => valueOf(card) !== "");
  if (!moved.length) return false;
  onBoard.select([]);
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
    digits = { typed, timer: after(SECOND_DIGIT_WITHIN, finishDigits) };
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
