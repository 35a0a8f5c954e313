/* Polls a pending report, shows what it waits for, and reloads the page when it is finished. */
import { isLeaving } from "../annotation/leaving.js";

const EVERY = 1000;
const age = document.getElementById("age");

/** Change a text only if it differs: screen readers read a status again each time. */
function show(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

async function look() {
  try {
    const response = await fetch(age.dataset.state, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (isLeaving()) return;
    if (response.status === 404 || response.redirected) return location.assign("/");
    if (response.ok) {
      const report = await response.json();
      if (!report.waiting) return location.reload();
      show(age.querySelector(".age-status"), report.status);
      show(document.getElementById("age-progress"), report.progress);
    }
  } catch {
    // The server is not reachable: try again in a second.
  }
  setTimeout(look, EVERY);
}

if (age.dataset.waiting) setTimeout(look, EVERY);
document.querySelector(".print-button")?.addEventListener("click", () => print());

const schedule = age.querySelector(".schedule");
if (schedule) {
  schedule.querySelector("button").hidden = true;
  schedule.querySelector("select").addEventListener("change", () => schedule.requestSubmit());
}
