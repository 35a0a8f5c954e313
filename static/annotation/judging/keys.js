/*
 * What a key means on all keyboards: by its character where that is Latin, else by its place.
 */
const QUESTION_MARKS = "?\u061f\u055e\uff1f";

/** Return the digit of the key's place, which needs no Shift on any keyboard; null if it has none. */
export function digitOf(event) {
  if (isQuestionMark(event)) return null;
  return /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1] ?? (/^[0-9]$/.test(event.key) ? event.key : null);
}

/** Return the lower-case letter of the key; "" if it has none. */
export function letterOf(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return event.key.length > 1 ? "" : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? "").toLowerCase();
}

/** Does the key type the question mark of any script? */
export function isQuestionMark({ key }) {
  return key.length === 1 && QUESTION_MARKS.includes(key);
}

/** Is Alt or AltGr held, with which a key types another character, such as "ś" on a Polish keyboard? */
export function hasAlt(event) {
  return event.altKey || event.getModifierState("AltGraph");
}
