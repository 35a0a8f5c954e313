/*
 * Submitting. A token, stored until the server answers, makes the request idempotent. Without a
 * network the submission waits, also across reloads, and is sent when the network is back.
 */
import { activeSeconds } from "./activity.js";
import { removeDraft, storeDraft, storedDraft } from "./draft_storage.js";
import { choices, form, sameChoices, toServer, unplaced } from "./placements.js";
import { newToken, Retry, send } from "./server.js";
import { endSaving, stopSaving, pauseSaving, resumeSaving } from "./draft_saving.js";
import { button, link, showMessage, showNotice, showOtherAccount, showSaving, showStatus, text } from "./status.js";

const retry = new Retry(submit);
let underWay = false;
let waiting = false;

/** Take over the form, and send a submission that was waiting when the page was left. */
export function startSubmitting() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (underWay) return;
    if (unplaced().length) form.dispatchEvent(new CustomEvent("missing"));
    else if (form.dataset.conflict) document.getElementById("notice").scrollIntoView({ block: "center" });
    else submit();
  });
  form.addEventListener("placed", ({ detail }) => {
    if (waiting && !detail.external) cancelWaiting();
  });
  const pending = storedDraft()?.pending;
  if (!pending) return;
  if (sameChoices(pending.shown, choices()) && !form.dataset.conflict) submit();
  else storeDraft({ pending: null });
}

/** Submit; the sameChoices choices are sent again with the sameChoices token. */
async function submit() {
  underWay = true;
  pauseSaving();
  const request = pendingRequest();
  storeDraft({ pending: request });
  const focused = document.activeElement;
  form.inert = true;
  showMessage(text("sending"));
  const answer = await send("POST", request.url, request.body);
  if (answer.status === 201) {
    leaveTo();
    return;
  }
  underWay = false;
  form.inert = false;
  focused.focus({ preventScroll: true });
  onRefused(answer);
}

function pendingRequest() {
  const stored = storedDraft()?.pending;
  if (stored && sameChoices(stored.shown, choices())) return stored;
  return {
    url: form.dataset.submissionUrl,
    shown: choices(),
    body: { token: newToken(), ...toServer(choices()), active_seconds: activeSeconds() },
  };
}

function onRefused({ status, data }) {
  showOtherAccount(data.signed_in);
  const lost = status === 404 || (status === 409 && data.submitted);
  if (lost) {
    storeDraft({ pending: null });
    retry.done();
    showStatus();
    stopSaving(data.detail);
  } else if (status === 409) {
    retry.done();
    // Another annotator has the sentence: the placements stay here in case it becomes free.
    showStatus();
    showSaving("over");
    showNotice(data.detail, [button("tryAgain", submit), link(text("continue"), form.dataset.continue)]);
  } else if (status === 400) {
    storeDraft({ pending: null });
    showStatus();
    showNotice(data.detail);
    resumeSaving();
  } else {
    waitForServer(status, data);
  }
}

function waitForServer(status, data) {
  waiting = true;
  showMessage(text("waits"));
  showSaving(status !== 403 ? "waiting" : data.signed_in ? "otherAccount" : "waitingSignedOut");
  retry.later();
}

/** The annotator changed something: the waiting submission is cancelled. */
function cancelWaiting() {
  waiting = false;
  retry.done();
  storeDraft({ pending: null });
  showStatus();
  resumeSaving();
}

/** Leave the sentence for the page after a submission, or for another page. */
export function leaveTo(address = form.dataset.next) {
  endSaving();
  removeDraft();
  location.assign(address);
}
