/*
 * Where the candidates are. The radio buttons of the form are what is submitted; every way of
 * placing a candidate (dragging, clicking, keys, the list, undo, a draft from elsewhere) goes
 * through place(), which checks the button and tells everybody with the event "placed".
 */
export const form = document.getElementById("judgement");
export const GARBAGE = "garbage";

/** Every card in the order of the page. */
export const cards = [...form.querySelectorAll(".candidate")].map((part) => part.dataset.card);

const now = new Map(cards.map((card) => [card, radios(card).find((radio) => radio.checked)?.value ?? ""]));

function radios(card) {
  return [...form.querySelectorAll(`input[name="card-${card}"]`)];
}

/** Return the rank of the card, "garbage", or "" for one that is not placed. */
export function valueOf(card) {
  return now.get(card);
}

/** Return how many ranks the segment of this card has. */
export function ranksOf(card) {
  return radios(card).length - 1;
}

export function unplaced() {
  return cards.filter((card) => now.get(card) === "");
}

/** Return what is placed: card → value. */
export function choices() {
  return Object.fromEntries([...now].filter(([, value]) => value !== ""));
}

export function same(some, others) {
  return cards.every((card) => (some[card] ?? "") === (others[card] ?? ""));
}

/**
 * Place cards, card → value; "" takes one back. Cards and ranks that do not exist are passed over.
 * `how` goes to the listeners: `undoing` is not put into the history again, `calmly` is not animated.
 */
export function place(changes, how = {}) {
  const step = Object.entries(changes)
    .map(([card, to]) => ({ card, from: now.get(card), to: String(to) }))
    .filter(({ card, from, to }) => from !== undefined && from !== to && isPlace(card, to));
  if (!step.length) return;
  for (const { card, to } of step) {
    now.set(card, to);
    for (const radio of radios(card)) radio.checked = radio.value === to;
    forgetComplaint(card);
  }
  form.dispatchEvent(new CustomEvent("placed", { detail: { step, ...how } }));
}

/** Show these choices and no others. */
export function placeAll(wanted, how) {
  place(Object.fromEntries(cards.map((card) => [card, wanted[card] ?? ""])), how);
}

function isPlace(card, value) {
  return value === "" || radios(card).some((radio) => radio.value === value);
}

/** The server complained that this candidate had no place: now it has one. */
function forgetComplaint(card) {
  const candidate = form.querySelector(`.candidate[data-card="${card}"]`);
  candidate.classList.remove("candidate-missing");
  candidate.querySelector(".missing")?.remove();
}

form.addEventListener("change", ({ target }) => {
  if (target.name?.startsWith("card-")) place({ [target.name.slice("card-".length)]: target.value });
});
