/*
 * The open sheet: a sentence, the placements of its candidates, their history, what this browser and
 * the server store of them, and what the page says about them.
 *
 * A page shows one sheet after the other. What is the same for all of them, such as the form, is
 * found when this module is loaded. What belongs to a sheet is set by a function that is called for
 * each, and whatever happens later (an event, a timer, an answer of the server) is waited for with
 * on(), after(), observe() or ask(), which end with the sheet: nothing of one touches the next.
 */
export const form = document.getElementById("judgement");
export const GARBAGE = "garbage";
export const NARROW = window.matchMedia("(max-width: 43.99rem)");

export let sheet = null;
/** Every card in the order of the page. */
export let cards = [];
/** The names of comments and details in the order of the page. */
export let texts = [];
// The cards to which a detail is an answer by itself, such as marked errors without a score.
let byDetail = new Set();
// Card or name of a text → value.
let current = new Map();
let life = new AbortController();
const starts = [];

/** Call `start` for every sheet: an answer with a script of its own starts its cards. */
export function eachSheet(start) {
  starts.push(start);
}

/** Start the sheet that the page shows. */
export function openSheet() {
  life = new AbortController();
  sheet = document.getElementById("sheet");
  cards = [...sheet.querySelectorAll(".candidate")].map((part) => part.dataset.card);
  byDetail = new Set([...sheet.querySelectorAll("[data-by-detail]")].map((part) => part.dataset.card));
  texts = [...sheet.querySelectorAll('.comment textarea, [name^="detail-"]')].map((field) => field.name);
  current = new Map([
    ...cards.map((card) => [card, shownRank(card)]),
    ...texts.map((name) => [name, form.elements[name].value]),
  ]);
  openDraft();
  on(form, "change", followField);
  on(form, "input", followText);
  for (const start of starts) start();
}

/** Put each part of the next sheet in the place of the part with its id, and end this one. */
export function replaceSheet(html) {
  const next = document.createElement("template");
  next.innerHTML = html;
  life.abort();
  for (const part of [...next.content.children]) document.getElementById(part.id).replaceWith(part);
}

/** Listen to events until the sheet ends. */
export function on(target, kind, listener, options = {}) {
  target.addEventListener(kind, listener, { ...options, signal: life.signal });
}

/** Do this after so many milliseconds unless the sheet has ended; return the timer. */
export function after(milliseconds, action) {
  const { signal } = life;
  return setTimeout(() => { if (!signal.aborted) action(); }, milliseconds);
}

/** Do this when the sheet ends. */
export function atEnd(action) {
  life.signal.addEventListener("abort", action);
}

/** Do this now and whenever the size of the element changes, until the sheet ends. */
function observe(element, action) {
  const observer = new ResizeObserver(action);
  observer.observe(element);
  atEnd(() => observer.disconnect());
  action();
}

/* --- placements --------------------------------------------------------------------------------
 * The fields of the form are what is submitted. Every way of placing a candidate (dragging, clicking,
 * keys, list, undo, a newer draft) calls place(), which checks the button and dispatches the event
 * "placed". A comment or a detail is placed like a card: its key is the name of its field. A score is
 * placed as its rank, as in annotation/kinds/kind.py: 1 is the highest score.
 */

/**
 * What follows from changes, in the same step: functions that take the changes about to be made,
 * card → value, and return more. A kind with cards of its own adds one.
 */
export const consequences = [];

/** What board.js adds where cards lie on boards; without it there are lists only. */
export const onBoard = { pieceOf: () => null, select: () => {}, selectedPieces: () => [], toggle: () => {} };

/** What media.js adds where media are beside the source: seconds and starts of each, by its id. */
export const onMedia = { played: () => ({}) };

/** Return the number field of a card that gets a score, else undefined. */
export function scoreField(card) {
  return form.elements[`score-${card}`];
}

function shownRank(card) {
  const field = scoreField(card);
  if (!field) return radios(card).find((radio) => radio.checked)?.value ?? "";
  return field.value !== "" && field.validity.valid ? String(rankOf(card, field.value)) : "";
}

/** Return the rank as which a score of the card is placed. */
export function rankOf(card, score) {
  const { max, step } = scoreField(card);
  return (Number(max) - Number(score)) / Number(step) + 1;
}

/** Return the score of the card that is placed as this rank. */
export function scoreOf(card, rank) {
  const { max, step } = scoreField(card);
  return Number(max) - (Number(rank) - 1) * Number(step);
}

function radios(card) {
  return [...form.querySelectorAll(`input[name="card-${card}"]`)];
}

/** Return the rank of the card, "garbage", or "" if it is not placed. */
export function valueOf(card) {
  return current.get(card);
}

/** Return how many ranks the segment of this card has, or steps of a scale. */
export function ranksOf(card) {
  if (scoreField(card)) return rankOf(card, scoreField(card).min);
  return radios(card).filter((radio) => radio.value !== GARBAGE).length;
}

/** Return what is typed to place the card, by rank: the rank, or the number that its label has. */
export function keysOf(card) {
  return radios(card).filter((radio) => radio.value !== GARBAGE).map((radio) => radio.dataset.key ?? radio.value);
}

/** Are the numbers that are typed those of labels? */
export function isNumbered(card) {
  return radios(card).some((radio) => radio.dataset.key);
}

/** Is the card placed on a scale, by itself? Then nothing can be inserted, and there is no garbage bin. */
export function isOnScale(card) {
  return scoreField(card) !== undefined || ranksOf(card) === radios(card).length;
}

/** Return the cards without an answer. */
export function unplaced() {
  return cards.filter((card) => current.get(card) === "" && !(byDetail.has(card) && current.get(`detail-${card}`)));
}

/** Return the placed cards, the comments and the details: key → value. */
export function choices() {
  return Object.fromEntries([...current].filter(([, value]) => value !== ""));
}

export function sameChoices(some, others) {
  return [...current.keys()].every((key) => (some[key] ?? "") === (others[key] ?? ""));
}

/** Return choices as the server takes them. */
export function toServer(placed) {
  const body = { choices: {}, comments: {}, details: {} };
  for (const [key, value] of Object.entries(placed)) {
    if (key.startsWith("comment-")) body.comments[key.slice("comment-".length)] = value;
    else if (key.startsWith("detail-")) body.details[key.slice("detail-".length)] = value;
    else body.choices[key] = Number(value) || value;
  }
  return body;
}

/** Return choices from what the server has. */
export function fromServer({ choices: placed, comments = {}, details = {} }) {
  return Object.fromEntries([
    ...Object.entries(placed).map(([card, value]) => [card, String(value)]),
    ...Object.entries(comments).map(([number, text]) => [`comment-${number}`, text]),
    ...Object.entries(details).map(([card, text]) => [`detail-${card}`, text]),
  ]);
}

/**
 * Place cards, card → value; "" moves one back to the tray. Unknown cards and ranks are ignored.
 * `how` goes to the listeners: `undoing` adds nothing to the history, `instantly` is not animated,
 * `external` came from another window or device, `followed` was stored by another window, `typed` is
 * one change with what was typed in the same field just before.
 */
export function place(changes, how = {}) {
  const all = { ...changes };
  for (const more of consequences) Object.assign(all, more(all));
  const step = Object.entries(all)
    .map(([card, to]) => ({ card, from: current.get(card), to: String(to) }))
    .filter(({ card, from, to }) => from !== undefined && from !== to && isPlace(card, to));
  if (!step.length) return;
  for (const { card, to } of step) {
    current.set(card, to);
    if (texts.includes(card)) showText(card, to);
    else if (scoreField(card)) scoreField(card).value = to && scoreOf(card, to);
    else for (const radio of radios(card)) radio.checked = radio.value === to;
    const judged = card.replace("detail-", "");
    if (judged === card || byDetail.has(judged)) removeError(judged);
  }
  form.dispatchEvent(new CustomEvent("placed", { detail: { step, ...how } }));
}

/** Place exactly these choices. */
export function placeAll(wanted, how) {
  place(Object.fromEntries([...current.keys()].map((key) => [key, wanted[key] ?? ""])), how);
}

/**
 * Return the changes that insert cards above rank `line`, from 1; below the last rank if it is one
 * more. An empty rank there is taken; else the cards below move down as far as the next empty rank,
 * or those above move up if there is none.
 */
export function insertion(moved, line) {
  const segment = segmentOf(moved[0]);
  const others = cards.filter((card) => segmentOf(card) === segment && !moved.includes(card) && Number(valueOf(card)));
  const taken = new Set(others.map((card) => Number(valueOf(card))));
  const ranks = ranksOf(moved[0]);
  let below = line;
  while (below <= ranks && taken.has(below)) below += 1;
  let above = line - 1;
  while (above >= 1 && taken.has(above)) above -= 1;
  const isUp = below > ranks || (below > line && above === line - 1 && above >= 1);
  const changes = {};
  for (const card of others) {
    const rank = Number(valueOf(card));
    if (!isUp && rank >= line && rank < below) changes[card] = rank + 1;
    if (isUp && rank < line && rank > above) changes[card] = rank - 1;
  }
  for (const card of moved) changes[card] = isUp ? line - 1 : line;
  return changes;
}

/** Return the number of the card's segment, from 1. */
export function segmentOf(card) {
  return card.split("-")[0];
}

function isPlace(card, value) {
  if (texts.includes(card) || value === "") return true;
  if (scoreField(card)) return /^[0-9]+$/.test(value) && Number(value) >= 1 && Number(value) <= ranksOf(card);
  return radios(card).some((radio) => radio.value === value);
}

function showText(name, text) {
  const field = form.elements[name];
  if (field.value !== text) field.value = text;
  const comment = field.closest(".comment");
  if (text && comment) comment.open = true;
}

/** Remove what says that this candidate is missing. */
function removeError(card) {
  for (const part of form.querySelectorAll(`[data-card="${card}"]`)) {
    part.classList.remove("candidate-missing", "is-missing");
    part.querySelector(".missing")?.remove();
  }
}

function followField({ target }) {
  // A radio button that changes is checked; a checkbox need not be.
  if (target.name?.startsWith("card-")) place({ [target.name.slice("card-".length)]: target.checked ? target.value : "" });
  if (target.name?.startsWith("score-")) {
    const card = target.name.slice("score-".length);
    place({ [card]: shownRank(card) });
  }
}

function followText({ target }) {
  if (!texts.includes(target.name)) return;
  // The browser undoes what is typed; the history has placements, and what belongs to them.
  place({ [target.name]: target.value }, target.name.startsWith("detail-") ? { typed: true } : { undoing: true });
}

/* --- undo and redo -----------------------------------------------------------------------------
 * Of all placements of a sheet; both survive a reload.
 */

let past = [];
let future = [];
// The field in which the last step was typed, to which more can be added.
let typing = "";

/** Restore the history if it belongs to the placements that are shown. */
export function startHistory() {
  [past, future, typing] = [[], [], ""];
  restoreHistory();
  document.querySelector(".bar-history").hidden = false;
  on(document.querySelector(".undo"), "click", undo);
  on(document.querySelector(".redo"), "click", redo);
  on(form, "placed", ({ detail }) => {
    if (detail.followed) restoreHistory();
    if (detail.followed || detail.undoing) {
      typing = "";
      return;
    }
    addToHistory(detail.step, detail.typed);
    future = [];
    storeHistory();
  });
}

function restoreHistory() {
  const draft = storedDraft();
  // Changes made on another device cannot be undone here.
  const isOwn = draft?.dirty || isNewerThanPage();
  if (draft?.history && (isOwn || sameChoices(draft.choices, choices()))) [past, future] = draft.history;
  showHistory();
}

/** Undo the last change; return the cards that moved. */
export function undo() {
  return move(past, future, ({ card, from }) => [card, from]);
}

/** Redo the last undone change; return the cards that moved. */
export function redo() {
  return move(future, past, ({ card, to }) => [card, to]);
}

function move(source, target, change) {
  const step = source.pop();
  if (!step) return [];
  target.push(step);
  place(Object.fromEntries(step.map(change)), { undoing: true });
  storeHistory();
  return step.map(({ card }) => card);
}

/** Add what was typed to the last step if that is of the same field. */
function addToHistory(step, typed) {
  const field = typed ? step.find(({ card }) => card.startsWith("detail-")).card : "";
  if (!typed || field !== typing) past.push([]);
  const last = new Map(past.pop().map((change) => [change.card, change]));
  for (const { card, from, to } of step) last.set(card, { card, from: last.get(card)?.from ?? from, to });
  const changed = [...last.values()].filter(({ from, to }) => from !== to);
  if (changed.length) past.push(changed);
  typing = changed.length ? field : "";
}

function storeHistory() {
  storeDraft({ history: [past, future] });
  showHistory();
}

function showHistory() {
  document.querySelector(".undo").disabled = past.length === 0;
  document.querySelector(".redo").disabled = future.length === 0;
}

/* --- drafts in the browser's storage -----------------------------------------------------------
 * So that a reload, an expired session or a failure of the network or the server loses nothing.
 *
 * One record per sentence and annotator: `choices` (card → value); `base`, the version on the
 * server that they were based on; `saved`, its choices; `dirty`, whether the server lacks some of
 * them; `unanswered`, choices that were sent but not answered; `history`; and `pending`, a submission
 * that was not answered. Records without a pending submission are removed when the annotator's next
 * sentence is shown.
 */

const PREFIX = "segranks-draft-";
const MAX_AGE_DAYS = 30;
const mine = `${PREFIX}${document.querySelector("[data-draft-owner]")?.dataset.draftOwner}-`;
// The key of the open sheet; no record has that of a page without one.
let own = mine;
// Stays null in browsers without storage.
let record = null;

function openDraft() {
  own = mine + sheet.dataset.sentence;
  record = read(own);
  removeOldDrafts();
}

/** Return the record of this sheet, or null. */
export function storedDraft() {
  return record;
}

/** Was the sheet made before the server got the latest draft of this browser? */
export function isNewerThanPage() {
  return record?.base > Number(sheet.dataset.version);
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

/** Remove the record of this sheet, or another one by its key. */
export function removeDraft(key = own) {
  if (key === own) record = null;
  drop((name) => name === key);
}

/** Call `listener` when another window of this browser changes the record; null = submitted. */
export function onStoredElsewhere(listener) {
  on(window, "storage", (event) => {
    if (event.key !== own) return;
    record = read(own);
    listener(record);
  });
}

/** Send the submissions of earlier sentences that the server has not answered. */
export function sendPendingSubmissions() {
  removeOldDrafts();
  each(async (key, draft) => {
    if (!key.startsWith(mine) || key === own || !draft?.pending) return;
    const { status, data } = await send("POST", draft.pending.url, draft.pending.body);
    // 409 without `submitted`: another annotator has the sentence, and it may become free again.
    if (status === 201 || status === 404 || status === 400 || data.submitted) removeDraft(key);
  });
}

function removeOldDrafts() {
  drop((key, draft) => {
    const before = key.startsWith(mine) && key !== own && !draft?.pending;
    return before || !(Date.now() - draft?.time < MAX_AGE_DAYS * 86_400_000);
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

/* --- requests to the server --------------------------------------------------------------------
 * Every answer is a status and data; status 0 means no answer.
 */

// Milliseconds.
const TIMEOUT = 20_000;
const MAX_WAIT = 60_000;
// Another account may have signed in in this browser since the page was made.
const annotator = document.querySelector("[data-annotator]")?.dataset.annotator ?? "";

/** Send JSON for this sheet. If it has ended when the answer comes, the caller never gets it. */
export async function ask(method, url, body, options) {
  const { signal } = life;
  const answer = await send(method, url, body, options);
  return signal.aborted ? new Promise(() => {}) : answer;
}

/** Send JSON; return { status, data }. An old CSRF token is renewed once. */
async function send(method, url, body, { last = false, controller = new AbortController() } = {}) {
  const answer = await request(method, url, body, last, controller);
  const tooOld = answer.status === 403 && String(answer.data.detail).startsWith("CSRF");
  if (!tooOld) return answer;
  // Any page sets a new one as a cookie.
  await fetch("/sign-in/", { cache: "no-store" }).catch(() => null);
  return request(method, url, body, last, controller);
}

async function request(method, url, body, last, controller) {
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        "X-CSRFToken": csrfToken(),
        "X-Annotator": annotator,
      },
      body: JSON.stringify(body),
      // The page may be closing.
      keepalive: last,
      signal: controller.signal,
    });
    // The data of a successful answer are needed: if they break off, because the page is being left,
    // the request counts as unanswered. A refusal needs none, and an answer can have none.
    const isNeeded = response.ok && response.status !== 204;
    const data = await (isNeeded ? response.json() : response.json().catch(() => ({})));
    return { status: response.status, data };
  } catch {
    return { status: 0, data: {} };
  } finally {
    clearTimeout(timer);
  }
}

// Read each time: another window may have signed in again and got a new token.
function csrfToken() {
  return /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

/** Return a UUID; crypto.randomUUID does not exist on pages over plain HTTP. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Repeats an action after growing delays, and at once when the network or the reader is back; until
 * the sheet ends.
 */
export class Retry {
  #action;
  #failures = 0;
  #timer = 0;

  constructor(action) {
    this.#action = action;
    on(window, "online", () => this.#now());
    on(document, "visibilitychange", () => {
      if (document.visibilityState === "visible") this.#now();
    });
  }

  later() {
    clearTimeout(this.#timer);
    this.#timer = after(Math.min(1000 * 2 ** this.#failures, MAX_WAIT), () => this.#now());
    this.#failures += 1;
  }

  get waiting() {
    return this.#failures > 0;
  }

  done() {
    clearTimeout(this.#timer);
    this.#timer = this.#failures = 0;
  }

  #now() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#action();
  }
}

/* --- what is left to rank ---------------------------------------------------------------------- */

const SHOWN_FOR = 3000;
const status = document.getElementById("status");
const submitButton = form?.querySelector("button[type=submit]");
let statusTimer = 0;

export function startStatus() {
  on(form, "placed", showStatus);
  on(form, "missing", showMissing);
  showStatus();
}

/** Return a text of the page by its name. */
export function text(name) {
  return document.getElementById("texts").dataset[name];
}

/** Show a message for three seconds. */
export function showBriefly(words) {
  showMessage(words);
  statusTimer = after(SHOWN_FOR, showStatus);
}

/** Show a message until the next one. */
export function showMessage(words) {
  clearTimeout(statusTimer);
  status.textContent = words;
}

/** Say how many candidates are missing, and mark them. */
function showMissing() {
  showBriefly(`${text("missing")} ${unplaced().length}`);
  status.classList.add("is-bad");
  for (const card of unplaced()) {
    for (const part of form.querySelectorAll(`[data-card="${card}"]`)) part.classList.add("is-missing");
  }
}

/** Show how many candidates are left to rank. */
export function showStatus() {
  clearTimeout(statusTimer);
  status.classList.remove("is-bad");
  const left = unplaced();
  submitButton.setAttribute("aria-disabled", String(left.length > 0));
  status.replaceChildren(left.length ? linkToMissing(left) : text("done"));
}

function linkToMissing(left) {
  const link = document.createElement("a");
  link.href = `#segment-${segmentOf(left[0])}`;
  link.textContent = `${text("left")} ${left.length}`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    form.dispatchEvent(new CustomEvent("search"));
  });
  return link;
}

/* --- the segment that the annotator works on ---------------------------------------------------
 * Its words are marked in the source and the reference; on a narrow screen it is the only one that is
 * shown.
 */

// The share of the window that a text which stays in view may take.
const STICKY_SHARE = 0.3;
let segments = [];
let pager = null;
let currentNumber = "1";

/** Return the number of the current segment, from 1, as in the keys of cards. */
export function currentSegment() {
  return currentNumber;
}

/** Make this the current segment. */
export function showSegment(number) {
  currentNumber = number;
  segments.forEach((segment, at) => segment.classList.toggle("is-current", at + 1 === Number(number)));
  for (const mark of form.querySelectorAll("mark[data-segments]")) {
    mark.classList.toggle("is-current", mark.dataset.segments.split(" ").includes(number));
  }
  if (!pager) return;
  pager.querySelector(".number").textContent = number;
  pager.querySelector(".previous-segment").disabled = number === "1";
  pager.querySelector(".next-segment").disabled = Number(number) === segments.length;
  pager.classList.toggle("is-done", !unplaced().some((card) => segmentOf(card) === number));
}

/** Follow the annotator from segment to segment, from the first that has something to rank. */
export function startSegments() {
  segments = [...form.querySelectorAll(".segment")];
  pager = document.querySelector(".segment-pager");
  form.classList.toggle("is-paged", pager !== null);
  if (pager) {
    pager.hidden = false;
    pager.querySelector(".previous-segment").addEventListener("click", () => turn(-1));
    pager.querySelector(".next-segment").addEventListener("click", () => turn(1));
  }
  for (const kind of ["focusin", "pointerdown"]) on(form, kind, follow);
  on(form, "pointermove", (event) => {
    // Not where the page scrolls under a mouse that rests.
    if (event.pointerType === "mouse" && (event.movementX || event.movementY)) follow(event);
  });
  on(form, "placed", ({ detail }) => {
    const [{ card }] = detail.step;
    const isHere = detail.external || texts.includes(card);
    showSegment(isHere ? currentNumber : segmentOf(card));
  });
  showSegment(unplaced().length ? segmentOf(unplaced()[0]) : "1");
  stickIfItFits();
  // The page scrolls nothing that has the focus under the bar.
  const bar = form.querySelector(".submit-bar");
  observe(bar, () => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`));
}

function follow({ target }) {
  const segment = target.closest(".segment");
  const number = String(segments.indexOf(segment) + 1);
  if (segment && number !== currentNumber) showSegment(number);
}

/** Turn to another segment; what was at the top of the window stays there. */
function turn(by) {
  showSegment(String(Number(currentNumber) + by));
  pager.scrollIntoView({ block: "nearest" });
  segments[Number(currentNumber) - 1].scrollIntoView({ block: "nearest" });
}

/** Keep the source in view, with the reference on a wide screen, if it is not too high. */
function stickIfItFits() {
  const sentence = form.querySelector(".sentence");
  const source = sentence.querySelector(".sentence-source");
  document.documentElement.style.removeProperty("--sticky");
  if (!source) return;
  const measure = () => {
    const { height } = (NARROW.matches ? source : sentence).getBoundingClientRect();
    const fits = height <= window.innerHeight * STICKY_SHARE;
    sentence.classList.toggle("is-sticky", fits);
    document.documentElement.style.setProperty("--sticky", fits ? `${Math.ceil(height)}px` : "0px");
  };
  observe(source, measure);
  on(window, "resize", measure);
}
