/*
 * Marks the words of a candidate that less than half of the segment's other candidates share, by
 * longest common subsequences.
 */

/** Split a text into words and separators, which join to the text again. */
export function split(text, language) {
  if (/\s/.test(text.trim()) || !Intl.Segmenter) return text.split(/(\s+)/).filter(Boolean);
  // Scripts without spaces between words.
  return [...new Intl.Segmenter(language || undefined, { granularity: "word" }).segment(text)].map(({ segment }) => segment);
}

/** Return for each text its parts as [part, isDifferent]. */
export function differences(texts, language) {
  const parts = texts.map((text) => split(text, language));
  const words = parts.map((those) => those.map(bare));
  return parts.map((those, i) => {
    const shared = those.map(() => 0);
    words.forEach((others, j) => {
      if (i !== j) for (const at of inCommon(words[i], others)) shared[at] += 1;
    });
    return those.map((part, at) => [part, words[i][at] !== "" && shared[at] * 2 < texts.length - 1]);
  });
}

/** Return the word in lower case and without punctuation around it; "" for spaces. */
function bare(part) {
  const word = part.trim().toLocaleLowerCase();
  return word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, "") || word;
}

/** Return which words of `some` are in a longest common subsequence with `others`. */
function inCommon(some, others) {
  return pairsInCommon(some, others).map(([at]) => at);
}

/** Return the places in both of a longest common subsequence: what both begin and end with, and more. */
function pairsInCommon(some, others) {
  const shorter = Math.min(some.length, others.length);
  let start = 0;
  while (start < shorter && some[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && some.at(-1 - end) === others.at(-1 - end)) end += 1;
  const inner = between(some.slice(start, some.length - end), others.slice(start, others.length - end));
  return [
    ...Array.from({ length: start }, (_, at) => [at, at]),
    ...inner.map(([at, place]) => [at + start, place + start]),
    ...Array.from({ length: end }, (_, at) => [some.length - end + at, others.length - end + at]),
  ];
}

/** Return the same, where the texts begin and end differently: time and memory grow with both. */
function between(some, others) {
  const length = some.map(() => new Array(others.length + 1).fill(0)).concat([new Array(others.length + 1).fill(0)]);
  for (let i = some.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      length[i][j] = some[i] === others[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    if (some[i] === others[j]) {
      found.push([i, j]);
      i += 1;
      j += 1;
    } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
}

/**
 * Return how one text became another: [part, "same" | "deleted" | "inserted"], neighbours of a kind
 * joined.
 */
export function changes(before, after, language) {
  const [old, now] = [before, after].map((text) => pieces(text, language));
  const found = [];
  const add = (parts, kind) => {
    if (!parts.length) return;
    if (found.at(-1)?.[1] === kind) found.at(-1)[0] += parts.join("");
    else found.push([parts.join(""), kind]);
  };
  let [i, j] = [0, 0];
  for (const [oldPlace, newPlace] of [...pairsInCommon(old, now), [old.length, now.length]]) {
    add(old.slice(i, oldPlace), "deleted");
    add(now.slice(j, newPlace), "inserted");
    if (oldPlace < old.length) add([old[oldPlace]], "same");
    [i, j] = [oldPlace + 1, newPlace + 1];
  }
  return found;
}

/** Split a text into words with the space after them, and punctuation marks. */
function pieces(text, language) {
  if (!Intl.Segmenter) return text.split(/(?<=\s)/);
  const parts = [...new Intl.Segmenter(language || undefined, { granularity: "word" }).segment(text)].map(({ segment }) => segment);
  const joined = [];
  for (const part of parts) {
    if (joined.length && !part.trim()) joined[joined.length - 1] += part;
    else joined.push(part);
  }
  return joined;
}

// What the elements have without these marks: in context, other marks.
const unmarked = new WeakMap();

/** Mark the differences between these elements, or remove the marks. */
export function showDifferences(elements, isOn) {
  const marked = differences(elements.map((element) => element.textContent), elements[0]?.lang);
  elements.forEach((element, i) => {
    if (isOn && !unmarked.has(element)) unmarked.set(element, [...element.childNodes]);
    if (isOn) element.replaceChildren(...marked[i].map(toNode));
    else if (unmarked.has(element)) element.replaceChildren(...unmarked.get(element));
  });
}

function toNode([part, isDifferent]) {
  if (!isDifferent) return document.createTextNode(part);
  const mark = document.createElement("u");
  mark.className = "differs";
  mark.textContent = part;
  return mark;
}
