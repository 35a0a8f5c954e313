/*
 * The rank of every candidate. The radio buttons of the form are what is submitted. Every way of
 * placing a candidate (dragging, clicking, keys, list, undo, a newer draft) calls place(), which
 * checks the button and dispatches the event "placed".
 */
export const form = document.getElementById("judgement");
export const GARBAGE = "garbage";

/** Every card in the order of the page. */
export const cards = [...form.querySelectorAll(".candidate")].map((part) => part.dataset.card);

const current = new Map(cards.map((card) => [card, radios(card).find((radio) => radio.checked)?.value ?? ""]));

function radios(card) {
  return [...form.querySelectorAll(`input[name="card-${card}"]`)];
}

/** Return the rank of the card, "garbage", or "" if it is not placed. */
export function valueOf(card) {
  return current.get(card);
}

/** Return how many ranks the segment of this card has. */
export function ranksOf(card) {
  return radios(card).length - 1;
}

export function unplaced() {
  return cards.filter((card) => current.get(card) === "");
}

/** Return the placed cards: card → value. */
export function choices() {
  return Object.fromEntries([...current].filter(([, value]) => value !== ""));
}

export function sameChoices(some, others) {
  return cards.every((card) => (some[card] ?? "") === (others[card] ?? ""));
}

/**
 * Place cards, card → value; "" moves one back to the tray. Unknown cards and ranks are ignored.
 * `how` goes to the listeners: `undoing` adds nothing to the history, `instantly` is not animated,
 * `external` came from another window or device, `followed` was stored by another window.
 */
export function place(changes, how = {}) {
  const step = Object.entries(changes)
    .map(([card, to]) => ({ card, from: current.get(card), to: String(to) }))
    .filter(({ card, from, to }) => from !== undefined && from !== to && isPlace(card, to));
  if (!step.length) return;
  for (const { card, to } of step) {
    current.set(card, to);
    for (const radio of radios(card)) radio.checked = radio.value === to;
    removeError(card);
  }
  form.dispatchEvent(new CustomEvent("placed", { detail: { step, ...how } }));
}

/** Place exactly these choices. */
export function placeAll(wanted, how) {
  place(Object.fromEntries(cards.map((card) => [card, wanted[card] ?? ""])), how);
}

function isPlace(card, value) {
  return value === "" || radios(card).some((radio) => radio.value === value);
}

/** Remove the server's error message about this candidate. */
function removeError(card) {
  const candidate = form.querySelector(`.candidate[data-card="${card}"]`);
  candidate.classList.remove("candidate-missing");
  candidate.querySelector(".missing")?.remove();
}

form.addEventListener("change", ({ target }) => {
  if (target.name?.startsWith("card-")) place({ [target.name.slice("card-".length)]: target.value });
});
