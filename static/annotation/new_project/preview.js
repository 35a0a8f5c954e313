/* The preview: boards as on the judging page, and sliders for the lengths of segments. */

import { addBoard } from "../judging/board.js";

const form = document.getElementById("lengths");
const sentences = document.getElementById("sentences");
const status = document.getElementById("preview-status");
const texts = document.getElementById("preview-texts").dataset;
// Milliseconds to wait while a slider moves, and between two looks at a pending preview.
const QUIET = 120;
const EVERY = 1000;

/** Show boards, in which nothing can be moved, where answers have them. */
function showBoards() {
  if (!document.getElementById("board-parts")) return;
  for (const segment of sentences.querySelectorAll(".segment")) {
    segment.querySelector(".list").hidden = true;
    addBoard(segment).querySelector(".tray").classList.add("has-pieces");
  }
}

let request = null;
let timer = 0;

async function show() {
  clearTimeout(timer);
  request?.abort();
  const own = (request = new AbortController());
  sentences.setAttribute("aria-busy", "true");
  const lengths = new URLSearchParams({ min_length: form.min_length.value, max_length: form.max_length.value });
  try {
    const response = await fetch(`${form.dataset.sentences}?${lengths}`, { signal: own.signal });
    // The files have problems, or the upload was removed: the page shows what the server says.
    if (response.status === 409 || response.status === 404 || response.redirected) return location.reload();
    if (!response.ok) throw new Error(String(response.status));
    const shown = await response.text();
    if (response.status === 202) {
      const state = sentences.querySelector(".working")?.dataset.state;
      if (!shown.includes(`data-state="${state}"`)) sentences.innerHTML = shown;
      else {
        // Only this text, so that the bar goes on moving.
        const page = new DOMParser().parseFromString(shown, "text/html");
        document.getElementById("so-far").textContent = page.getElementById("so-far").textContent;
      }
      timer = setTimeout(show, EVERY);
      return;
    }
    const wasOpen = document.getElementById("more-sentences")?.open;
    sentences.innerHTML = shown;
    const more = document.getElementById("more-sentences");
    if (more && wasOpen) more.open = true;
    showBoards();
    status.textContent = document.getElementById("preview-counts")?.textContent ?? "";
  } catch {
    if (own.signal.aborted) return;
    showError();
  }
  sentences.setAttribute("aria-busy", "false");
}

function showError() {
  const again = document.createElement("button");
  again.className = "button";
  again.type = "button";
  again.textContent = texts.again;
  again.addEventListener("click", show);
  const words = document.createElement("p");
  words.textContent = texts.failed;
  const notice = document.createElement("div");
  notice.className = "notice notice-error";
  notice.append(words, again);
  sentences.replaceChildren(notice);
}

function startSliders() {
  const sliders = [...form.querySelectorAll("input[type=range]")];
  const numberOf = (slider) => document.getElementById(slider.dataset.for);
  const changed = (slider) => {
    // The other slider follows, so that shortest never exceeds longest.
    const [shortest, longest] = [form.min_length, form.max_length];
    if (Number(shortest.value) > Number(longest.value)) {
      if (numberOf(slider) === shortest) longest.value = shortest.value;
      else shortest.value = longest.value;
    }
    for (const each of sliders) each.value = numberOf(each).value;
    clearTimeout(timer);
    timer = setTimeout(show, QUIET);
  };
  for (const slider of sliders) {
    slider.hidden = false;
    slider.addEventListener("input", () => {
      numberOf(slider).value = slider.value;
      changed(slider);
    });
    numberOf(slider).addEventListener("input", () => {
      if (numberOf(slider).checkValidity() && numberOf(slider).value) changed(slider);
    });
  }
}

form.addEventListener("submit", ({ submitter }) => {
  clearTimeout(timer);
  request?.abort();
  if (submitter?.dataset.busy) submitter.textContent = submitter.dataset.busy;
});
startSliders();
if (sentences.querySelector(".shown")) showBoards();
else if (sentences.querySelector(".working")) timer = setTimeout(show, EVERY);
