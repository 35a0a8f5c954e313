/*
 * The rank of every candidate, the comments on segments, and the details of candidates. The fields
 * of the form are what is submitted. Every way of placing a candidate (dragging, clicking, keys, list,
 * undo, a newer draft) calls place(), which checks the button and dispatches the event "placed".
 * A comment or a detail is placed like a card: its key is the name of its field. A score is placed
 * as its rank, as in annotation/kinds/kind.py: 1 is the highest score.
 */
export const form = document.getElementById("judgement");
export const GARBAGE = "garbage";

/** Every card in the order of the page. */
export const cards = [...form.querySelectorAll(".candidate")].map((part) => part.dataset.card);

/** The names of comments and details in the order of the page. */
export const texts = [...form.querySelectorAll('.comment textarea, [name^="detail-"]')].map((field) => field.name);

/**
 * What follows from changes, in the same step: functions that take the changes about to be made,
 * card → value, and return more. A kind with cards of its own adds one.
 */
export const consequences = [];

const current = new Map([
  ...cards.map((card) => [card, shownRank(card)]),
  ...texts.map((name) => [name, form.elements[name].value]),
]);

/** Return the number field of a card that gets a score, else undefined. */
export function scoreField(card) {
  return form.elements[`score-${card}`];
}

function shownRank(card) {
  const field = scoreField(card);
  if (!field) return radios(card).find((radio) => radio.checked)?.value ?? "";
  return field.value !== "" && field.validity.valid ? String(ranksOf(card) - Number(field.value)) : "";
}

function radios(card) {
  return [...form.querySelectorAll(`input[name="card-${card}"]`)];
}

/** Return the rank of the card, "garbage", or "" if it is not placed. */
export function valueOf(card) {
  return current.get(card);
}

/** Return how many ranks the segment of this card has, or steps of a scale. */
export function ranksOf(card) {
  if (scoreField(card)) return Number(scoreField(card).max) + 1;
  return radios(card).filter((radio) => radio.value !== GARBAGE).length;
}

/** Return what is typed to place the card, by rank: the rank, or the number that its label has. */
export function keysOf(card) {
  return radios(card).filter((radio) => radio.value !== GARBAGE).map((radio) => radio.dataset.key ?? radio.value);
}

/** Are the numbers that are typed those of labels? */
export function isNumbered(card) {
  return radios(card).some((radio) => radio.dataset.key);
}

/** Is the card placed on a scale, by itself? Then nothing can be inserted, and there is no garbage bin. */
export function isOnScale(card) {
  return scoreField(card) !== undefined || ranksOf(card) === radios(card).length;
}

export function unplaced() {
  return cards.filter((card) => current.get(card) === "");
}

/** Return the placed cards, the comments and the details: key → value. */
export function choices() {
  return Object.fromEntries([...current].filter(([, value]) => value !== ""));
}

export function sameChoices(some, others) {
  return [...current.keys()].every((key) => (some[key] ?? "") === (others[key] ?? ""));
}

/** Return choices as the server takes them. */
export function toServer(placed) {
  const body = { choices: {}, comments: {}, details: {} };
  for (const [key, value] of Object.entries(placed)) {
    if (key.startsWith("comment-")) body.comments[key.slice("comment-".length)] = value;
    else if (key.startsWith("detail-")) body.details[key.slice("detail-".length)] = value;
    else body.choices[key] = Number(value) || value;
  }
  return body;
}

/** Return choices from what the server has. */
export function fromServer({ choices: placed, comments = {}, details = {} }) {
  return Object.fromEntries([
    ...Object.entries(placed).map(([card, value]) => [card, String(value)]),
    ...Object.entries(comments).map(([number, text]) => [`comment-${number}`, text]),
    ...Object.entries(details).map(([card, text]) => [`detail-${card}`, text]),
  ]);
}

/**
 * Place cards, card → value; "" moves one back to the tray. Unknown cards and ranks are ignored.
 * `how` goes to the listeners: `undoing` adds nothing to the history, `instantly` is not animated,
 * `external` came from another window or device, `followed` was stored by another window, `typed` is
 * one change with what was typed in the same field just before.
 */
export function place(changes, how = {}) {
  const all = { ...changes };
  for (const more of consequences) Object.assign(all, more(all));
  const step = Object.entries(all)
    .map(([card, to]) => ({ card, from: current.get(card), to: String(to) }))
    .filter(({ card, from, to }) => from !== undefined && from !== to && isPlace(card, to));
  if (!step.length) return;
  for (const { card, to } of step) {
    current.set(card, to);
    if (texts.includes(card)) showText(card, to);
    else if (scoreField(card)) scoreField(card).value = to && ranksOf(card) - Number(to);
    else for (const radio of radios(card)) radio.checked = radio.value === to;
    removeError(card);
  }
  form.dispatchEvent(new CustomEvent("placed", { detail: { step, ...how } }));
}

/** Place exactly these choices. */
export function placeAll(wanted, how) {
  place(Object.fromEntries([...current.keys()].map((key) => [key, wanted[key] ?? ""])), how);
}

/**
 * Return the changes that insert cards above rank `line`, from 1; below the last rank if it is one
 * more. An empty rank there is taken; else the cards below move down as far as the next empty rank,
 * or those above move up if there is none.
 */
export function insertion(moved, line) {
  const segment = segmentOf(moved[0]);
  const others = cards.filter((card) => segmentOf(card) === segment && !moved.includes(card) && Number(valueOf(card)));
  const taken = new Set(others.map((card) => Number(valueOf(card))));
  const ranks = ranksOf(moved[0]);
  let below = line;
  while (below <= ranks && taken.has(below)) below += 1;
  let above = line - 1;
  while (above >= 1 && taken.has(above)) above -= 1;
  const isUp = below > ranks || (below > line && above === line - 1 && above >= 1);
  const changes = {};
  for (const card of others) {
    const rank = Number(valueOf(card));
    if (!isUp && rank >= line && rank < below) changes[card] = rank + 1;
    if (isUp && rank < line && rank > above) changes[card] = rank - 1;
  }
  for (const card of moved) changes[card] = isUp ? line - 1 : line;
  return changes;
}

/** Return the number of the card's segment, from 1. */
export function segmentOf(card) {
  return card.split("-")[0];
}

function isPlace(card, value) {
  if (texts.includes(card) || value === "") return true;
  if (scoreField(card)) return /^[0-9]+$/.test(value) && Number(value) >= 1 && Number(value) <= ranksOf(card);
  return radios(card).some((radio) => radio.value === value);
}

function showText(name, text) {
  const field = form.elements[name];
  if (field.value !== text) field.value = text;
  const comment = field.closest(".comment");
  if (text && comment) comment.open = true;
}

/** Remove what says that this candidate is missing. */
function removeError(card) {
  for (const part of form.querySelectorAll(`[data-card="${card}"]`)) {
    part.classList.remove("candidate-missing", "is-missing");
    part.querySelector(".missing")?.remove();
  }
}

form.addEventListener("change", ({ target }) => {
  if (target.name?.startsWith("card-")) place({ [target.name.slice("card-".length)]: target.value });
  if (target.name?.startsWith("score-")) {
    const card = target.name.slice("score-".length);
    place({ [card]: shownRank(card) });
  }
});

form.addEventListener("input", ({ target }) => {
  if (!texts.includes(target.name)) return;
  // The browser undoes what is typed; the history has placements, and what belongs to them.
  place({ [target.name]: target.value }, target.name.startsWith("detail-") ? { typed: true } : { undoing: true });
});
