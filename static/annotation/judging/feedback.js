/* Practice feedback: Enter and Shift+Enter continue to the next page. */
const next = document.querySelector(".continue");

document.addEventListener("keydown", (event) => {
  // A key held down since the previous page would skip this one.
  if (event.key !== "Enter" || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("a, button, summary") && event.target !== next) return;
  event.preventDefault();
  location.assign(next.href);
});
