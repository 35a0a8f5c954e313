/* Messages of the page: what is left to rank, whether it is saved, what needs a decision. */
import { form, unplaced } from "./placements.js";

const SHOWN_FOR = 3000;
const TOAST_SHOWN_FOR = 10_000;
const texts = document.getElementById("texts").dataset;
const status = document.getElementById("status");
const saving = document.getElementById("saving");
const notice = document.getElementById("notice");
const submitButton = form.querySelector("button[type=submit]");
let timer = 0;

/** Return a text of the page by its name. */
export function text(name) {
  return texts[name];
}

/** Show a message for three seconds. */
export function showBriefly(words) {
  clearTimeout(timer);
  status.textContent = words;
  timer = setTimeout(showStatus, SHOWN_FOR);
}

/** Show a message until the next one. */
export function showMessage(words) {
  clearTimeout(timer);
  status.textContent = words;
}

/** Say how many candidates are missing, and mark them. */
export function showMissing() {
  showBriefly(`${text("missing")} ${unplaced().length}`);
  status.classList.add("is-bad");
  for (const card of unplaced()) {
    for (const part of form.querySelectorAll(`[data-card="${card}"]`)) part.classList.add("is-missing");
  }
}

/** Show how many candidates are left to rank. */
export function showStatus() {
  clearTimeout(timer);
  status.classList.remove("is-bad");
  const left = unplaced();
  submitButton.setAttribute("aria-disabled", String(left.length > 0));
  status.replaceChildren(left.length ? linkToMissing(left) : text("done"));
}

function linkToMissing(left) {
  const link = document.createElement("a");
  link.href = `#segment-${left[0].split("-")[0]}`;
  link.textContent = `${text("left")} ${left.length}`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    form.dispatchEvent(new CustomEvent("search"));
  });
  return link;
}

/**
 * Show whether the work is saved: nothing, saving, saved, offline, unanswered, signedOut,
 * otherAccount, conflict, waiting, waitingSignedOut, over. Screen readers announce problems only, not every change.
 */
export function showSaving(state) {
  if (saving.dataset.state === state) return;
  saving.dataset.state = state;
  saving.replaceChildren(text(state));
  if (state === "signedOut" || state === "waitingSignedOut") saving.append(" ", link(text("signIn"), texts.signInUrl, { apart: true }));
  const routine = ["nothing", "saving", "saved"].includes(state);
  document.getElementById("announced").textContent = routine ? "" : saving.textContent;
}

/** Say that the account of this name has signed in in this browser; without one, no longer say so. */
export function showOtherAccount(name = "") {
  if ((notice.dataset.account ?? "") === name) return;
  showNotice(name && form.dataset.otherAccount.replace("{other}", name));
  notice.dataset.account = name;
}

export function link(words, url, { apart = false } = {}) {
  const made = document.createElement("a");
  made.href = url;
  made.textContent = words;
  if (apart) made.target = "_blank";
  return made;
}

export function button(name, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button";
  made.dataset.choice = name;
  made.textContent = text(name);
  made.addEventListener("click", action);
  return made;
}

/** Show a message that needs a decision, with lines and actions; no words hide it. */
export function showNotice(words, actions = [], lines = []) {
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

form.addEventListener("placed", showStatus);
form.addEventListener("missing", showMissing);

// That the sentence before was submitted or skipped; the link is also in the bar.
const removeToast = () => document.querySelector(".toast")?.remove();
setTimeout(removeToast, TOAST_SHOWN_FOR);
form.addEventListener("placed", removeToast, { once: true });
