/*
 * Marks the words aligned with the one under the mouse, that was tapped, or at the word cursor of a
 * text (its aria-activedescendant). annotation/judging/aligned_words.py says what the attributes
 * have. Nothing is added to the page: the marks are highlights of CSS.
 */

/** Return the words of a text with their ranges and the numbers of their words of the source. */
function wordsOf(text) {
  const characters = [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    let at = 0;
    for (const character of node.data) characters.push([node, at, at += character.length]);
  }
  const links = text.dataset.links?.split(" ");
  let end = -1;
  return text.dataset.words.split(" ").map((written, number) => {
    const [length, gap = 1] = written.split(":").reverse().map(Number);
    const [first, last] = [characters[end + gap], characters[end + gap + length - 1]];
    end += gap + length;
    const range = new Range();
    if (length && last) {
      range.setStart(first[0], first[1]);
      range.setEnd(last[0], last[2]);
    }
    return { range, sources: links ? links[number].split(",").filter(Boolean) : [String(number)] };
  });
}

/** Return the shown texts that belong together: of one paragraph, or of the page. */
function textsWith(text) {
  const paragraph = text.closest("[data-aligned]") ?? document;
  return [...paragraph.querySelectorAll("[data-words]")].filter((one) => one.checkVisibility());
}

let pointed;

/** Mark the wanted word of the text and those aligned with it; without one, nothing. */
function show(text, isWanted) {
  pointed = text && wordsOf(text).find(({ range }) => isWanted(range));
  const aligned = pointed ? textsWith(text).flatMap(wordsOf) : [];
  const ranges = aligned.filter(({ sources }) => sources.some((one) => pointed.sources.includes(one)));
  CSS.highlights.set("aligned-words", new Highlight(...ranges.map(({ range }) => range)));
  CSS.highlights.set("pointed-word", new Highlight(...pointed ? [pointed.range] : []));
}

function showAtPointer({ target, clientX, clientY }) {
  const isHere = (range) => [...range.getClientRects()].some(
    ({ left, right, top, bottom }) => left <= clientX && clientX < right && top <= clientY && clientY < bottom,
  );
  if (pointed && isHere(pointed.range)) return;
  show(target.closest?.("[data-words]"), isHere);
  if (!pointed) showAtCursor();
}

function showAtCursor() {
  const cursor = document.getElementById(document.activeElement.getAttribute("aria-activedescendant"));
  show(cursor?.closest("[data-words]"), (range) => range.intersectsNode(cursor));
}

if (globalThis.CSS?.highlights) {
  document.addEventListener("pointermove", (event) => event.pointerType !== "touch" && showAtPointer(event));
  document.addEventListener("click", (event) => event.detail && showAtPointer(event));
  for (const kind of ["keydown", "focusin", "focusout"]) document.addEventListener(kind, () => queueMicrotask(showAtCursor));
}
