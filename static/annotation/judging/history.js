/* Undo and redo of all placements of a sentence; both survive a reload. */
import { choices, form, place, sameChoices } from "./placements.js";
import { isNewerThanPage, storeDraft, storedDraft } from "./draft_storage.js";

let past = [];
let future = [];
// The field in which the last step was typed, to which more can be added.
let typing = "";

/** Restore the history if it belongs to the placements that are shown. */
export function startHistory() {
  restoreHistory();
  document.querySelector(".bar-history").hidden = false;
  for (const [selector, action] of [[".undo", undo], [".redo", redo]]) {
    document.querySelector(selector).addEventListener("click", action);
  }
}

function restoreHistory() {
  const draft = storedDraft();
  // Changes made on another device cannot be undone here.
  const isOwn = draft?.dirty || isNewerThanPage();
  if (draft?.history && (isOwn || sameChoices(draft.choices, choices()))) [past, future] = draft.history;
  updateButtons();
}

/** Undo the last change; return the cards that moved. */
export function undo() {
  return move(past, future, ({ card, from }) => [card, from]);
}

/** Redo the last undone change; return the cards that moved. */
export function redo() {
  return move(future, past, ({ card, to }) => [card, to]);
}

function move(source, target, change) {
  const step = source.pop();
  if (!step) return [];
  target.push(step);
  place(Object.fromEntries(step.map(change)), { undoing: true });
  saveHistory();
  return step.map(({ card }) => card);
}

/** Add what was typed to the last step if that is of the same field. */
function remember(step, typed) {
  const field = typed ? step.find(({ card }) => card.startsWith("detail-")).card : "";
  if (!typed || field !== typing) past.push([]);
  const last = new Map(past.pop().map((change) => [change.card, change]));
  for (const { card, from, to } of step) last.set(card, { card, from: last.get(card)?.from ?? from, to });
  const changed = [...last.values()].filter(({ from, to }) => from !== to);
  if (changed.length) past.push(changed);
  typing = changed.length ? field : "";
}

function saveHistory() {
  storeDraft({ history: [past, future] });
  updateButtons();
}

function updateButtons() {
  document.querySelector(".undo").disabled = past.length === 0;
  document.querySelector(".redo").disabled = future.length === 0;
}

form.addEventListener("placed", ({ detail }) => {
  if (detail.followed) restoreHistory();
  if (detail.followed || detail.undoing) {
    typing = "";
    return;
  }
  remember(detail.step, detail.typed);
  future = [];
  saveHistory();
});
