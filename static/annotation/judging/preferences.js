/* How the page looks in this browser: view, differences, shortcuts, instructions. */
const PREFIX = "segranks-judging-";

export function preference(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function setPreference(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Without storage the preference is lost with the page.
  }
}
