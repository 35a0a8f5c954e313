/*
 * What is placed and not submitted yet is kept in this browser, so that no reload, no switch of
 * the language, no expired session and no failure of the network or the server loses it.
 *
 * One record for a sentence of an annotator: its choices (card → value); `base`, the version of
 * the server that they go on from; `dirty`, whether the server lacks some of them; `unanswered`, the
 * choices that the server may have got without an answer; `history`; and `pending`, a submission
 * that it has not answered. Whatever has no pending submission goes when the annotator's next
 * sentence is shown.
 */
const PREFIX = "segranks-kept-";
const DAYS_KEPT = 30;
const page = document.querySelector("[data-kept]");
const mine = `${PREFIX}${page.dataset.kept}-`;
const own = mine + page.dataset.sentence;
// Without storage everything works but keeping.
let record = read(own);

/** Return what is kept for the sentence of this page, or null. */
export function recall() {
  return record;
}

/** Was the page made before the server got what this browser has sent it since? */
export function isAhead() {
  return record?.base > Number(page.dataset.version);
}

/** Keep these fields, and those kept before. */
export function keep(fields) {
  record = { ...record, ...fields, time: Date.now() };
  try {
    localStorage.setItem(own, JSON.stringify(record));
  } catch {
    // It stays in this page only.
  }
}

/** Forget the sentence of this page, or another one by its key. */
export function forget(key = own) {
  if (key === own) record = null;
  drop((name) => name === key);
}

/** Return the submissions of earlier sentences that were never answered: key and request. */
export function leftOver() {
  const found = [];
  each((key, kept) => {
    if (key.startsWith(mine) && key !== own && kept?.pending) found.push([key, kept.pending]);
  });
  return found;
}

/** Call with what another window of this browser keeps for this sentence; null = it was submitted. */
export function onKeptElsewhere(listener) {
  window.addEventListener("storage", (event) => {
    if (event.key !== own) return;
    record = read(own);
    listener(record);
  });
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function each(visit) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) visit(key, read(key));
    }
  } catch {
    // Nothing can have been kept.
  }
}

function drop(isOver) {
  each((key, kept) => {
    if (isOver(key, kept)) localStorage.removeItem(key);
  });
}

drop((key, kept) => {
  const before = key.startsWith(mine) && key !== own && !kept?.pending;
  return before || !(Date.now() - kept?.time < DAYS_KEPT * 86_400_000);
});
