/* Shows the progress of adding a system, asking the server once a second. */
import { isLeaving } from "../leaving.js";

const part = document.getElementById("adding");
const words = document.getElementById("adding-words");
const bar = document.getElementById("adding-progress");
const unreachable = document.getElementById("adding-unreachable");
const INTERVAL = 1000;

async function update() {
  if (isLeaving()) return;
  try {
    const response = await fetch(part.dataset.url, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (!response.ok || response.redirected) throw new Error(String(response.status));
    unreachable.hidden = true;
    const report = await response.json();
    if (isLeaving()) return;
    if (report.state === "done" || report.state === "failed") return showEnd();
    show(report);
  } catch {
    unreachable.hidden = false;
  }
  setTimeout(update, INTERVAL);
}

function show(report) {
  words.textContent = report.words;
  if (report.total) bar.max = report.total;
  if (report.done) bar.value = report.done;
  else bar.removeAttribute("value");
}

function showEnd() {
  // A page with a half-filled form is not reloaded.
  if (isTouched()) {
    part.hidden = true;
    document.getElementById("adding-over").hidden = false;
    return;
  }
  location.hash = "systems";
  location.reload();
}

function isTouched() {
  return [...document.querySelectorAll("main form :is(input, textarea, select)")].some((field) => {
    if (field.type === "file") return field.files.length > 0;
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") return [...field.options].some((option) => option.selected !== option.defaultSelected && field.selectedIndex > 0);
    return field.type !== "hidden" && field.value !== field.defaultValue;
  });
}

setTimeout(update, INTERVAL);
