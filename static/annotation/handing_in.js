/*
 * Handing in: idempotent by a token that is kept until the server has answered. Without a network
 * the submission waits, here and across reloads, and goes when the network is back.
 */
import { activeSeconds } from "./activity.js";
import { forget, keep, recall } from "./kept.js";
import { choices, form, GARBAGE, same, unplaced } from "./places.js";
import { newToken, Retry, send } from "./server.js";
import { endSaving, over, pauseSaving, resumeSaving } from "./saving.js";
import { button, link, sayOn, showNotice, showSaving, showStatus, text } from "./status.js";

const retry = new Retry(handIn);
let underWay = false;
let waiting = false;

/** Take over the form; go on with a submission that was waiting when the page was left. */
export function startHandingIn() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (underWay) return;
    if (unplaced().length) form.dispatchEvent(new CustomEvent("missing"));
    else if (form.dataset.conflict) document.getElementById("notice").scrollIntoView({ block: "center" });
    else handIn();
  });
  form.addEventListener("placed", ({ detail }) => {
    if (waiting && !detail.elsewhere) stopWaiting();
  });
  const pending = recall()?.pending;
  if (!pending) return;
  if (same(pending.shown, choices()) && !form.dataset.conflict) handIn();
  else keep({ pending: null });
}

/** Hand in; what was tried before and is the same goes with the same token. */
async function handIn() {
  underWay = true;
  pauseSaving();
  const request = pendingRequest();
  keep({ pending: request });
  const focused = document.activeElement;
  form.inert = true;
  sayOn(text("sending"));
  const answer = await send("POST", request.url, request.body);
  if (answer.status === 201) {
    leave();
    return;
  }
  underWay = false;
  form.inert = false;
  focused.focus({ preventScroll: true });
  refused(answer);
}

function pendingRequest() {
  const kept = recall()?.pending;
  if (kept && same(kept.shown, choices())) return kept;
  const placed = Object.entries(choices()).map(([card, value]) => [card, value === GARBAGE ? value : Number(value)]);
  return {
    url: form.dataset.submissionUrl,
    shown: choices(),
    body: { token: newToken(), choices: Object.fromEntries(placed), active_seconds: activeSeconds() },
  };
}

function refused({ status, data }) {
  const lost = status === 404 || (status === 409 && data.submitted);
  if (lost) {
    keep({ pending: null });
    retry.done();
    showStatus();
    over(data.detail);
  } else if (status === 409) {
    retry.done();
    // Somebody else has it now; what was placed stays here and goes in if it becomes free.
    showStatus();
    showSaving("over");
    showNotice(data.detail, [button("tryAgain", handIn), link(text("goOn"), form.dataset.goOn)]);
  } else if (status === 400) {
    keep({ pending: null });
    showStatus();
    showNotice(data.detail);
    resumeSaving();
  } else {
    wait(status);
  }
}

function wait(status) {
  waiting = true;
  sayOn(text("waits"));
  showSaving(status === 403 ? "waitingSignedOut" : "waiting");
  retry.later();
}

/** Something was changed while the submission waited: it is not handed in by itself any more. */
function stopWaiting() {
  waiting = false;
  retry.done();
  keep({ pending: null });
  showStatus();
  resumeSaving();
}

/** The sentence is done with: go on to what comes after it was handed in, or elsewhere. */
export function leave(address = form.dataset.next) {
  endSaving();
  forget();
  location.assign(address);
}
