/*
 * Saving: every change is kept in this browser at once and on the server within a second. Nothing
 * older than what the server has wins by itself: the annotator decides.
 */
import { activeSeconds } from "./activity.js";
import { isAhead, keep, onKeptElsewhere, recall } from "./kept.js";
import { cards, choices, form, placeAll, same, valueOf } from "./places.js";
import { Retry, send } from "./server.js";
import { button, link, say, showNotice, showSaving, text } from "./status.js";

const CALM = 600;
// Since the first change that is not saved: whoever is fast is saved too.
const LONGEST = 1400;
const retry = new Retry(save);

// What the server has, as far as this page knows; `saved` is null where it knows the version only.
let version = Number(form.dataset.version);
let saved = choices();
let timer = 0;
let unsavedSince = 0;
let underWay = false;
// While the annotator has to decide, or a submission is under way, nothing is saved.
let stopped = false;
// The sentence is no longer to be saved here.
let ended = false;

/** Show the newer of what the server has and what this browser kept, and save from now on. */
export function startSaving() {
  const kept = recall();
  if (form.dataset.posted) {
    // Came back with a complaint: nothing is newer, and the server's draft is older.
    saved = {};
    keepHere();
    soon();
  } else if (isAhead()) {
    // As when the page was asked for while a change was on its way.
    version = kept.base;
    saved = kept.dirty ? null : kept.choices;
    placeAll(kept.choices, { undoing: true, calmly: true });
    keepHere();
    settle("saved");
  } else if (kept?.dirty && !same(kept.choices, saved)) {
    const older = kept.base < version && !isOwn(saved);
    const theirs = saved;
    placeAll(kept.choices, { undoing: true, calmly: true });
    if (older) conflict({ version, choices: theirs });
    else soon();
  } else {
    keepHere();
    showSaving(version || Object.keys(saved).length ? "saved" : "nothing");
  }
  form.addEventListener("placed", ({ detail }) => {
    if (detail.elsewhere) return;
    keepHere();
    soon();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") flush();
    else look();
  });
  window.addEventListener("pagehide", flush);
  onKeptElsewhere(follow);
}

/** Stop while a submission is under way; go on where it was not taken. */
export function pauseSaving() {
  stopped = true;
  clearTimeout(timer);
  retry.done();
}

export function resumeSaving() {
  if (ended) return;
  stopped = false;
  if (isDirty()) soon();
  else showSaving("saved");
}

/** The sentence was handed in, skipped or lost: nothing of it is kept again. */
export function endSaving() {
  ended = true;
  pauseSaving();
}

function isDirty() {
  return !saved || !same(choices(), saved);
}

/** Did this browser itself send just that, and the answer was lost? Then nobody else was there. */
function isOwn(placed) {
  return unanswered().some((sent) => same(placed, sent));
}

function unanswered() {
  return recall()?.unanswered ?? [];
}

function keepHere() {
  keep({ choices: choices(), base: version, dirty: isDirty(), active: activeSeconds() });
}

function soon() {
  if (stopped) return;
  clearTimeout(timer);
  unsavedSince ||= Date.now();
  timer = setTimeout(save, Math.max(Math.min(CALM, unsavedSince + LONGEST - Date.now()), 0));
  if (!retry.waiting) showSaving("saving");
}

/** The page is being left or hidden: whatever is not saved goes now. */
function flush() {
  if (ended) return;
  if (!stopped && isDirty()) save({ last: true });
  else keepHere();
}

/** Come back to the page: has another device gone on meanwhile? */
function look() {
  if (stopped || underWay) return;
  if (isDirty()) soon();
  else if (version) save({ again: true });
}

async function save({ last = false, again = false } = {}) {
  clearTimeout(timer);
  if (stopped || underWay) return;
  const sent = choices();
  if (!isDirty() && !again) {
    settle("saved");
    return;
  }
  underWay = true;
  unsavedSince = 0;
  keep({ unanswered: [...unanswered().filter((other) => !same(other, sent)), sent] });
  const numbered = Object.fromEntries(
    Object.entries(sent).map(([card, value]) => [card, Number(value) || value]),
  );
  const body = { base: version, choices: numbered, active_seconds: activeSeconds() };
  const answer = await send("PUT", form.dataset.draftUrl, body, { last });
  underWay = false;
  if (!stopped) take(answer, sent);
}

function take({ status, data }, sent) {
  if (status === 200) {
    version = data.version;
    saved = sent;
    keep({ unanswered: [] });
    keepHere();
    settle("saved");
  } else if (status === 409 && "version" in data) {
    newer({ version: data.version, choices: asShown(data.choices) });
  } else if (status === 409 || status === 404 || status === 400) {
    over(data.detail);
  } else {
    showSaving(status === 403 ? "signedOut" : status ? "unanswered" : "offline");
    retry.later();
  }
}

function asShown(placed) {
  return Object.fromEntries(Object.entries(placed).map(([card, value]) => [card, String(value)]));
}

function settle(state) {
  retry.done();
  if (isDirty()) soon();
  else showSaving(state);
}

/** The server has a newer version: it is shown where nothing here would be lost, else asked. */
function newer(theirs) {
  if (same(theirs.choices, choices()) || isOwn(theirs.choices)) {
    agree(theirs);
  } else if (isDirty() || theirs.version < version) {
    conflict(theirs);
  } else {
    adopt(theirs);
    say(text("followed"));
  }
}

function agree(theirs) {
  version = theirs.version;
  saved = theirs.choices;
  keepHere();
  settle("saved");
}

function adopt(theirs) {
  placeAll(theirs.choices, { elsewhere: true });
  agree(theirs);
}

/* --- when two windows or devices say different things ------------------------------------------ */

function conflict(theirs) {
  pauseSaving();
  form.dataset.conflict = "yes";
  showSaving("conflict");
  const differing = cards.filter((card) => valueOf(card) !== (theirs.choices[card] ?? ""));
  const decide = (action) => () => {
    delete form.dataset.conflict;
    showNotice("");
    stopped = false;
    action();
  };
  showNotice(
    text("conflictLong"),
    [
      button("theirs", decide(() => adopt(theirs))),
      button("mine", decide(() => {
        version = theirs.version;
        saved = theirs.choices;
        keepHere();
        save();
      })),
    ],
    differing.map((card) => difference(card, theirs.choices[card] ?? "")),
  );
}

function difference(card, theirs) {
  const line = document.createElement("span");
  const name = form.querySelector(`.candidate[data-card="${card}"] legend bdi`).cloneNode(true);
  line.append(name, ` ${text("here")} ${placeName(valueOf(card))} · ${text("there")} ${placeName(theirs)}`);
  return line;
}

function placeName(value) {
  return { "": text("unplaced"), garbage: text("garbage") }[value] ?? value;
}

/** The sentence is this annotator's no longer, or was submitted: nothing more is saved. */
export function over(detail) {
  endSaving();
  showSaving("over");
  showNotice(detail ?? text("over"), [link(text("goOn"), form.dataset.goOn)]);
}

/* --- another window of this browser ------------------------------------------------------------- */

/** It has placed something, or saved: this one shows the same; null = submitted there. */
function follow(kept) {
  if (stopped) return;
  if (!kept) {
    over(text("submittedElsewhere"));
    return;
  }
  if (kept.base < version) return;
  version = kept.base;
  if (!kept.dirty) saved = kept.choices;
  if (!same(kept.choices, choices())) {
    clearTimeout(timer);
    placeAll(kept.choices, { followed: true, elsewhere: true });
    showSaving("saving");
  }
  if (!isDirty()) settle("saved");
}
