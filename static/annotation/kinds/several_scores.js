/*
 * Scores on several scales. The hidden field detail-KEY has those that are given, "Fluency 4, XSTS 3",
 * and score-KEY that of the first scale once all are there: until then the card is not placed. So
 * drafts, undo, what is missing and submission know only these two.
 *
 * Keys: a digit gives its score on the scale in focus, else on the first one that has none, and goes on
 * to the next one; on a scale with a slider it is typed into the number, and Enter goes on.
 */
import { digitOf, hasAlt, preference, sliderFor } from "../judging/tools.js";
import { after, cards, consequences, eachSheet, form, on, place, rankOf, unplaced, valueOf } from "../judging/sheet.js";

// Milliseconds within which two digits are one number.
const SECOND_DIGIT_WITHIN = 700;
const TYPING = "input:not([type=radio], [type=range]), textarea, select, [contenteditable]";

/* --- the scores of a card ---------------------------------------------------------------------- */

function scalesOf(card) {
  return [...form.querySelectorAll(`.candidate[data-card="${card}"] .scale`)];
}

function cardOf(scale) {
  return scale.closest(".candidate").dataset.card;
}

/** Return the scores of a detail by the names of their scales. */
function read(detail) {
  return new Map(detail.split(", ").filter(Boolean).map((part) => {
    const at = part.lastIndexOf(" ");
    return [part.slice(0, at), part.slice(at + 1)];
  }));
}

/** Return the detail of what the fields of a card have. */
function written(card) {
  return scalesOf(card).map((scale) => [scale.dataset.scale, shownScore(scale)])
    .filter(([, score]) => score !== "")
    .map((part) => part.join(" ")).join(", ");
}

function shownScore(scale) {
  const number = scale.querySelector(".score-number");
  if (number) return isWrong(number) ? "" : number.value;
  return scale.querySelector("input:checked")?.value ?? "";
}

/** Was something else typed than a score of the scale? */
function isWrong({ validity, value }) {
  return validity.badInput || (value !== "" && !validity.valid);
}

/** Return what else changes: a card is placed when all its scales have a score. */
function consequencesOf(changed) {
  const more = {};
  for (const card of cards) {
    const key = `detail-${card}`;
    if (key in changed) {
      const scores = read(String(changed[key]));
      const scales = scalesOf(card).map((scale) => scale.dataset.scale);
      const isWhole = scales.every((name) => scores.has(name));
      more[card] = isWhole ? rankOf(card, scores.get(scales[0])) : "";
    } else if (changed[card] === "") {
      more[key] = "";
    }
  }
  return more;
}
consequences.push(consequencesOf);

function store(card) {
  place({ [`detail-${card}`]: written(card) });
}

/* --- what is shown ------------------------------------------------------------------------------ */

/** Show the scores that a card has, from a click, a draft or an earlier answer. */
function show(card) {
  const scores = read(valueOf(`detail-${card}`));
  for (const scale of scalesOf(card)) {
    const score = scores.get(scale.dataset.scale) ?? "";
    const number = scale.querySelector(".score-number");
    // What is typed wrongly stays, to be corrected.
    if (number && !isWrong(number)) number.value = score;
    for (const radio of scale.querySelectorAll("input[type=radio]")) radio.checked = radio.value === score;
    scale.toggleAttribute("data-unanswered", score === "");
    if (score !== "") scale.classList.remove("is-gap");
    number?.setAttribute("aria-invalid", String(isWrong(number)));
  }
}

/** Add the slider of a scale with many scores; return what shows the score on it. */
function addSlider(scale) {
  const field = scale.querySelector(".score-number");
  const { slider, show: showOn } = sliderFor(field, scale.querySelector("label").id, {
    isUnset: () => scale.hasAttribute("data-unanswered"),
    set: (score) => {
      field.value = score;
      store(cardOf(scale));
    },
  });
  field.before(slider);
  showOn();
  return showOn;
}

/** Mark the scales without a score of each card that is not placed. */
function markGaps() {
  for (const card of unplaced()) {
    for (const scale of scalesOf(card)) scale.classList.toggle("is-gap", scale.hasAttribute("data-unanswered"));
  }
}

/* --- keys --------------------------------------------------------------------------------------- */

let typed = { scale: null, digits: "", timer: 0 };

function onKey(event) {
  if (event.defaultPrevented || document.querySelector("dialog[open]") || event.target.closest(TYPING)) return;
  if (hasAlt(event) || event.ctrlKey || event.metaKey || preference("single-keys") === "off") return;
  const digit = digitOf(event);
  const scale = digit === null ? null : scaleToAnswer();
  if (!scale) return;
  const number = scale.querySelector(".score-number");
  if (number) {
    // The digit is typed into it.
    number.focus();
    number.select();
    return;
  }
  event.preventDefault();
  typeOn(scale, digit);
}

/** Return the scale in focus, else the first one without a score. */
function scaleToAnswer() {
  return document.activeElement.closest(".scale") ?? firstGap(unplaced()[0]);
}

function firstGap(card) {
  return scalesOf(card).find((scale) => scale.hasAttribute("data-unanswered"));
}

/** Give the score at once unless another digit may follow. */
function typeOn(scale, digit) {
  clearTimeout(typed.timer);
  const radios = [...scale.querySelectorAll("input[type=radio]")];
  const before = typed.scale === scale ? typed.digits : "";
  const digits = radios.some(({ value }) => value.startsWith(before + digit)) ? before + digit : digit;
  const longer = radios.some(({ value }) => value !== digits && value.startsWith(digits));
  const give = () => {
    typed = { scale: null, digits: "", timer: 0 };
    const radio = radios.find(({ value }) => value === digits);
    if (radio) choose(scale, radio);
  };
  if (longer) typed = { scale, digits, timer: after(SECOND_DIGIT_WITHIN, give) };
  else give();
}

function choose(scale, radio) {
  radio.checked = true;
  storeAndGoOn(cardOf(scale));
}

/** Enter in a number goes on, and submits nothing. */
function onEnter(event) {
  if (event.key !== "Enter" || event.shiftKey || !event.target.closest(".scale .score-number")) return;
  event.preventDefault();
  storeAndGoOn(cardOf(event.target.closest(".scale")));
}

/** Store what the fields of the card have, and go to what is missing next. */
function storeAndGoOn(card) {
  store(card);
  const next = firstGap(card);
  if (next) next.querySelector("input[type=radio], input[type=range]").focus();
  else form.dispatchEvent(new CustomEvent("placedbykey", { detail: [card] }));
}

eachSheet(() => {
  for (const card of cards) show(card);
  const sliders = [...form.querySelectorAll(".scale:has(.score-number)")].map(addSlider);
  on(form, "change", ({ target }) => {
    if (target.name?.startsWith("part-")) store(cardOf(target.closest(".scale")));
  });
  on(form, "placed", () => {
    for (const card of cards) show(card);
    for (const showOn of sliders) showOn();
  });
  on(form, "missing", markGaps);
  on(form, "keydown", onEnter);
  on(document, "keydown", onKey);
});
