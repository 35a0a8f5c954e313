/*
 * Marking errors in a translation. The hidden field detail-KEY has them as a text,
 * "0-12 minor, 20-31 major, missing major"; its characters are code points, as Python counts them.
 * A change is placed like any other, so it is saved, undone and shown in other windows like one.
 *
 * Mouse: select text to mark it; click a mark to make it major, and again to remove it. Touch (and
 * clicks): the first word, then the last one. Keys: arrows move from word to word, with Shift they
 * select, Enter or 1 marks a minor error, 2 a major one, Delete removes it.
 */
import { digitOf, hasAlt } from "../judging/tools.js";
import { eachSheet, form, on, place, valueOf } from "../judging/sheet.js";

const NEXT = { "": "minor", minor: "major", major: "" };

/* --- the notation ---------------------------------------------------------------------------- */

/** Return the marked errors of a text: [{ start, end, severity }]; start is null for an omission. */
export function parse(text) {
  return text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => {
    const [where, severity] = part.split(" ");
    const [start, end] = where === "missing" ? [null, null] : where.split("-").map(Number);
    return { start, end, severity };
  });
}

export function write(errors) {
  return inOrder(errors).map(({ start, end, severity }) => `${start === null ? "missing" : `${start}-${end}`} ${severity}`).join(", ");
}

function inOrder(errors) {
  return [...errors].sort((one, other) => (one.start ?? Infinity) - (other.start ?? Infinity));
}

/** Return the errors with this one; those that it overlaps become part of it, with the worst severity. */
export function mark(errors, start, end, severity) {
  const touched = errors.filter((one) => one.start !== null && one.start < end && start < one.end);
  const whole = {
    start: Math.min(start, ...touched.map((one) => one.start)),
    end: Math.max(end, ...touched.map((one) => one.end)),
    severity: [severity, ...touched.map((one) => one.severity)].includes("major") ? "major" : "minor",
  };
  return [...errors.filter((one) => !touched.includes(one)), whole];
}

/** Return the errors with another severity of one; "" removes it. */
export function change(errors, changed, severity) {
  const others = errors.filter((one) => one.start !== changed.start);
  return severity ? [...others, { ...changed, severity }] : others;
}

/* --- one translation ------------------------------------------------------------------------- */

class Marking {
  constructor(part) {
    this.part = part;
    this.field = `detail-${part.dataset.marking}`;
    this.text = part.querySelector(".marked-text");
    this.list = part.querySelector(".marked-errors");
    this.missing = part.querySelector(".mark-missing");
    // Code points, because the places are numbers of them.
    this.characters = [...part.dataset.text];
    this.words = wordBorders(part.dataset.text, this.text.lang);
    // Where the word cursor is, and where a selection began; null without one.
    this.cursor = 0;
    this.anchor = null;
    // Where the mouse went down in the text.
    this.pressed = false;
    this.listen();
    this.render();
    part.hidden = false;
  }

  get errors() {
    return parse(valueOf(this.field) ?? "");
  }

  store(errors) {
    this.anchor = null;
    place({ [this.field]: write(errors) });
    this.render();
  }

  listen() {
    this.text.addEventListener("mousedown", (event) => {
      if (event.button) return;
      this.pressed = true;
      // A second click is not to select the word under it.
      if (event.detail > 1) event.preventDefault();
    });
    on(document, "mouseup", () => this.onRelease());
    this.text.addEventListener("click", (event) => this.onClick(event));
    this.text.addEventListener("keydown", (event) => this.onKey(event));
    this.text.addEventListener("blur", () => this.setSelection(this.cursor, null));
    this.missing.addEventListener("click", () => this.onMissing());
    this.list.addEventListener("click", (event) => this.onList(event));
  }

  /* What is selected with the mouse becomes a minor error. */
  onRelease() {
    if (!this.pressed) return;
    this.pressed = false;
    const selected = getSelection();
    if (selected.isCollapsed || !selected.rangeCount) return;
    const place = this.placeOf(selected.getRangeAt(0));
    selected.removeAllRanges();
    if (!place) return;
    this.ignoresClick = true;
    setTimeout(() => { this.ignoresClick = false; });
    this.cursor = place.start;
    this.store(mark(this.errors, place.start, place.end, "minor"));
  }

  /** Return where a range is in the text, without spaces at its ends; null if nothing is left. */
  placeOf(range) {
    const inside = document.createRange();
    inside.selectNodeContents(this.text);
    if (range.compareBoundaryPoints(Range.START_TO_START, inside) > 0) inside.setStart(range.startContainer, range.startOffset);
    if (range.compareBoundaryPoints(Range.END_TO_END, inside) < 0) inside.setEnd(range.endContainer, range.endOffset);
    const before = document.createRange();
    before.selectNodeContents(this.text);
    before.setEnd(inside.startContainer, inside.startOffset);
    let start = [...before.toString()].length;
    let end = start + [...inside.toString()].length;
    while (start < end && isSpace(this.characters[start])) start += 1;
    while (start < end && isSpace(this.characters[end - 1])) end -= 1;
    return start < end ? { start, end } : null;
  }

  onClick(event) {
    const unit = this.unitOf(event.target);
    if (this.ignoresClick || !unit) return;
    const error = this.errorAt(unit.start);
    this.cursor = unit.start;
    if (this.anchor !== null) this.markSelection("minor");
    else if (error) this.store(change(this.errors, error, NEXT[error.severity]));
    else this.setSelection(unit.start, unit.start);
  }

  onKey(event) {
    if (hasAlt(event) || event.ctrlKey || event.metaKey) return;
    const forward = getComputedStyle(this.text).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const error = this.errorAt(this.cursor);
    const actions = {
      [forward]: () => this.move(1, event.shiftKey),
      [back]: () => this.move(-1, event.shiftKey),
      Home: () => this.move(-Infinity, event.shiftKey),
      End: () => this.move(Infinity, event.shiftKey),
      Enter: () => (error && this.anchor === null ? this.store(change(this.errors, error, NEXT[error.severity])) : this.markSelection("minor")),
      1: () => this.setSeverity("minor"),
      2: () => this.setSeverity("major"),
      Delete: () => error && this.store(change(this.errors, error, "")),
      Backspace: () => error && this.store(change(this.errors, error, "")),
      Escape: () => this.setSelection(this.cursor, null),
    };
    const action = actions[event.key === " " ? "Enter" : digitOf(event) ?? event.key];
    // Shift+Enter submits the page.
    if (!action || (event.shiftKey && event.key === "Enter")) return;
    event.preventDefault();
    action();
    this.announce();
  }

  move(by, extends_) {
    const places = this.units.map((unit) => unit.start);
    const at = Math.min(Math.max(places.indexOf(this.unitAt(this.cursor).start) + by, 0), places.length - 1);
    this.setSelection(places[at], extends_ ? this.anchor ?? this.cursor : null);
    this.active().scrollIntoView({ block: "nearest" });
  }

  setSeverity(severity) {
    const error = this.errorAt(this.cursor);
    if (error && this.anchor === null) this.store(change(this.errors, error, severity));
    else this.markSelection(severity);
  }

  /** Mark all words from the anchor to the cursor. */
  markSelection(severity) {
    const { start, end } = this.selection(this.anchor ?? this.cursor);
    this.store(mark(this.errors, start, end, severity));
  }

  /** Return where the words from the cursor to this place are. */
  selection(other) {
    const [one, two] = [this.unitAt(this.cursor), this.unitAt(other)];
    return { start: Math.min(one.start, two.start), end: Math.max(one.end, two.end) };
  }

  onMissing() {
    const omission = this.errors.find((one) => one.start === null) ?? { start: null, end: null, severity: "" };
    this.store(change(this.errors, omission, NEXT[omission.severity]));
  }

  onList(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const item = button.closest("li");
    const number = [...this.list.children].indexOf(item);
    // An omission, which is not in the list, would be the last one.
    const error = inOrder(this.errors)[number];
    const isRemoved = button.matches(".remove-error");
    this.store(change(this.errors, error, isRemoved ? "" : error.severity === "minor" ? "major" : "minor"));
    const next = this.list.children[Math.min(number, this.list.children.length - 1)];
    (next?.querySelector(isRemoved ? ".remove-error" : ".change-severity") ?? this.text).focus();
  }

  errorAt(at) {
    return this.errors.find(({ start, end }) => start !== null && start <= at && at < end);
  }

  /* --- what is shown --- */

  setSelection(cursor, anchor) {
    this.cursor = cursor;
    this.anchor = anchor;
    this.showSelection();
  }

  unitOf(element) {
    const option = element.closest?.("[role=option]");
    return option ? this.units[Number(option.dataset.unit)] : null;
  }

  unitAt(at) {
    return this.units.findLast((unit) => unit.start <= at) ?? this.units[0];
  }

  active() {
    return this.text.querySelector(".is-cursor");
  }

  /** Show the text with its marks. Its characters are those of the translation, and no others. */
  render() {
    const errors = inOrder(this.errors);
    const borders = new Set([0, this.characters.length, ...this.words]);
    for (const { start, end } of errors) if (start !== null) borders.add(start).add(end);
    const places = [...borders].sort((one, other) => one - other);
    this.units = [];
    const shown = document.createDocumentFragment();
    let group = null;
    for (let number = 0; number + 1 < places.length; number += 1) {
      const [start, end] = [places[number], places[number + 1]];
      const error = errors.find((one) => one.start !== null && one.start <= start && start < one.end);
      if (!error) group = null;
      else if (error.start === start) shown.append((group = this.group(error)));
      (group ?? shown).append(this.unit(start, end));
    }
    this.text.replaceChildren(shown);
    this.showSelection();
    this.showList(errors);
  }

  group({ severity }) {
    const element = document.createElement("mark");
    element.className = `error error-${severity}`;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", this.part.dataset[severity]);
    return element;
  }

  unit(start, end) {
    const text = this.characters.slice(start, end).join("");
    if (!text.trim()) return document.createTextNode(text);
    const element = document.createElement("span");
    element.textContent = text;
    element.setAttribute("role", "option");
    element.id = `${this.field}-${start}`;
    element.dataset.unit = this.units.length;
    this.units.push({ start, end, element });
    return element;
  }

  showSelection() {
    const current = this.unitAt(this.cursor);
    const { start, end } = this.selection(this.anchor ?? this.cursor);
    for (const { element, start: at } of this.units) {
      const isSelected = this.anchor !== null && start <= at && at < end;
      element.classList.toggle("is-selected", isSelected);
      element.setAttribute("aria-selected", String(isSelected));
      element.classList.toggle("is-cursor", at === current.start);
    }
    this.text.setAttribute("aria-activedescendant", current.element.id);
    this.part.classList.toggle("is-selecting", this.anchor !== null);
  }

  showList(errors) {
    const items = errors.filter(({ start }) => start !== null).map(({ start, end, severity }) => {
      const item = this.part.querySelector("template").content.firstElementChild.cloneNode(true);
      const words = this.characters.slice(start, end).join("");
      item.querySelector(".error-text").textContent = words;
      item.querySelector(".change-severity span").textContent = this.part.dataset[severity];
      item.classList.add(`error-${severity}`);
      for (const button of item.querySelectorAll("button")) button.querySelector(".visually-hidden").textContent += ` ${words}`;
      return item;
    });
    this.list.replaceChildren(...items);
    this.list.hidden = items.length === 0;
    const omission = errors.find((one) => one.start === null)?.severity ?? "";
    this.missing.setAttribute("aria-pressed", String(omission !== ""));
    this.missing.classList.toggle("error-minor", omission === "minor");
    this.missing.classList.toggle("error-major", omission === "major");
    this.missing.querySelector(".severity").textContent = omission && this.part.dataset[omission];
  }

  /** Tell screen readers what is at the cursor after a key. */
  announce() {
    const error = this.errorAt(this.cursor);
    const announced = document.getElementById("announced");
    if (announced && error) announced.textContent = `${this.characters.slice(error.start, error.end).join("")}: ${this.part.dataset[error.severity]}`;
  }
}

/** Return where words begin and end, in code points; texts without spaces have words, too. */
function wordBorders(text, language) {
  const borders = [];
  let at = 0;
  for (const word of splitWords(text, language)) {
    at += [...word].length;
    borders.push(at);
  }
  return borders;
}

function splitWords(text, language) {
  if (!Intl.Segmenter) return text.match(/\s+|\S+/gu) ?? [];
  let segmenter;
  try {
    segmenter = new Intl.Segmenter(language || undefined, { granularity: "word" });
  } catch {
    segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  }
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

function isSpace(character) {
  return character.trim() === "";
}

eachSheet(() => {
  const markings = [...form.querySelectorAll("[data-marking]")].map((part) => new Marking(part));
  on(form, "placed", ({ detail }) => {
    for (const { card } of detail.step) markings.find((one) => one.field === card)?.render();
  });
});
