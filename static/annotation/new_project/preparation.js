/* Shows the progress of the preparation, asking the server once a second. */
import { isLeaving } from "../leaving.js";

const part = document.getElementById("preparing");
const heading = document.getElementById("preparing-heading");
const unreachable = document.getElementById("unreachable");
const INTERVAL = 1000;

async function update() {
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
  setTimeout(update, INTERVAL);
}

function show(report) {
  if (report.state === "ready" || report.state === "failed") return location.reload();
  // Screen readers announce it when it changes: once per stage.
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

setTimeout(update, INTERVAL);
