/*
 * Active time: seconds in which the page is visible and was used within the last 60 s. For the
 * sentence it goes to the server; for the session it is shown to the annotator.
 */
const USED_WITHIN = 60_000;
// After so long a break a new session begins.
const BREAK = 30 * 60_000;
const SESSION_KEY = "segranks-session";
const USES = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll"];

let active = 0;
let session = { seconds: 0, last: 0 };
let ticked = Date.now();
let used = Date.now();

/** Count on from `seconds`; show the minutes of the session with `show`. */
export function startActivity(seconds, show) {
  active = seconds;
  session = readSession();
  for (const use of USES) {
    document.addEventListener(use, () => { used = Date.now(); }, { passive: true, capture: true });
  }
  setInterval(() => {
    tick();
    show(Math.floor(session.seconds / 60));
  }, 1000);
  show(Math.floor(session.seconds / 60));
}

/** Return the active seconds of this sentence, to a tenth. */
export function activeSeconds() {
  tick();
  return Math.round(active * 10) / 10;
}

function tick() {
  const time = Date.now();
  // A computer that slept was not used.
  const passed = Math.max(Math.min(time - ticked, 2000), 0) / 1000;
  ticked = time;
  if (document.visibilityState !== "visible" || time - used > USED_WITHIN) return;
  active += passed;
  session = { seconds: session.seconds + passed, last: time };
  try {
    localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  } catch {
    // Then the session is this page.
  }
}

function readSession() {
  try {
    const kept = JSON.parse(localStorage.getItem(SESSION_KEY));
    return Date.now() - kept?.last < BREAK ? kept : session;
  } catch {
    return session;
  }
}
