/* Asks once a second how far the preparation is. */
import { isLeaving } from "./leaving.js";

const part = document.getElementById("preparing");
const heading = document.getElementById("preparing-heading");
const unreachable = document.getElementById("unreachable");
const EVERY = 1000;

async function look() {
  if (isLeaving()) return;
  try {
    const response = await fetch(part.dataset.url, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (isLeaving()) return;
    if (response.status === 404 || response.redirected) return location.assign("/");
    if (!response.ok) throw new Error(String(response.status));
    unreachable.hidden = true;
    show(await response.json());
  } catch {
    unreachable.hidden = false;
  }
  setTimeout(look, EVERY);
}

function show(report) {
  if (report.state === "ready" || report.state === "failed") return location.reload();
  // It is read aloud when it changes, which is once a stage.
  if (heading.textContent !== report.announcement) heading.textContent = report.announcement;
  document.getElementById("left").textContent = report.left;
  for (const stage of report.stages) showStage(stage);
}

function showStage(stage) {
  const row = part.querySelector(`[data-stage="${CSS.escape(stage.name)}"]`);
  if (!row) return;
  row.dataset.state = stage.state;
  row.querySelector(".stage-detail").textContent = stage.detail;
  const bar = row.querySelector("progress");
  if (stage.share !== null) bar.value = stage.share;
  else if (stage.state === "running") bar.removeAttribute("value");
  else bar.value = 0;
}

setTimeout(look, EVERY);
