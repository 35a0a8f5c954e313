/* Undo and redo, without limit within the sentence; both survive a reload. */
import { choices, form, place, same } from "./places.js";
import { isAhead, keep, recall } from "./kept.js";

let past = [];
let future = [];

/** Go on with the history that was kept with the placements that are shown. */
export function startHistory() {
  goOnWithKept();
  for (const [selector, action] of [[".undo", undo], [".redo", redo]]) {
    document.querySelector(selector).addEventListener("click", action);
  }
}

function goOnWithKept() {
  const kept = recall();
  // Another device may have gone on: what it did cannot be undone here.
  const isMine = kept?.dirty || isAhead();
  if (kept?.history && (isMine || same(kept.choices, choices()))) [past, future] = kept.history;
  show();
}

/** Take the last change back; return the cards that moved. */
export function undo() {
  return move(past, future, ({ card, from }) => [card, from]);
}

/** Make the last change that was taken back again; return the cards that moved. */
export function redo() {
  return move(future, past, ({ card, to }) => [card, to]);
}

function move(source, target, change) {
  const step = source.pop();
  if (!step) return [];
  target.push(step);
  place(Object.fromEntries(step.map(change)), { undoing: true });
  remember();
  return step.map(({ card }) => card);
}

function remember() {
  keep({ history: [past, future] });
  show();
}

function show() {
  document.querySelector(".undo").disabled = past.length === 0;
  document.querySelector(".redo").disabled = future.length === 0;
}

form.addEventListener("placed", ({ detail }) => {
  if (detail.followed) goOnWithKept();
  if (detail.followed || detail.undoing) return;
  past.push(detail.step);
  future = [];
  remember();
});
