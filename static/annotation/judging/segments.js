/*
 * The segment that the annotator works on. Its words are marked in the source and the reference;
 * on a narrow screen it is the only one that is shown.
 */
import { form, segmentOf, texts, unplaced } from "./placements.js";

const NARROW = window.matchMedia("(max-width: 43.99rem)");
// The share of the window that a text which stays in view may take.
const STICKY_SHARE = 0.3;
const segments = [...form.querySelectorAll(".segment")];
const pager = document.querySelector(".segment-pager");
let current = "1";

/** Return the number of the current segment, from 1, as in the keys of cards. */
export function currentSegment() {
  return current;
}

/** Make this the current segment. */
export function showSegment(number) {
  current = number;
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
  if (pager) {
    pager.hidden = false;
    form.classList.add("is-paged");
    pager.querySelector(".previous-segment").addEventListener("click", () => turn(-1));
    pager.querySelector(".next-segment").addEventListener("click", () => turn(1));
  }
  for (const kind of ["focusin", "pointerdown"]) form.addEventListener(kind, follow);
  form.addEventListener("pointermove", (event) => {
    // Not where the page scrolls under a mouse that rests.
    if (event.pointerType === "mouse" && (event.movementX || event.movementY)) follow(event);
  });
  form.addEventListener("placed", ({ detail }) => {
    const [{ card }] = detail.step;
    const isHere = detail.external || texts.includes(card);
    showSegment(isHere ? current : segmentOf(card));
  });
  showSegment(unplaced().length ? segmentOf(unplaced()[0]) : "1");
  stickIfItFits();
  keepClearOfBar();
}

function follow({ target }) {
  const segment = target.closest(".segment");
  const number = String(segments.indexOf(segment) + 1);
  if (segment && number !== current) showSegment(number);
}

/** Turn to another segment; what was at the top of the window stays there. */
function turn(by) {
  showSegment(String(Number(current) + by));
  pager.scrollIntoView({ block: "nearest" });
  segments[Number(current) - 1].scrollIntoView({ block: "nearest" });
}

/** Keep the source in view, with the reference on a wide screen, if it is not too high. */
function stickIfItFits() {
  const sentence = form.querySelector(".sentence");
  const source = sentence.querySelector(".sentence-source");
  if (!source) return;
  const measure = () => {
    const { height } = (NARROW.matches ? source : sentence).getBoundingClientRect();
    const fits = height <= window.innerHeight * STICKY_SHARE;
    sentence.classList.toggle("is-sticky", fits);
    document.documentElement.style.setProperty("--sticky", fits ? `${Math.ceil(height)}px` : "0px");
  };
  measure();
  new ResizeObserver(measure).observe(source);
  window.addEventListener("resize", measure);
}

/** Say how high the bar is, under which the page scrolls nothing that has the focus. */
function keepClearOfBar() {
  const bar = form.querySelector(".submit-bar");
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
}
