/* What the page says: what is left to do, whether it is saved, and what needs a decision. */
import { form, unplaced } from "./places.js";

const SHOWN_FOR = 3000;
const texts = document.getElementById("texts").dataset;
const status = document.getElementById("status");
const saving = document.getElementById("saving");
const notice = document.getElementById("notice");
const submitButton = form.querySelector("button[type=submit]");
let passing = 0;

/** Return a text of the page by its name. */
export function text(name) {
  return texts[name];
}

/** Say something for three seconds; then the status is what it was. */
export function say(words) {
  clearTimeout(passing);
  status.textContent = words;
  passing = setTimeout(showStatus, SHOWN_FOR);
}

/** Say it until something else is to be said. */
export function sayOn(words) {
  clearTimeout(passing);
  status.textContent = words;
}

/** Show what is left to place. */
export function showStatus() {
  clearTimeout(passing);
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
    form.dispatchEvent(new CustomEvent("missing"));
  });
  return link;
}

/**
 * Say whether the work is saved: nothing, saving, saved, offline, unanswered, signedOut, conflict,
 * waiting, over. Whoever cannot see it hears of what is wrong, not of every change.
 */
export function showSaving(state) {
  if (saving.dataset.state === state) return;
  saving.dataset.state = state;
  saving.replaceChildren(text(state));
  if (state === "signedOut" || state === "waitingSignedOut") saving.append(" ", link(text("signIn"), texts.signInUrl, { apart: true }));
  const routine = ["nothing", "saving", "saved"].includes(state);
  document.getElementById("announced").textContent = routine ? "" : saving.textContent;
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

/** Show what needs a decision: words, lines below, and what can be done; none takes it away. */
export function showNotice(words, actions = [], lines = []) {
  notice.hidden = !words;
  const said = document.createElement("p");
  said.textContent = words;
  const list = document.createElement("ul");
  for (const line of lines) {
    const item = document.createElement("li");
    item.append(line);
    list.append(item);
  }
  const buttons = document.createElement("div");
  buttons.className = "actions";
  buttons.append(...actions);
  notice.replaceChildren(said, ...(lines.length ? [list] : []), ...(actions.length ? [buttons] : []));
  if (words) notice.scrollIntoView({ block: "nearest" });
}

form.addEventListener("placed", showStatus);
