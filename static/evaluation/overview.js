/* Updates the overview while the page is visible. */
import { isLeaving } from "../annotation/leaving.js";
import { showTimes } from "../annotation/times.js";

const overview = document.getElementById("overview");
const away = document.getElementById("overview-away");
const EVERY = 15_000;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
let tag = "";
let timer = 0;
let latest = 0;

async function look() {
  clearTimeout(timer);
  timer = 0;
  const number = (latest += 1);
  try {
    const headers = tag ? { "If-None-Match": tag } : {};
    const address = `${overview.dataset.url}?${new URLSearchParams({ zone })}`;
    const response = await fetch(address, { headers, cache: "no-store" });
    // A later request may have been answered, or have failed, before this one.
    if (isLeaving() || number !== latest) return;
    if (response.status === 404 || response.redirected) return location.assign("/");
    // The state of the preparation changed: that is another page.
    if (response.status === 204) return location.reload();
    if (!response.ok && response.status !== 304) throw new Error(String(response.status));
    away.hidden = true;
    if (response.ok) {
      show(await response.text());
      tag = response.headers.get("ETag") ?? "";
    }
  } catch {
    if (number !== latest) return;
    away.hidden = false;
  }
  if (!document.hidden && !timer) timer = setTimeout(look, EVERY);
}

/** Replace only the parts that differ, to keep the focus and the position of screen readers. */
function show(html) {
  const now = new DOMParser().parseFromString(html, "text/html");
  showTimes(now);
  const parts = [...now.querySelectorAll("[data-live]")];
  const places = new Map([...overview.querySelectorAll("[data-live]")].map((place) => [place.dataset.live, place]));
  // Parts appeared or disappeared: replace everything.
  if (parts.length !== places.size || parts.some((part) => !places.has(part.dataset.live))) {
    overview.replaceChildren(...now.body.childNodes);
    return;
  }
  for (const part of parts) {
    const place = places.get(part.dataset.live);
    if (place.innerHTML !== part.innerHTML) place.replaceChildren(...part.childNodes);
  }
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(timer);
    timer = 0;
  } else look();
});

// The server rendered the page in another time zone.
if (overview.dataset.zone === zone) timer = setTimeout(look, EVERY);
else look();
