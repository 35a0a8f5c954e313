/*
 * Audio and video beside the source: counts how long and how often each was played, which is saved
 * with the draft and stored with the judgement. Nothing plays by itself.
 */
import { eachSheet, on, onMedia, sheet, storeDraft, storedDraft } from "./sheet.js";

// Milliseconds between two signs that a medium is playing; longer, and the computer slept.
const LONGEST_STEP = 2000;
// Seconds that are played before the browser stores them again.
const STORED_EVERY = 5;
// A medium that is started before this second is started anew.
const BEGINNING = 0.5;
// By the id of the medium: seconds and starts.
let played = {};

function start() {
  const media = [...sheet.querySelectorAll("[data-medium]")];
  played = newer(JSON.parse(sheet.dataset.played || "{}"), storedDraft()?.media ?? {});
  for (const medium of media) count(medium);
}

function newer(some, others) {
  const ids = new Set([...Object.keys(some), ...Object.keys(others)]);
  return Object.fromEntries([...ids].map((id) => {
    const [one, other] = [some[id] ?? [0, 0], others[id] ?? [0, 0]];
    return [id, one[0] >= other[0] ? one : other];
  }));
}

function count(medium) {
  const id = medium.dataset.medium;
  let [seconds, starts] = played[id] ?? [0, 0];
  // When it was last seen playing, 0 while it is not.
  let last = 0;
  let stored = seconds;
  const store = () => {
    stored = seconds;
    storeDraft({ media: played });
  };
  const step = () => {
    const now = performance.now();
    if (last) seconds += Math.min(now - last, LONGEST_STEP) / 1000;
    last = now;
    played[id] = [Math.round(seconds * 10) / 10, starts];
    if (seconds - stored >= STORED_EVERY) store();
  };
  on(medium, "play", () => {
    if (!starts || medium.currentTime < BEGINNING) starts += 1;
  });
  on(medium, "playing", () => {
    last = performance.now();
    step();
  });
  on(medium, "timeupdate", () => { if (last) step(); });
  for (const kind of ["pause", "waiting", "ended", "emptied"]) {
    on(medium, kind, () => {
      if (!last) return;
      step();
      last = 0;
      store();
    });
  }
}

onMedia.played = () => played;
eachSheet(start);
