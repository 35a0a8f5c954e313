/*
 * Drafts in the browser's storage, so that a reload, an expired session or a failure of the network
 * or the server loses nothing.
 *
 * One record per sentence and annotator: `choices` (card → value); `base`, the version on the
 * server that they were based on; `saved`, its choices; `dirty`, whether the server lacks some of
 * them; `unanswered`, choices that were sent but not answered; `history`; and `pending`, a submission
 * that was not answered. Records without a pending submission are removed when the annotator's next
 * sentence is shown.
 */
const PREFIX = "segranks-draft-";
const MAX_AGE_DAYS = 30;
const page = document.querySelector("[data-draft-owner]");
const mine = `${PREFIX}${page.dataset.draftOwner}-`;
const own = mine + page.dataset.sentence;
// Stays null in browsers without storage.
let record = read(own);

/** Return the record of this page's sentence, or null. */
export function storedDraft() {
  return record;
}

/** Was the page made before the server got the latest draft of this browser? */
export function isNewerThanPage() {
  return record?.base > Number(page.dataset.version);
}

/** Update these fields of the record. */
export function storeDraft(fields) {
  record = { ...record, ...fields, time: Date.now() };
  try {
    localStorage.setItem(own, JSON.stringify(record));
  } catch {
    // Without storage the draft is lost with the page.
  }
}

/** Remove the record of this page's sentence, or another one by its key. */
export function removeDraft(key = own) {
  if (key === own) record = null;
  drop((name) => name === key);
}

/** Return the unanswered submissions of earlier sentences: key and request. */
export function pendingSubmissions() {
  const found = [];
  each((key, draft) => {
    if (key.startsWith(mine) && key !== own && draft?.pending) found.push([key, draft.pending]);
  });
  return found;
}

/** Call `listener` when another window of this browser changes the record; null = submitted. */
export function onStoredElsewhere(listener) {
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
    // There is no storage.
  }
}

function drop(isOver) {
  each((key, draft) => {
    if (isOver(key, draft)) localStorage.removeItem(key);
  });
}

drop((key, draft) => {
  const before = key.startsWith(mine) && key !== own && !draft?.pending;
  return before || !(Date.now() - draft?.time < MAX_AGE_DAYS * 86_400_000);
});
