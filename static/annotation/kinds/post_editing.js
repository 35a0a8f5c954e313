/*
 * Post-editing: “Edited” is chosen exactly while a text differs from the output; what was changed is
 * shown, and can be restored. Answers and texts are placed by sheet.js.
 */
import { changes } from "../judging/tools.js";
import { cards, consequences, eachSheet, form, on, place, valueOf } from "../judging/sheet.js";

// The steps of the scale in annotation/kinds/post_editing/edits.py.
const EDITED = "2";

// The cards with a text, which gold answers have not, and what the systems wrote.
let edited = [];
let outputs = new Map();

function part(card) {
  return form.querySelector(`.candidate[data-card="${card}"]`);
}

function onOneLine(text) {
  return text.trim().replace(/[\r\n]+/g, " ");
}

/** Is this an edit of the card's output? An empty text is none. */
function isEdit(card, text) {
  return onOneLine(text) !== "" && onOneLine(text) !== onOneLine(outputs.get(card));
}

/** Return what else changes, so that answer and text agree. */
function consequencesOf(changed) {
  const more = {};
  for (const card of edited) {
    const key = `detail-${card}`;
    const text = changed[key] ?? valueOf(key);
    if (card in changed && key in changed) {
      // Undone, or from a draft: they belong together, and an empty text is the output.
      if (changed[key] === "") more[key] = outputs.get(card);
    } else if (key in changed) {
      if (isEdit(card, text)) more[card] = EDITED;
      else if (valueOf(card) === EDITED) more[card] = "";
    } else if (card in changed) {
      Object.assign(more, afterAnswer(card, String(changed[card]), text));
    }
  }
  return more;
}

function afterAnswer(card, answer, text) {
  if (answer === EDITED && !isEdit(card, text)) {
    // It is chosen by changing the text.
    form.elements[`detail-${card}`].focus();
    showAnswer(card);
    return { [card]: valueOf(card) };
  }
  if (answer === "" && isEdit(card, text)) return { [card]: EDITED };
  return answer === EDITED ? {} : { [`detail-${card}`]: outputs.get(card) };
}

/** Check the button of the answer again after the browser has checked another one. */
function showAnswer(card) {
  for (const radio of part(card).querySelectorAll("input[type=radio]")) radio.checked = radio.value === valueOf(card);
}

function showChanges(card) {
  const text = valueOf(`detail-${card}`);
  const shown = part(card).querySelector(".edit-changes");
  shown.hidden = onOneLine(text) === onOneLine(outputs.get(card));
  const line = shown.querySelector(".changes");
  line.replaceChildren(...changes(onOneLine(outputs.get(card)), onOneLine(text), line.lang).map((change) => toNode(change, shown.dataset)));
}

function toNode([text, kind], words) {
  if (kind === "same") return document.createTextNode(text);
  const mark = document.createElement(kind === "deleted" ? "del" : "ins");
  const spoken = document.createElement("span");
  spoken.className = "visually-hidden";
  spoken.textContent = `${words[kind]}: `;
  mark.append(spoken, text);
  return mark;
}

/** Start the text of a card. */
function startText(card) {
  const area = form.elements[`detail-${card}`];
  part(card).querySelector(".restore").addEventListener("click", () => {
    place({ [area.name]: outputs.get(card) });
    area.focus();
  });
  area.addEventListener("keydown", (event) => {
    // A sentence is one line.
    if (event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey) event.preventDefault();
  });
  // A draft, or what was posted without a script, may have an answer that does not fit the text.
  if (isEdit(card, area.value) !== (valueOf(card) === EDITED)) place({ [area.name]: area.value, [card]: isEdit(card, area.value) ? EDITED : "" }, { undoing: true });
  showChanges(card);
}

consequences.push(consequencesOf);
eachSheet(() => {
  edited = cards.filter((card) => form.elements[`detail-${card}`]);
  outputs = new Map(edited.map((card) => [card, part(card).querySelector(".output").textContent]));
  edited.forEach(startText);
  on(form, "placed", ({ detail }) => {
    for (const card of edited) if (detail.step.some((change) => change.card === `detail-${card}`)) showChanges(card);
  });
});
