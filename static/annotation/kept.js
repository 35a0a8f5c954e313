/*
 * What is placed and not submitted yet is kept in this browser, so that no reload, no switch of
 * the language, no expired session and no failure of the server loses it. An annotator has one
 * open sentence in a project; what was kept for the one before goes when the next is there.
 */
const PREFIX = "segranks-kept-";
const DAYS_KEPT = 30;
const page = document.querySelector("[data-kept]");
const own = PREFIX + page.dataset.kept;

/** Return what was kept for the sentence of this page, as an object of card → value. */
export function recall() {
  return read(own)?.choices ?? {};
}

/** Keep these choices instead of those kept before. */
export function keep(choices) {
  try {
    localStorage.setItem(own, JSON.stringify({ sentence: page.dataset.sentence, time: Date.now(), choices }));
  } catch {
    // Without storage everything works but this.
  }
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function drop(isOver) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && isOver(key, read(key))) localStorage.removeItem(key);
    }
  } catch {
    // Nothing can have been kept.
  }
}

drop((key, kept) => {
  const submitted = key === own && kept?.sentence !== page.dataset.sentence;
  return submitted || !(Date.now() - kept?.time < DAYS_KEPT * 86_400_000);
});
