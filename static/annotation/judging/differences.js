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
  const length = some.map(() => new Array(others.length + 1).fill(0)).concat([new Array(others.length + 1).fill(0)]);
  for (let i = some.length - 1; i >= 0; i -= 1) {
    for (let j = others.length - 1; j >= 0; j -= 1) {
      length[i][j] = some[i] === others[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const found = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    if (some[i] === others[j]) {
      found.push(i);
      i += 1;
      j += 1;
    } else if (length[i + 1][j] >= length[i][j + 1]) i += 1;
    else j += 1;
  }
  return found;
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
