// What mkdocs-material has in a script within the page, which our Content Security Policy forbids.
// The theme's other scripts call these functions by their names.
var __md_scope = new URL("..", document.currentScript.src);

function __md_hash(text) {
  return [...text].reduce((hash, letter) => (hash << 5) - hash + letter.charCodeAt(0), 0);
}

function __md_get(key, storage = localStorage, scope = __md_scope) {
  return JSON.parse(storage.getItem(`${scope.pathname}.${key}`));
}

function __md_set(key, value, storage = localStorage, scope = __md_scope) {
  try {
    storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // The browser stores nothing: the choice lasts as long as the page.
  }
}
