/* Small choices of how the page looks, remembered by the browser. */
const PREFIX = "segranks-judging-";

export function remembered(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Without storage the choice holds for this page only.
  }
}
