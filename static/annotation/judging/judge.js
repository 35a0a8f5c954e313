/*
 * The judging page: saves every change, submits, and goes on to the next sentence. Saving and
 * submitting begin anew for each sheet.
 */
import { focusCard, hadDifferences, preference, setPreference, startControls, startTools } from "./tools.js";
import {
  after, ask, cards, choices, form, fromServer, isNewerThanPage, isOnScale, newToken, on,
  onMedia, onStoredElsewhere, openSheet, placeAll, removeDraft, replaceSheet, Retry, sameChoices, scoreOf,
  scoreField, segmentOf, sendPendingSubmissions, sheet, showBriefly, showMessage, showStatus,
  startHistory, startSegments, startStatus, storeDraft, storedDraft, text, texts, toServer,
  unplaced, valueOf,
} from "./sheet.js";

const BY_KEYS = "segranks-by-keys";
const TOAST_SHOWN_FOR = 10_000;
// Milliseconds after the focus has moved, which interrupts what is being read.
const ANNOUNCED_AFTER = 100;
const saving = document.getElementById("saving");
const notice = document.getElementById("notice");
// What screen readers say.
const announced = document.getElementById("announced");
// Whether the annotator used the keyboard last, also on the page before.
let byKeys = false;

/** Start the sheet that the page shows. */
function start() {
  openSheet();
  countFrom(Math.max(Number(sheet.dataset.active), storedDraft()?.active ?? 0));
  startStatus();
  startHistory();
  startSegments();
  startControls({ skip: startSkipping() });
  startSaving();
  startSubmitting();
  removeToastLater();
  sendPendingSubmissions();
}

/** Leave the sentence, which was submitted or skipped, for the next one; without it, for a page. */
function leave(next, address) {
  endSaving();
  removeDraft();
  if (next) showNext(next);
  else location.assign(address);
}

/** Show the next sheet in the place of this one, as a page of its own would be shown. */
function showNext(next) {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const part of document.querySelectorAll(".refusal, .notices")) part.remove();
  showNotice("");
  form.inert = false;
  replaceSheet(next);
  // The short instructions are shown until a sentence has been judged.
  if (Number(document.getElementById("progress").dataset.assignments)) document.querySelector(".summary-lead")?.remove();
  // Without "?skipped" of a page before.
  history.replaceState(null, "", form.dataset.next);
  window.scrollTo({ top: 0, behavior: "instant" });
  start();
  if (!focusForKeys()) sheet.focus({ preventScroll: true });
  announceToast();
}

/** Let screen readers say what has come with the sheet: in a region that was there before. */
function announceToast() {
  const toast = document.querySelector(".toast");
  if (!toast) return;
  toast.removeAttribute("role");
  announced.textContent = "";
  after(ANNOUNCED_AFTER, () => { announced.textContent = toast.textContent; });
}

/** That the sentence before was submitted or skipped is shown until something is placed. */
function removeToastLater() {
  const toast = document.querySelector(".toast");
  setTimeout(() => toast?.remove(), TOAST_SHOWN_FOR);
  on(form, "placed", () => toast?.remove(), { once: true });
}

/** The instructions stay open once the annotator has opened them, until closed or changed. */
function startInstructions() {
  const details = document.querySelector(".instructions");
  const name = `instructions-${details.dataset.version}`;
  details.open = preference(name) === "open";
  details.addEventListener("toggle", () => setPreference(name, details.open ? "open" : "closed"));
}

/** Focus the first candidate if the annotator uses the keyboard; return whether that was done. */
function focusForKeys() {
  const [first] = unplaced();
  if (!byKeys || !first) return false;
  focusCard(first);
  return true;
}

function watchKeyboard() {
  const set = (isOn) => {
    byKeys = isOn;
    try {
      sessionStorage.setItem(BY_KEYS, isOn ? "yes" : "no");
    } catch {
      // Without storage only this page knows.
    }
  };
  try {
    byKeys = sessionStorage.getItem(BY_KEYS) === "yes";
  } catch {
    // Without storage the first key press focuses the first candidate.
  }
  document.addEventListener("keydown", () => set(true));
  document.addEventListener("pointerdown", () => set(false));
}

/* --- active time: seconds in which the page was visible and had been used within the last minute ---
 * What plays is used.
 * The server gets that of the sentence; the annotator sees that of the session.
 */

const USED_WITHIN = 60_000;
// A longer break starts a new session.
const BREAK = 30 * 60_000;
const SESSION_KEY = "segranks-session";
const USES = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll", "timeupdate"];

let active = 0;
let session = { seconds: 0, last: 0 };
let ticked = Date.now();
let used = Date.now();

function startActivity() {
  session = readSession();
  for (const use of USES) {
    document.addEventListener(use, () => { used = Date.now(); }, { passive: true, capture: true });
  }
  setInterval(() => {
    tick();
    showSession();
  }, 1000);
}

/** Count the seconds of this sentence from those that are stored. */
function countFrom(seconds) {
  tick();
  active = seconds;
  showSession();
}

function showSession() {
  const minutes = Math.floor(session.seconds / 60);
  const part = document.getElementById("session");
  part.classList.toggle("is-short", minutes < 1);
  part.querySelector("strong").textContent = minutes;
}

/** Return the active seconds of this sentence, to a tenth. */
function activeSeconds() {
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

/* --- messages ----------------------------------------------------------------------------------- */

/**
 * Show whether the work is saved: nothing, saving, saved, offline, unanswered, signedOut,
 * otherAccount, conflict, over; or waiting, for a submission, where `words` names the problem. Screen
 * readers announce problems only, not every change.
 */
function showSaving(state, words = state) {
  if (saving.dataset.state === state && saving.dataset.problem === words) return;
  Object.assign(saving.dataset, { state, problem: words });
  saving.replaceChildren(text(words));
  if (words === "signedOut") saving.append(" ", link(text("signIn"), text("signInUrl"), { apart: true }));
  const routine = ["nothing", "saving", "saved"].includes(state);
  announced.textContent = routine ? "" : saving.textContent;
}

/** Say that the account of this name has signed in in this browser; without one, no longer say so. */
function showOtherAccount(name = "") {
  if ((notice.dataset.account ?? "") === name) return;
  showNotice(name && form.dataset.otherAccount.replace("{other}", name));
  notice.dataset.account = name;
}

function link(words, url, { apart = false } = {}) {
  const made = document.createElement("a");
  made.href = url;
  made.textContent = words;
  if (apart) made.target = "_blank";
  return made;
}

function button(name, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button";
  made.dataset.choice = name;
  made.textContent = text(name);
  made.addEventListener("click", action);
  return made;
}

/** Show a message that needs a decision, with lines and actions; no words hide it. */
function showNotice(words, actions = [], lines = []) {
  notice.hidden = !words;
  delete notice.dataset.account;
  const message = document.createElement("p");
  message.textContent = words;
  const list = document.createElement("ul");
  for (const line of lines) {
    const item = document.createElement("li");
    item.append(line);
    list.append(item);
  }
  const buttons = document.createElement("div");
  buttons.className = "actions";
  buttons.append(...actions);
  notice.replaceChildren(message, ...(lines.length ? [list] : []), ...(actions.length ? [buttons] : []));
  if (words) notice.scrollIntoView({ block: "nearest" });
}

/* --- saving -------------------------------------------------------------------------------------
 * Saves every change in this browser at once and on the server within two seconds. If the server has
 * a version that was made elsewhere, both are merged; if they differ in a card that was changed in
 * both, the annotator decides which one stays.
 */

// Milliseconds without a change before saving, and at most since the first unsaved change.
const QUIET = 600;
const MAX_DELAY = 1400;

// The latest known version on the server and its choices; without them nothing can be merged.
let version = 0;
let saved = null;
let saveTimer = 0;
let unsavedSince = 0;
let underWay = false;
// The AbortController of the draft under way.
let draftRequest = null;
// Nothing is saved while the annotator resolves a conflict or a submission is under way.
let stopped = false;
// This window saves nothing any more.
let ended = false;
let saveRetry = null;

/** Show the newer of the server's and this browser's draft, and save changes from now on. */
function startSaving() {
  version = Number(sheet.dataset.version);
  saved = choices();
  saveTimer = unsavedSince = 0;
  underWay = stopped = ended = false;
  draftRequest = null;
  saveRetry = new Retry(save);
  const draft = storedDraft();
  if (sheet.dataset.posted) {
    // The server refused the posted form: what was posted is newer than its draft.
    saved = {};
    storeHere();
    saveSoon();
  } else if (isNewerThanPage()) {
    // The page was requested while a change was being saved.
    version = draft.base;
    saved = draft.saved;
    placeAll(draft.choices, { undoing: true, instantly: true });
    storeHere();
    finishSaving("saved");
  } else if (draft?.dirty && !sameChoices(draft.choices, saved)) {
    const older = draft.base < version && !isOwnDraft(saved);
    const theirs = { version, choices: saved };
    placeAll(draft.choices, { undoing: true, instantly: true });
    if (older) {
      version = draft.base;
      saved = draft.saved;
      onNewerVersion(theirs);
    } else saveSoon();
  } else {
    storeHere();
    // A page of texts to edit begins with the texts, which are no answer yet.
    showSaving(version || Object.keys(saved).some((name) => !name.startsWith("detail-")) ? "saved" : "nothing");
  }
  on(form, "placed", ({ detail }) => {
    if (detail.external) return;
    storeHere();
    saveSoon();
  });
  on(document, "visibilitychange", () => {
    if (document.visibilityState === "hidden") flush();
    else checkServer();
  });
  on(window, "pagehide", flush);
  onStoredElsewhere(followOtherWindow);
}

/** Pause while a submission is under way; it has all that a draft under way has. */
function pauseSaving() {
  stopped = true;
  draftRequest?.abort();
  clearTimeout(saveTimer);
  saveRetry.done();
}

function resumeSaving() {
  if (ended) return;
  stopped = false;
  if (isDirty()) saveSoon();
  else showSaving("saved");
}

/** The sentence was submitted, skipped or lost: save nothing of it again. */
function endSaving() {
  ended = true;
  pauseSaving();
}

function isDirty() {
  return !saved || !sameChoices(choices(), saved);
}

/** Did this browser send these choices and lose the answer? Then there is no conflict. */
function isOwnDraft(placed) {
  return unanswered().some((sent) => sameChoices(placed, sent));
}

function unanswered() {
  return storedDraft()?.unanswered ?? [];
}

function storeHere() {
  storeDraft({ choices: choices(), base: version, saved, dirty: isDirty(), active: activeSeconds() });
}

function saveSoon() {
  if (stopped) return;
  clearTimeout(saveTimer);
  unsavedSince ||= Date.now();
  saveTimer = after(Math.max(Math.min(QUIET, unsavedSince + MAX_DELAY - Date.now()), 0), save);
  if (!saveRetry.waiting) showSaving("saving");
}

/** Save now: the page is being left or hidden. */
function flush() {
  if (ended) return;
  if (!stopped && isDirty()) save({ last: true });
  else storeHere();
}

/** The annotator came back to the page: check for changes from another device. */
function checkServer() {
  if (stopped || underWay) return;
  if (isDirty()) saveSoon();
  else if (version) save({ again: true });
}

async function save({ last = false, again = false } = {}) {
  clearTimeout(saveTimer);
  if (stopped || underWay) return;
  const sent = choices();
  if (!isDirty() && !again) {
    finishSaving("saved");
    return;
  }
  underWay = true;
  unsavedSince = 0;
  storeDraft({ unanswered: [...unanswered().filter((other) => !sameChoices(other, sent)), sent] });
  const body = { base: version, ...toServer(sent), active_seconds: activeSeconds(), media: onMedia.played() };
  draftRequest = new AbortController();
  const answer = await ask("PUT", sheet.dataset.draftUrl, body, { last, controller: draftRequest });
  underWay = false;
  if (!stopped) onAnswer(answer, sent);
}

function onAnswer({ status, data }, sent) {
  showOtherAccount(data.signed_in);
  if (status === 200) {
    version = data.version;
    saved = sent;
    storeDraft({ unanswered: [] });
    storeHere();
    finishSaving("saved");
  } else if (status === 409 && "version" in data) {
    onNewerVersion({ version: data.version, choices: fromServer(data) });
  } else if (status === 409 || status === 404 || status === 400) {
    stopSaving(data.detail);
  } else {
    showSaving(savingProblem(status, data));
    saveRetry.later();
  }
}

function savingProblem(status, data) {
  if (status === 403) return data.signed_in ? "otherAccount" : "signedOut";
  return status ? "unanswered" : "offline";
}

function finishSaving(state) {
  saveRetry.done();
  if (isDirty()) saveSoon();
  else showSaving(state);
}

/**
 * The server has a newer version: keep what was changed here and what was changed there. Where both
 * changed the same card, or one moved ranks that the other uses, the annotator decides.
 */
function onNewerVersion(theirs) {
  if (sameChoices(theirs.choices, choices()) || isOwnDraft(theirs.choices)) {
    acceptVersion(theirs);
    return;
  }
  const both = saved && theirs.version > version ? merged(theirs.choices) : null;
  if (both) {
    placeAll(both, { external: true });
    acceptVersion(theirs);
    showBriefly(text("followed"));
  } else {
    conflict(theirs);
  }
}

/** Return their choices with what was changed here; null if a card was changed on both sides. */
function merged(theirs) {
  const mine = choices();
  const differing = (some, others) => [...cards, ...texts].filter((key) => (some[key] ?? "") !== (others[key] ?? ""));
  // A card and its detail are changed together.
  const cardOf = (key) => key.replace("detail-", "");
  const changedHere = new Set(differing(mine, saved).map(cardOf));
  const changedThere = new Set(differing(theirs, saved).map(cardOf));
  const contested = differing(mine, theirs).map(cardOf);
  const here = contested.filter((card) => changedHere.has(card));
  const there = contested.filter((card) => changedThere.has(card));
  if (here.some((card) => changedThere.has(card)) || renumbers(here, there) || renumbers(there, here)) return null;
  const isMine = (key) => changedHere.has(cardOf(key));
  return Object.fromEntries([...cards, ...texts].map((key) => [key, (isMine(key) ? mine : theirs)[key] ?? ""]));
}

/**
 * Were placed cards moved in a segment in which others were ranked? An insertion moves the cards below,
 * so that a rank chosen without it would be that of another card.
 */
function renumbers(moved, others) {
  const isRanked = (card) => cards.includes(card) && !isOnScale(card);
  const segments = new Set(others.filter(isRanked).map(segmentOf));
  return moved.some((card) => isRanked(card) && saved[card] && segments.has(segmentOf(card)));
}

function acceptVersion(theirs) {
  version = theirs.version;
  saved = theirs.choices;
  storeHere();
  finishSaving("saved");
}

function showTheirs(theirs) {
  placeAll(theirs.choices, { external: true });
  acceptVersion(theirs);
}

/* --- when two windows or devices say different things ------------------------------------------ */

function conflict(theirs) {
  pauseSaving();
  sheet.dataset.conflict = "yes";
  showSaving("conflict");
  const differing = [...cards, ...texts].filter((card) => valueOf(card) !== (theirs.choices[card] ?? ""));
  const decide = (action) => () => {
    delete sheet.dataset.conflict;
    showNotice("");
    stopped = false;
    action();
  };
  showNotice(
    text("conflictLong"),
    [
      button("theirs", decide(() => showTheirs(theirs))),
      button("mine", decide(() => {
        version = theirs.version;
        saved = theirs.choices;
        storeHere();
        save();
      })),
    ],
    differing.map((card) => difference(card, theirs.choices[card] ?? "")),
  );
}

function difference(key, theirs) {
  const line = document.createElement("span");
  const card = key.replace("detail-", "");
  const name = key.startsWith("comment-")
    ? `${text("comment")} ${key.slice("comment-".length)}`
    : form.querySelector(`.candidate[data-card="${card}"] legend bdi`).cloneNode(true);
  line.append(name, ` ${text("here")} ${placeName(key, valueOf(key))} · ${text("there")} ${placeName(key, theirs)}`);
  return line;
}

function placeName(key, value) {
  if (scoreField(key) && value) return String(scoreOf(key, value));
  return { "": text("unplaced"), garbage: text("garbage") }[value] ?? value;
}

/** The annotator lost the sentence or has submitted it: stop saving and say so. */
function stopSaving(detail) {
  endSaving();
  showSaving("over");
  showNotice(detail ?? text("over"), [link(text("continue"), form.dataset.continue)]);
}

/** Show what another window placed or saved; null = it has submitted. */
function followOtherWindow(draft) {
  if (stopped) return;
  if (!draft) {
    stopSaving(text("submittedElsewhere"));
    return;
  }
  if (draft.base < version) return;
  version = draft.base;
  saved = draft.saved;
  if (!sameChoices(draft.choices, choices())) {
    clearTimeout(saveTimer);
    placeAll(draft.choices, { followed: true, external: true });
    showSaving("saving");
  }
  if (!isDirty()) finishSaving("saved");
}

/* --- submitting ---------------------------------------------------------------------------------
 * A token, stored until the server answers, makes the request idempotent. Without a network the
 * submission waits, also across reloads, and is sent when the network is back.
 */

let submissionRetry = null;
let isSubmitting = false;
let waiting = false;

/** Take over the form, and send a submission that was waiting when the page was left. */
function startSubmitting() {
  submissionRetry = new Retry(submit);
  isSubmitting = waiting = false;
  on(form, "submit", (event) => {
    event.preventDefault();
    if (isSubmitting) return;
    if (unplaced().length) form.dispatchEvent(new CustomEvent("missing"));
    else if (sheet.dataset.conflict) notice.scrollIntoView({ block: "center" });
    else submit();
  });
  on(form, "placed", ({ detail }) => {
    if (waiting && !detail.external) cancelWaiting();
  });
  const pending = storedDraft()?.pending;
  if (!pending) return;
  if (sameChoices(pending.shown, choices()) && !sheet.dataset.conflict) submit();
  else storeDraft({ pending: null });
}

/** Submit; the same choices are sent again with the same token. */
async function submit() {
  isSubmitting = true;
  pauseSaving();
  const pending = pendingRequest();
  storeDraft({ pending });
  const focused = document.activeElement;
  form.inert = true;
  showMessage(text("sending"));
  const answer = await ask("POST", pending.url, { ...pending.body, frame: form.dataset.frame });
  if (answer.status === 201) {
    leave(answer.data.next, form.dataset.next);
    return;
  }
  isSubmitting = false;
  form.inert = false;
  focused.focus({ preventScroll: true });
  onRefused(answer);
}

function pendingRequest() {
  const stored = storedDraft()?.pending;
  if (stored && sameChoices(stored.shown, choices())) return stored;
  return {
    url: sheet.dataset.submissionUrl,
    shown: choices(),
    body: {
      token: newToken(), ...toServer(choices()), active_seconds: activeSeconds(), media: onMedia.played(), differences: hadDifferences(),
    },
  };
}

function onRefused({ status, data }) {
  showOtherAccount(data.signed_in);
  const lost = status === 404 || (status === 409 && data.submitted);
  if (lost) {
    storeDraft({ pending: null });
    submissionRetry.done();
    showStatus();
    stopSaving(data.detail);
  } else if (status === 409) {
    submissionRetry.done();
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
  showSaving("waiting", savingProblem(status, data));
  submissionRetry.later();
}

/** The annotator changed something: the waiting submission is cancelled. */
function cancelWaiting() {
  waiting = false;
  submissionRetry.done();
  storeDraft({ pending: null });
  showStatus();
  resumeSaving();
}

/* --- skipping ----------------------------------------------------------------------------------- */

/**
 * Skip in a dialog, which says when the server cannot be reached; return what opens it, undefined
 * where the sentence cannot be skipped.
 */
function startSkipping() {
  const dialog = document.getElementById("skip");
  if (!dialog) return undefined;
  const skipForm = dialog.querySelector("form");
  skipForm.reset();
  dialog.querySelector(".problem-line").textContent = "";
  on(document.querySelector(".skip-switch"), "click", (event) => {
    event.preventDefault();
    dialog.showModal();
  });
  on(dialog.querySelector(".close"), "click", (event) => {
    event.preventDefault();
    dialog.close();
  });
  on(skipForm, "submit", async (event) => {
    event.preventDefault();
    const { reason, comment } = skipForm.elements;
    const body = { reason: reason.value, comment: comment.value, frame: form.dataset.frame };
    const { status, data } = await ask("POST", sheet.dataset.skipUrl, body);
    if (status === 200 || status === 204) leave(data.next, `${form.dataset.continue}?skipped`);
    else dialog.querySelector(".problem-line").textContent = skippingProblem(status, data);
  });
  return () => dialog.showModal();
}

function skippingProblem(status, data) {
  if (status === 403) return data.signed_in ? data.detail : text("signedOut");
  if (!status || status >= 500) return text("notSkipped");
  return data.detail ?? text("notSkipped");
}

watchKeyboard();
startActivity();
startTools();
startInstructions();
// The second click of a double click is not meant for the next sheet.
form.querySelector("button[type=submit]").addEventListener("click", (event) => {
  if (event.detail > 1) event.preventDefault();
});
start();
if (document.activeElement === document.body) focusForKeys();
