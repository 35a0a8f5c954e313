/*
 * Active time: seconds in which the page was visible and had been used within the last minute.
 * The server gets that of the sentence; the annotator sees that of the session.
 */
const USED_WITHIN = 60_000;
// A longer break starts a new session.
const BREAK = 30 * 60_000;
const SESSION_KEY = "segranks-session";
const USES = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll"];

let active = 0;
let session = { seconds: 0, last: 0 };
let ticked = Date.now();
let used = Date.now();

/** Start counting at `seconds`; call `show` with the minutes of the session. */
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
  // Time in which the computer slept does not count.
  const passed = Math.max(Math.min(time - ticked, 2000), 0) / 1000;
  ticked = time;
  if (document.visibilityState !== "visible" || time - used > USED_WITHIN) return;
  active += passed;
  session = { seconds: session.seconds + passed, last: time };
  try {
    localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  } catch {
    // Without storage the session ends with the page.
  }
}

function readSession() {
  try {
    const stored = JSON.parse(localStorage.getItem(SESSION_KEY));
    return Date.now() - stored?.last < BREAK ? stored : session;
  } catch {
    return session;
  }
}
