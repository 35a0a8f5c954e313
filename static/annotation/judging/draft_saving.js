/*
 * Saves every change in this browser at once and on the server within two seconds. If the server
 * has a version that was made elsewhere, both are merged; if they differ in a card that was changed in
 * both, the annotator decides which one stays.
 */
import { activeSeconds } from "./activity.js";
import { isNewerThanPage, storeDraft, onStoredElsewhere, storedDraft } from "./draft_storage.js";
import { cards, choices, form, fromServer, isOnScale, placeAll, ranksOf, sameChoices, scoreField, segmentOf, texts, toServer, valueOf } from "./placements.js";
import { Retry, send } from "./server.js";
import { button, link, showBriefly, showNotice, showOtherAccount, showSaving, text } from "./status.js";

// Milliseconds without a change before saving, and at most since the first unsaved change.
const QUIET = 600;
const MAX_DELAY = 1400;
const retry = new Retry(save);

// The latest known version on the server and its choices; without them nothing can be merged.
let version = Number(form.dataset.version);
let saved = choices();
let timer = 0;
let unsavedSince = 0;
let underWay = false;
// The AbortController of the draft under way.
let request = null;
// Nothing is saved while the annotator resolves a conflict or a submission is under way.
let stopped = false;
// This window saves nothing any more.
let ended = false;

/** Show the newer of the server's and this browser's draft, and save changes from now on. */
export function startSaving() {
  const draft = storedDraft();
  if (form.dataset.posted) {
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
  form.addEventListener("placed", ({ detail }) => {
    if (detail.external) return;
    storeHere();
    saveSoon();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") flush();
    else checkServer();
  });
  window.addEventListener("pagehide", flush);
  onStoredElsewhere(followOtherWindow);
}

/** Pause while a submission is under way; it has all that a draft under way has. */
export function pauseSaving() {
  stopped = true;
  request?.abort();
  clearTimeout(timer);
  retry.done();
}

export function resumeSaving() {
  if (ended) return;
  stopped = false;
  if (isDirty()) saveSoon();
  else showSaving("saved");
}

/** The sentence was submitted, skipped or lost: save nothing of it again. */
export function endSaving() {
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
  clearTimeout(timer);
  unsavedSince ||= Date.now();
  timer = setTimeout(save, Math.max(Math.min(QUIET, unsavedSince + MAX_DELAY - Date.now()), 0));
  if (!retry.waiting) showSaving("saving");
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
  clearTimeout(timer);
  if (stopped || underWay) return;
  const sent = choices();
  if (!isDirty() && !again) {
    finishSaving("saved");
    return;
  }
  underWay = true;
  unsavedSince = 0;
  storeDraft({ unanswered: [...unanswered().filter((other) => !sameChoices(other, sent)), sent] });
  const body = { base: version, ...toServer(sent), active_seconds: activeSeconds() };
  request = new AbortController();
  const answer = await send("PUT", form.dataset.draftUrl, body, { last, controller: request });
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
    showSaving(problem(status, data));
    retry.later();
  }
}

function problem(status, data) {
  if (status === 403) return data.signed_in ? "otherAccount" : "signedOut";
  return status ? "unanswered" : "offline";
}

function finishSaving(state) {
  retry.done();
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
  form.dataset.conflict = "yes";
  showSaving("conflict");
  const differing = [...cards, ...texts].filter((card) => valueOf(card) !== (theirs.choices[card] ?? ""));
  const decide = (action) => () => {
    delete form.dataset.conflict;
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
  if (scoreField(key) && value) return String(ranksOf(key) - Number(value));
  return { "": text("unplaced"), garbage: text("garbage") }[value] ?? value;
}

/** The annotator lost the sentence or has submitted it: stop saving and say so. */
export function stopSaving(detail) {
  endSaving();
  showSaving("over");
  showNotice(detail ?? text("over"), [link(text("continue"), form.dataset.continue)]);
}

/* --- another window of this browser ------------------------------------------------------------- */

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
    clearTimeout(timer);
    placeAll(draft.choices, { followed: true, external: true });
    showSaving("saving");
  }
  if (!isDirty()) finishSaving("saved");
}
