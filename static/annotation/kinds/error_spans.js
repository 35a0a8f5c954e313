/*
 * Marking errors in a translation, and with a typology in the source. The hidden field detail-KEY has
 * them in the notation of annotation/formats/span_notation.py; its characters are code points, as
 * Python counts them. A change is placed like any other, so it is saved, undone and shown in other
 * windows like one.
 *
 * Mouse: select text to mark it; click a mark to change it. Touch (and clicks): the first word, then
 * the last one. Keys: arrows and the first letters of a word move between words, with Shift arrows
 * select, a digit marks with that severity, Delete removes, Enter goes on to the score. With a
 * typology, a palette asks for the category.
 *
 * A text has an element for each word while it is used by keys or touch only: a sheet of many
 * candidates stays small.
 */
import { digitOf, focusNext, hasAlt, letterOf, parts as partsOf, singleKeys } from "../judging/tools.js";
import { consequences, eachSheet, form, NARROW, on, place, ranksOf, scoreField, sheet, unplaced, valueOf } from "../judging/sheet.js";

// What the script makes the marking of a card of, and the words that it says.
const parts = document.getElementById("marking-parts");
const words = parts.dataset;
// The mildest first.
const SEVERITIES = words.severities.split(",");
const LABELS = Object.fromEntries(SEVERITIES.map((name, at) => [name, words.labels.split(",")[at]]));
// Empty without a typology: then errors have no category, and those that overlap are one.
const CATEGORIES = words.categories ? words.categories.split(",") : [];
const MOST_ERRORS = Number(words.mostErrors) || Infinity;
// Below this share of the highest score, an output without a marked error is odd (WMT 2026).
const NEARLY_FLAWLESS = 0.85;
// Milliseconds after which a letter begins another word to find.
const TYPED_WITHIN = 1500;
const SIDES = ["target", "source", "missing", "whole"];

/* --- the notation ---------------------------------------------------------------------------- */

const ERROR = /^(?:(source )?(\d+)-(\d+)|(missing|whole)) (\S+)(?: (.+))?$/;

/** Return the errors of a text: [{ side, start, end, severity, category }]; start may be null. */
export function parse(text) {
  return text.split(",").map((part) => ERROR.exec(part.trim())).filter(Boolean).map(
    ([, isSource, start, end, elsewhere, severity, category = ""]) => ({
      side: elsewhere ?? (isSource ? "source" : "target"),
      start: elsewhere ? null : Number(start),
      end: elsewhere ? null : Number(end),
      severity,
      category,
    }),
  );
}

export function write(errors) {
  return inOrder(errors).map(({ side, start, end, severity, category }) => {
    const place = start === null ? side : `${side === "source" ? "source " : ""}${start}-${end}`;
    return `${place} ${severity}${category && ` ${category}`}`;
  }).join(", ");
}

function inOrder(errors) {
  return [...errors].sort((one, other) => SIDES.indexOf(one.side) - SIDES.indexOf(other.side)
    || one.start - other.start || one.end - other.end || (one.category < other.category ? -1 : 1));
}

function isSame(one, other) {
  return ["side", "start", "end", "category"].every((name) => one[name] === other[name]);
}

/**
 * Return the errors with this one. Without a typology, those that it overlaps become part of it, with
 * the worst severity; with one, an error in the same place with the same category is replaced.
 */
export function mark(errors, error) {
  if (CATEGORIES.length || error.start === null) return [...errors.filter((one) => !isSame(one, error)), error];
  const touched = errors.filter((one) => one.side === error.side && one.start < error.end && error.start < one.end);
  const whole = {
    ...error,
    start: Math.min(error.start, ...touched.map((one) => one.start)),
    end: Math.max(error.end, ...touched.map((one) => one.end)),
    severity: worst([error, ...touched].map(({ severity }) => severity)),
  };
  return [...errors.filter((one) => !touched.includes(one)), whole];
}

function worst(severities) {
  return SEVERITIES.findLast((severity) => severities.includes(severity)) ?? severities[0];
}

/** Return the severity after this one, from the mildest to the worst and then to none, "". */
function nextSeverity(severity) {
  return SEVERITIES[SEVERITIES.indexOf(severity) + 1] ?? "";
}

/** Return how a severity looks: the mildest, the worst, or one between. */
function look(severity) {
  const at = SEVERITIES.indexOf(severity);
  return at <= 0 ? "mild" : at === SEVERITIES.length - 1 ? "severe" : "middling";
}

/** Return what an error is called: its severity and its category. */
function nameOf({ severity, category }) {
  return [LABELS[severity] ?? severity, category].filter(Boolean).join(" ");
}

/* --- one candidate with its errors ------------------------------------------------------------- */

class Card {
  constructor(candidate) {
    this.candidate = candidate;
    this.key = candidate.dataset.card;
    this.field = `detail-${this.key}`;
    const bdi = candidate.querySelector("legend bdi");
    this.part = parts.content.querySelector(".marking").cloneNode(true);
    this.part.dataset.marking = this.key;
    this.list = this.part.querySelector(".marked-errors");
    this.advice = this.part.querySelector(".marking-advice");
    const element = this.part.querySelector(".marked-text");
    setLanguage(element, bdi);
    // What the page says of the words of the text, such as those that are aligned with them.
    for (const name of Object.keys(bdi.dataset)) {
      element.dataset[name] = bdi.dataset[name];
      delete bdi.dataset[name];
    }
    candidate.querySelector(`[name="${this.field}"]`).after(this.part);
    this.target = new MarkedText(element, "target", bdi.textContent, this);
    // Set where errors can be in the source, too; other cards of the sheet may share it.
    this.source = null;
    this.render();
  }

  get errors() {
    return parse(valueOf(this.field) ?? "");
  }

  texts() {
    return [this.target, this.source].filter((one) => one?.card === this);
  }

  store(errors) {
    for (const one of this.texts()) one.anchor = null;
    place({ [this.field]: write(errors) });
  }

  /** Mark an error; refuse it kindly if there are as many as there may be. */
  add(error) {
    const marked = mark(this.errors, error);
    if (marked.length > MOST_ERRORS && marked.length > this.errors.length) this.say(words.tooMany);
    else this.store(marked);
  }

  /** Change the severity or category of an error; "" as its severity removes it. */
  change(error, changed) {
    const others = this.errors.filter((one) => !isSame(one, error));
    this.store(changed.severity ? mark(others, { ...error, ...changed }) : others);
  }

  /** Change an error by one click or key: to the next severity, or as the palette says. */
  turn(error, anchor) {
    if (CATEGORIES.length) this.ask(error, anchor);
    else this.change(error, { severity: nextSeverity(error.severity) });
  }

  /** Ask for the category of an error that is marked, or is about to be. */
  ask(error, anchor) {
    const known = this.errors.find((one) => isSame(one, error));
    palette.open({
      anchor,
      severity: error.severity,
      category: error.category,
      remove: known && (() => this.change(known, { severity: "" })),
      choose: (chosen) => {
        announce(nameOf(chosen));
        if (known) this.change(known, chosen);
        else this.add({ ...error, ...chosen });
      },
      closed: () => this.onAsked(),
    });
  }

  /** The palette is closed: what had the focus before may be gone, or was never focused. */
  onAsked() {
    getSelection().removeAllRanges();
    if (document.activeElement === document.body) this.target.element.focus({ preventScroll: true });
    for (const one of this.texts()) if (one.element !== document.activeElement) one.showWords(false);
  }

  onClick(button) {
    const item = button.closest(".marked-errors li");
    if (item) this.onItem(button, [...this.list.children].indexOf(item));
    else if (button.matches(".mark-missing")) this.onMissing(button);
    else if (button.matches(".mark-whole")) this.onWhole(button.dataset.category);
  }

  onMissing(button) {
    if (CATEGORIES.length) {
      this.ask({ side: "missing", start: null, end: null, severity: "", category: "" }, button);
      return;
    }
    const known = this.errors.find(({ side }) => side === "missing");
    if (known) this.turn(known);
    else this.add({ side: "missing", start: null, end: null, severity: SEVERITIES[0], category: "" });
  }

  onWhole(category) {
    const error = { side: "whole", start: null, end: null, severity: SEVERITIES.at(-1), category };
    const known = this.errors.find((one) => isSame(one, error));
    if (known) this.change(known, { severity: "" });
    else this.add(error);
  }

  onItem(button, at) {
    const error = this.listed[at];
    const isRemoved = button.matches(".remove-error");
    if (isRemoved) this.change(error, { severity: "" });
    // A mark of the whole translation has no other category.
    else if (CATEGORIES.length && error.side !== "whole") {
      this.ask(error, button);
      return;
    } else this.change(error, { severity: nextSeverity(error.severity) || SEVERITIES[0] });
    const next = this.list.children[Math.min(at, this.list.children.length - 1)];
    (next?.querySelector(isRemoved ? ".remove-error" : ".change-error") ?? this.target.element).focus();
  }

  /** Go on to what the annotator answers after marking. */
  goOn() {
    const field = scoreField(this.key) ?? this.candidate.querySelector(".no-errors input");
    if (unplaced().includes(this.key) || scoreField(this.key)) {
      field.focus();
      field.select();
    } else focusNext([this.key]);
  }

  /* --- what is shown --- */

  render() {
    const errors = inOrder(this.errors);
    for (const one of this.texts()) one.render();
    // Without categories the button says that something is missing.
    this.listed = errors.filter(({ start }) => CATEGORIES.length || start !== null);
    this.list.replaceChildren(...this.listed.map((error) => this.item(error)));
    this.list.hidden = this.listed.length === 0;
    for (const button of this.part.querySelectorAll(".mark-missing, .mark-whole")) {
      const found = errors.find(({ side, category }) => (button.matches(".mark-missing") ? side === "missing" : side === "whole" && category === button.dataset.category));
      button.setAttribute("aria-pressed", String(Boolean(found)));
      button.dataset.look = found ? look(found.severity) : "";
      const severity = button.querySelector(".severity");
      if (severity) severity.textContent = found && !CATEGORIES.length ? LABELS[found.severity] : "";
    }
    this.advise();
  }

  item(error) {
    const item = parts.content.querySelector(".marked-error").cloneNode(true);
    const part = item.querySelector(".error-text");
    const text = error.side === "source" ? this.source : this.target;
    const shown = error.start === null ? words[error.side] : text?.textOf(error.start, error.end) ?? "";
    part.textContent = shown;
    if (error.start !== null && text) setLanguage(part, text.element);
    item.dataset.look = look(error.severity);
    item.querySelector(".error-name").textContent = nameOf(error);
    item.querySelector(".error-side").textContent = error.side === "source" ? words.source : "";
    for (const button of item.querySelectorAll("button")) button.querySelector(".visually-hidden").textContent += ` ${shown}`;
    return item;
  }

  /** Say where the score and the marks do not go together, which may be right. */
  advise() {
    const rank = valueOf(this.key);
    let advice = "";
    if (rank && scoreField(this.key)) {
      const highest = ranksOf(this.key) - 1;
      const score = ranksOf(this.key) - Number(rank);
      const isMarked = this.errors.length > 0;
      if (score < NEARLY_FLAWLESS * highest && !isMarked) advice = words.unmarked;
      if (score === highest && isMarked) advice = words.perfect;
    }
    this.advice.textContent = advice;
  }

  /** Show a message beside the text, and let screen readers say it. */
  say(message) {
    this.advice.textContent = message;
    announce(message);
  }
}

/** Let the element have a text in the language of another one. */
function setLanguage(element, other) {
  for (const name of ["lang", "dir", "translate"]) element.setAttribute(name, other.getAttribute(name));
}

/** Let screen readers say something. */
function announce(message) {
  const announced = document.getElementById("announced");
  if (announced) announced.textContent = message;
}

/* --- one text in which errors are marked -------------------------------------------------------- */

const textOf = new WeakMap();

class MarkedText {
  constructor(element, side, text, card) {
    this.element = element;
    this.side = side;
    this.card = card;
    // Code points, because the places are numbers of them.
    this.characters = [...text];
    // Where the word cursor is, and where a selection began; null without one.
    this.cursor = 0;
    this.anchor = null;
    // Whether each word has an element.
    this.hasWords = false;
    // What was typed to find a word: in a search that "/" began, any characters.
    this.typed = "";
    this.isSearching = false;
    this.typedAt = 0;
    // Where it differs from the other translations, if that is marked.
    this.differences = [];
    element.addEventListener("differences", ({ detail }) => {
      if (!this.differences.length && !detail.length) return;
      this.differences = detail;
      this.render();
    });
    textOf.set(element, this);
  }

  get errors() {
    return inOrder(this.card.errors.filter(({ side }) => side === this.side));
  }

  textOf(start, end) {
    return this.characters.slice(start, end).join("");
  }

  /** Return the innermost error at this place. */
  errorAt(at) {
    return this.errors.findLast(({ start, end }) => start <= at && at < end);
  }

  /** Give each word an element, or end this. */
  showWords(hasWords) {
    if (this.hasWords === hasWords) return;
    this.hasWords = hasWords;
    if (!hasWords) this.anchor = null;
    this.render();
  }

  /* --- mouse and touch --- */

  /** Mark what is selected with the mouse. */
  onRelease() {
    const selected = getSelection();
    if (selected.isCollapsed || !selected.rangeCount) return;
    const range = selected.getRangeAt(0);
    const place = this.placeOf(range);
    if (!place) return;
    this.cursor = place.start;
    ignoresClick = true;
    setTimeout(() => { ignoresClick = false; });
    if (!CATEGORIES.length) {
      selected.removeAllRanges();
      this.markPlace(place, "");
      return;
    }
    // The palette stands beside what is selected, which shows what it is about: after the click, which
    // would close it.
    const box = range.getBoundingClientRect();
    setTimeout(() => this.markPlace(place, "", { getBoundingClientRect: () => box }));
  }

  /** Return where a range is in the text, without spaces at its ends; null if nothing is left. */
  placeOf(range) {
    const inside = document.createRange();
    inside.selectNodeContents(this.element);
    if (range.compareBoundaryPoints(Range.START_TO_START, inside) > 0) inside.setStart(range.startContainer, range.startOffset);
    if (range.compareBoundaryPoints(Range.END_TO_END, inside) < 0) inside.setEnd(range.endContainer, range.endOffset);
    const before = document.createRange();
    before.selectNodeContents(this.element);
    before.setEnd(inside.startContainer, inside.startOffset);
    // No letter is marked without its accents, nor half of an emoji.
    const [first, last] = [before.toString().length, before.toString().length + inside.toString().length];
    let [start, end, at] = [0, 0, 0];
    for (const letter of partsOf(this.textOf(), this.element.lang, "grapheme")) {
      if (at + letter.length <= first) start += [...letter].length;
      if (at < last) end += [...letter].length;
      at += letter.length;
    }
    while (start < end && isSpace(this.characters[start])) start += 1;
    while (start < end && isSpace(this.characters[end - 1])) end -= 1;
    return start < end ? { start, end } : null;
  }

  onClick({ clientX, clientY }) {
    this.showWords(true);
    const unit = this.unitOf(document.elementFromPoint(clientX, clientY));
    if (!unit) return;
    const error = this.errorAt(unit.start);
    this.cursor = unit.start;
    if (this.anchor !== null) this.markSelection("");
    else if (error) this.card.turn(error, unit.element);
    else this.setSelection(unit.start, unit.start);
  }

  /* --- keys --- */

  onKey(event) {
    if (hasAlt(event) || event.metaKey) return;
    const forward = getComputedStyle(this.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const isExtended = event.shiftKey;
    this.showWords(true);
    const sentence = (by) => () => this.moveTo(this.sentenceFrom(by, isExtended), isExtended);
    const actions = event.ctrlKey ? { [forward]: sentence(1), [back]: sentence(-1) } : {
      [forward]: () => this.move(1, isExtended),
      [back]: () => this.move(-1, isExtended),
      ArrowDown: () => this.moveTo(this.lineFrom(1), isExtended),
      ArrowUp: () => this.moveTo(this.lineFrom(-1), isExtended),
      PageDown: sentence(1),
      PageUp: sentence(-1),
      Home: () => this.move(-Infinity, isExtended),
      End: () => this.move(Infinity, isExtended),
      // The end of a search; Shift+Enter submits the page.
      Enter: event.shiftKey ? undefined : () => this.isSearching || this.onEnter(),
      " ": () => this.onSpace(),
      "/": () => this.search(),
      Delete: () => this.remove(),
      Backspace: () => this.erase(),
      Escape: () => this.setSelection(this.cursor, null),
    };
    const digit = event.ctrlKey || this.isSearching ? null : digitOf(event);
    let action = actions[event.key];
    if (digit !== null) action = SEVERITIES[digit - 1] && (() => this.setSeverity(SEVERITIES[digit - 1], isExtended));
    const isTyped = !action && this.isTyped(event);
    if (isTyped) action = () => this.find(event.key);
    if (!action) return;
    event.preventDefault();
    action();
    if (!isTyped && !["/", "Backspace"].includes(event.key)) this.endSearch();
    this.announce();
  }

  /** Does the key type a character with which words are found? */
  isTyped(event) {
    if (event.ctrlKey || [...event.key].length !== 1 || event.key === "?") return false;
    return this.isSearching || (singleKeys() && /^[\p{L}\p{M}'’]$/u.test(event.key));
  }

  onEnter() {
    if (this.anchor !== null) this.markSelection("");
    else this.card.goOn();
  }

  onSpace() {
    const error = this.errorAt(this.cursor);
    if (error && this.anchor === null) this.card.turn(error, this.active());
    else this.markSelection("");
  }

  /** Change the severity of the error at the cursor, or mark what is selected with it. */
  setSeverity(severity, isNew) {
    const error = this.errorAt(this.cursor);
    if (error && this.anchor === null && !isNew) this.card.change(error, { severity });
    else this.markSelection(severity);
  }

  remove() {
    const error = this.errorAt(this.cursor);
    if (error) this.card.change(error, { severity: "" });
  }

  /** Mark all words from the anchor to the cursor; "" is the mildest severity, or the last one. */
  markSelection(severity) {
    this.markPlace(this.selection(), severity, this.active());
  }

  markPlace({ start, end }, severity, anchor) {
    const error = { side: this.side, start, end, severity: severity || (CATEGORIES.length ? "" : SEVERITIES[0]), category: "" };
    if (CATEGORIES.length) this.card.ask(error, anchor);
    else this.card.add(error);
  }

  move(by, isExtended) {
    const at = this.units.indexOf(this.unitAt(this.cursor)) + by;
    this.moveTo(this.units[Math.min(Math.max(at, 0), this.units.length - 1)], isExtended);
  }

  moveTo(unit, isExtended) {
    this.setSelection(unit.start, isExtended ? this.anchor ?? this.cursor : null);
    this.active().scrollIntoView({ block: "nearest" });
  }

  /** Return the word of the next line, or of the one before, that is nearest to the cursor. */
  lineFrom(by) {
    const middle = ({ element }) => {
      const box = [...element.getClientRects()].at(by > 0 ? -1 : 0);
      return { x: (box.left + box.right) / 2, y: box.bottom, height: box.height };
    };
    const here = middle(this.unitAt(this.cursor));
    const others = this.units.map((unit) => ({ unit, ...middle(unit) })).filter(({ y }) => (y - here.y) * by > here.height / 2);
    if (!others.length) return by > 0 ? this.units.at(-1) : this.units[0];
    const line = others.reduce((one, other) => ((other.y - one.y) * by < 0 ? other : one)).y;
    return others.filter(({ y, height }) => Math.abs(y - line) < height / 2)
      .reduce((one, other) => (Math.abs(other.x - here.x) < Math.abs(one.x - here.x) ? other : one)).unit;
  }

  /** Return the first word of the next sentence, or of this or the one before; its last to extend. */
  sentenceFrom(by, isExtended) {
    const starts = [...bordersOf(this.textOf(), this.element.lang, "sentence")];
    const firsts = starts.slice(0, -1).map((start) => this.units.find((unit) => unit.start >= start)).filter(Boolean);
    const lasts = starts.slice(1).map((end) => this.units.findLast((unit) => unit.start < end));
    if (by < 0) return firsts.findLast(({ start }) => start < this.cursor) ?? this.units[0];
    return (isExtended ? lasts : firsts).find(({ start }) => start > this.cursor) ?? this.units.at(-1);
  }

  /* --- finding words by what they begin with --- */

  /** Begin a search; go to the next word if one is found already. */
  search() {
    if (this.typed) this.jump(this.typed, 1);
    else this.isSearching = true;
    this.showTyped();
  }

  endSearch() {
    this.typed = "";
    this.isSearching = false;
    this.showTyped();
  }

  /** Go to the next word that begins with what was typed and this; else with this alone. */
  find(character) {
    const isLate = !this.isSearching && performance.now() - this.typedAt > TYPED_WITHIN;
    const before = isLate ? "" : this.typed;
    this.typedAt = performance.now();
    if (this.jump(before + character, 0)) this.typed = before + character;
    else if (!this.isSearching && before && this.jump(character, 1)) this.typed = character;
    else if (this.isSearching) this.typed = before + character;
    this.showTyped();
  }

  /** Go to a word that begins so: the one at the cursor or after it, or the first of the text. */
  jump(typed, from) {
    const begin = this.units.indexOf(this.unitAt(this.cursor)) + from;
    const order = [...this.units.slice(begin), ...this.units.slice(0, begin)];
    const found = order.find((unit) => folded(this.textOf(unit.start, unit.end)).startsWith(folded(typed)));
    if (found) this.moveTo(found, this.anchor !== null);
    return found;
  }

  /** Remove the last character of what is searched, or the error at the cursor. */
  erase() {
    if (!this.isSearching || !this.typed) {
      this.endSearch();
      this.remove();
      return;
    }
    this.typed = [...this.typed].slice(0, -1).join("");
    this.showTyped();
  }

  showTyped() {
    const shown = this.card.part.querySelector(".marking-search");
    shown.textContent = this.isSearching || this.typed ? `${this.isSearching ? "/" : ""}${this.typed}` : "";
  }

  /* --- what is shown --- */

  setSelection(cursor, anchor) {
    this.cursor = cursor;
    this.anchor = anchor;
    this.showSelection();
  }

  /** Return where the words from the anchor to the cursor are. */
  selection() {
    const [one, two] = [this.unitAt(this.cursor), this.unitAt(this.anchor ?? this.cursor)];
    return { start: Math.min(one.start, two.start), end: Math.max(one.end, two.end) };
  }

  unitOf(element) {
    const option = element?.closest("[data-unit]");
    return option && this.element.contains(option) ? this.units[Number(option.dataset.unit)] : null;
  }

  unitAt(at) {
    return this.units.findLast((unit) => unit.start <= at) ?? this.units[0];
  }

  active() {
    return this.element.querySelector(".is-cursor");
  }

  /** Show the text with its marks. Its characters are those of the text, and no others. */
  render() {
    const errors = this.errors;
    const lanes = lanesOf(errors);
    const borders = new Set([0, this.characters.length]);
    for (const { start, end } of [...errors, ...this.differences]) borders.add(start).add(end);
    this.units = [];
    let root = document.createDocumentFragment();
    // A list of words has one option until the words have elements.
    if (!this.hasWords) root = option();
    let open = [];
    const places = [...borders].filter((at) => at <= this.characters.length).sort((one, other) => one - other);
    const separations = this.hasWords ? bordersOf(this.textOf(), this.element.lang, "word") : [];
    for (let number = 0; number + 1 < places.length; number += 1) {
      const [start, end] = [places[number], places[number + 1]];
      const covering = errors.filter((one) => one.start <= start && start < one.end);
      const kept = covering.findIndex((error, at) => open[at]?.error !== error);
      open = open.slice(0, kept < 0 ? covering.length : kept);
      for (const error of covering.slice(open.length)) {
        const element = this.group(error, lanes.get(error));
        (open.at(-1)?.element ?? root).append(element);
        open.push({ error, element });
      }
      const within = [start, ...separations.filter((at) => start < at && at < end), end];
      for (let at = 0; at + 1 < within.length; at += 1) (open.at(-1)?.element ?? root).append(this.piece(within[at], within[at + 1]));
    }
    this.element.replaceChildren(root);
    this.showSelection();
  }

  group(error, lane) {
    const element = document.createElement("mark");
    element.className = `error error-${error.severity}`;
    element.dataset.look = look(error.severity);
    element.style.setProperty("--lane", lane);
    if (this.hasWords) {
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", nameOf(error));
    }
    return element;
  }

  piece(start, end) {
    const text = this.textOf(start, end);
    const isDifferent = this.differences.some((one) => one.start <= start && end <= one.end);
    if (!this.hasWords || !text.trim()) return isDifferent ? made("u", text, "differs") : document.createTextNode(text);
    const element = option();
    element.classList.toggle("differs", isDifferent);
    element.textContent = text;
    element.id = `${this.card.field}-${this.side}-${start}`;
    element.dataset.unit = this.units.length;
    this.units.push({ start, end, element });
    return element;
  }

  showSelection() {
    if (!this.units.length) {
      this.element.removeAttribute("aria-activedescendant");
      this.card.part.classList.remove("is-selecting");
      return;
    }
    const current = this.unitAt(this.cursor);
    const { start, end } = this.selection();
    for (const { element, start: at } of this.units) {
      const isSelected = this.anchor !== null && start <= at && at < end;
      if (element.classList.contains("is-selected") !== isSelected) {
        element.classList.toggle("is-selected", isSelected);
        element.setAttribute("aria-selected", String(isSelected));
      }
      element.classList.toggle("is-cursor", at === current.start);
    }
    this.element.setAttribute("aria-activedescendant", current.element.id);
    this.card.part.classList.toggle("is-selecting", this.anchor !== null);
    this.element.dispatchEvent(new CustomEvent("wordcursor", { bubbles: true, detail: { start, end } }));
  }

  /** Tell screen readers what is at the cursor after a key. */
  announce() {
    const error = this.errorAt(this.cursor);
    if (error) announce(`${this.textOf(error.start, error.end)}: ${nameOf(error)}`);
  }
}

function option() {
  const element = document.createElement("span");
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  return element;
}

/** Return the line below the text on which each error is drawn, from 0: errors that overlap differ. */
function lanesOf(errors) {
  const lanes = new Map();
  for (const error of errors) {
    const taken = [...lanes].filter(([one]) => one.start < error.end && error.start < one.end).map(([, lane]) => lane);
    let lane = 0;
    while (taken.includes(lane)) lane += 1;
    lanes.set(error, lane);
  }
  return lanes;
}

/** Return a text without case and accents. */
function folded(text) {
  return text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

/** Return where the words, sentences or letters of a text begin and end, in code points. */
function bordersOf(text, language, granularity) {
  const borders = [0];
  for (const part of partsOf(text, language, granularity)) borders.push(borders.at(-1) + [...part].length);
  return borders;
}

function isSpace(character) {
  return character.trim() === "";
}

/* --- the palette of categories ------------------------------------------------------------------ */

/*
 * Categories such as "Accuracy/Addition" stand in groups. A letter chooses a group, and another one
 * the category in it; a digit sets the severity. Enter takes the category that was taken last.
 */
class Palette {
  constructor() {
    this.element = parts.content.querySelector(".palette").cloneNode(true);
    this.again = this.element.querySelector(".palette-again");
    this.severities = this.element.querySelector(".palette-severities");
    this.groups = groupsOf(CATEGORIES);
    this.last = { severity: SEVERITIES[Math.floor((SEVERITIES.length - 1) / 2)], category: "" };
    this.build();
    document.body.append(this.element);
    this.element.addEventListener("click", ({ target }) => this.onClick(target.closest("button")));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("toggle", ({ newState }) => { if (newState === "closed") this.closed(); });
  }

  build() {
    SEVERITIES.forEach((severity, at) => {
      const button = this.severities.appendChild(made("button", LABELS[severity], "choose-severity", String(at + 1)));
      button.dataset.severity = severity;
      button.dataset.look = look(severity);
    });
    const list = this.element.querySelector(".palette-groups");
    for (const group of this.groups) {
      const part = list.appendChild(document.createElement("li"));
      group.element = part;
      if (group.inner.length) part.append(made(group.category ? "button" : "p", group.name, "palette-group", group.key));
      else part.append(this.row(group));
      if (group.category && group.inner.length) part.firstChild.dataset.category = group.category;
      if (!group.inner.length) continue;
      const inner = part.appendChild(document.createElement("ul"));
      for (const one of group.inner) inner.appendChild(document.createElement("li")).append(this.row(one));
    }
  }

  /** Return a category with a button for each severity, so that one click says both. */
  row({ name, key, category }) {
    const row = document.createElement("div");
    row.className = "palette-row";
    const button = row.appendChild(made("button", name, "choose-category", key));
    button.dataset.category = category;
    SEVERITIES.forEach((severity, at) => {
      const both = row.appendChild(made("button", String(at + 1), "choose-both"));
      Object.assign(both.dataset, { category, severity, look: look(severity) });
      both.tabIndex = -1;
      both.title = `${LABELS[severity]} ${category}`;
      both.setAttribute("aria-label", `${at + 1} ${both.title}`);
    });
    return row;
  }

  /** Ask for a category beside the anchor. `remove` is undefined unless an error is changed. */
  open({ anchor, severity, category, choose, remove, closed }) {
    Object.assign(this, { choose, remove, closed, anchorBox: anchor.getBoundingClientRect() });
    this.showGroup(null);
    this.setSeverity(severity || this.last.severity);
    const offered = category || this.last.category;
    this.again.hidden = !offered;
    this.again.dataset.category = offered;
    this.again.querySelector(".palette-last").textContent = offered;
    this.element.querySelector(".palette-remove").hidden = !remove;
    this.element.showPopover();
    this.stand();
    (offered ? this.again : this.element.querySelector("[data-category]:not(.palette-again)")).focus({ preventScroll: true });
  }

  /** Stand below the anchor, or above it where there is more room; on a phone at the bottom. */
  stand() {
    const { style } = this.element;
    for (const name of ["left", "top"]) style.removeProperty(name);
    if (NARROW.matches) return;
    const { width, height } = this.element.getBoundingClientRect();
    const { left, top, bottom } = this.anchorBox;
    const gap = 8;
    const fitsBelow = bottom + gap + height <= innerHeight || bottom + gap + height - innerHeight < height - top;
    const y = fitsBelow ? bottom + gap : top - gap - height;
    style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
    style.top = `${Math.max(gap, Math.min(y, innerHeight - height - gap))}px`;
  }

  setSeverity(severity) {
    this.severity = severity;
    for (const button of this.severities.children) button.setAttribute("aria-pressed", String(button.dataset.severity === severity));
  }

  onClick(button) {
    if (!button) return;
    const { category, severity } = button.dataset;
    if (button.matches(".palette-remove")) this.take(this.remove);
    else if (!category && severity) this.setSeverity(severity);
    else if (category) this.pick(category, severity ?? this.severity);
  }

  pick(category, severity) {
    this.last = { category, severity };
    this.take(() => this.choose({ category, severity }));
  }

  take(action) {
    this.element.hidePopover();
    action();
  }

  onKey(event) {
    if (hasAlt(event) || event.ctrlKey || event.metaKey || ["Tab", "Escape"].includes(event.key)) return;
    // No shortcut of the page is meant.
    event.stopPropagation();
    if (["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    const digit = digitOf(event);
    const letter = letterOf(event);
    if (digit !== null && SEVERITIES[digit - 1]) this.setSeverity(SEVERITIES[digit - 1]);
    else if (event.key.startsWith("Arrow")) this.move(["ArrowDown", "ArrowRight"].includes(event.key) ? 1 : -1);
    else if (["Delete", "Backspace"].includes(event.key) && this.group) this.showGroup(null);
    else if (["Delete", "Backspace"].includes(event.key) && this.remove) this.take(this.remove);
    else if (letter) this.onLetter((this.group?.inner ?? this.groups).find(({ key }) => key === letter));
  }

  onLetter(found) {
    if (found?.inner?.length) this.showGroup(found);
    else if (found) this.pick(found.category, this.severity);
  }

  showGroup(group) {
    this.group = group;
    for (const one of this.groups) one.element.classList.toggle("is-open", one === group);
    this.element.classList.toggle("has-group", group !== null);
    group?.element.querySelector("button").focus();
  }

  move(by) {
    const buttons = [...this.element.querySelectorAll("button[data-category]:not(.choose-both, [hidden])")];
    const at = buttons.indexOf(document.activeElement) + by;
    buttons[(at + buttons.length) % buttons.length].focus();
  }
}

/** Return the categories in groups, each with the letter that chooses it among its neighbours. */
export function groupsOf(categories) {
  const groups = [];
  for (const category of categories) {
    const [name, ...inner] = category.split("/");
    let group = groups.find((one) => one.name === name);
    if (!group) groups.push((group = { name, category: "", inner: [] }));
    if (inner.length) group.inner.push({ name: inner.join("/"), category });
    else group.category = category;
  }
  for (const group of groups) withKeys(group.inner);
  return withKeys(groups);
}

/** Give each of these the first letter of its name that no other one has, or any free letter. */
function withKeys(those) {
  const taken = new Set();
  for (const one of those) {
    const name = folded(one.name);
    const initials = name.split(/\P{L}+/u).map((word) => word[0] ?? "");
    const letters = [...initials, ...name, ..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => /^[a-z]$/.test(letter));
    one.key = letters.find((letter) => !taken.has(letter)) ?? "";
    taken.add(one.key);
  }
  return those;
}

function made(kind, text, className, key = "") {
  const element = document.createElement(kind);
  if (kind === "button") element.type = "button";
  element.className = className;
  if (key) element.appendChild(document.createElement("kbd")).textContent = key.toUpperCase();
  element.append(text);
  return element;
}

const palette = CATEGORIES.length ? new Palette() : null;

/* --- the sheet ---------------------------------------------------------------------------------- */

// The text in which the mouse went down.
let pressed = null;
let ignoresClick = false;

function textAt(target) {
  return textOf.get(target.closest?.(".marked-text"));
}

/** Let the source of these cards be marked: its errors are those of the card that was used last. */
function shareSource(element, those) {
  if (!element || !those.length) return;
  const text = new MarkedText(element, "source", element.textContent, those[0]);
  element.classList.add("marked-text");
  for (const [name, value] of Object.entries({ role: "listbox", tabindex: "0", "aria-multiselectable": "true", "aria-orientation": "horizontal", "aria-label": words.sourceLabel })) element.setAttribute(name, value);
  // With one candidate there is no doubt whose errors these are.
  if (those.length > 1) for (const kind of ["focusin", "focusout"]) on(element, kind, () => text.card.candidate.classList.toggle("is-owner", kind === "focusin"));
  for (const card of those) {
    card.source = text;
    on(card.candidate, "focusin", () => {
      if (text.card === card) return;
      text.card = card;
      text.render();
    });
  }
  for (const card of those) card.render();
}

// Errors take back the answer that there are none.
consequences.push((changes) => Object.fromEntries(
  Object.entries(changes)
    .filter(([key, to]) => to && key.startsWith("detail-") && !scoreField(key.slice("detail-".length)))
    .map(([key]) => [key.slice("detail-".length), ""]),
));

eachSheet(() => {
  pressed = null;
  const cards = new Map([...form.querySelectorAll(".candidate.marked")].map((part) => [part.dataset.card, new Card(part)]));
  if (CATEGORIES.length) {
    const segments = [...form.querySelectorAll(".segment")];
    const ownSource = (segment) => segment.querySelector(".source");
    const cardsOf = (some) => [...cards.values()].filter(({ candidate }) => some.includes(candidate.closest(".segment")));
    for (const segment of segments) shareSource(ownSource(segment), cardsOf([segment]));
    shareSource(sheet.querySelector(".sentence .source"), cardsOf(segments.filter((segment) => !ownSource(segment))));
  }
  on(form, "placed", ({ detail }) => {
    for (const key of new Set(detail.step.map(({ card }) => card.replace("detail-", "")))) cards.get(key)?.render();
  });
  on(form, "mousedown", (event) => {
    if (event.button) return;
    ignoresClick = false;
    pressed = textAt(event.target) ?? null;
    // A second click is not to select the word under it.
    if (pressed && event.detail > 1) event.preventDefault();
  });
  on(document, "mouseup", () => {
    const text = pressed;
    pressed = null;
    text?.onRelease();
  });
  on(form, "click", (event) => {
    const button = event.target.closest(".marking button");
    if (button) cards.get(button.closest(".marking").dataset.marking).onClick(button);
    else if (!ignoresClick) textAt(event.target)?.onClick(event);
  });
  on(form, "keydown", (event) => {
    textAt(event.target)?.onKey(event);
    // As in the field of a score: it goes on to what is not judged yet, and then submits.
    if (event.key !== "Enter" || event.shiftKey || !event.target.closest(".no-errors") || !unplaced().length) return;
    event.preventDefault();
    focusNext([event.target.closest(".candidate").dataset.card]);
  });
  // While the mouse is down the text stays as it is, because what is selected is in it.
  on(form, "focusin", ({ target }) => { if (!pressed) textAt(target)?.showWords(true); });
  on(form, "focusout", ({ target }) => {
    const text = textAt(target);
    if (text && !palette?.element.matches(":popover-open")) text.showWords(false);
  });
});
