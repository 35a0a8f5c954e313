/* Scrolls the current tab of a project into view where its line is longer than the screen. */

for (const tab of document.querySelectorAll(".tabs [aria-current], .subtabs [aria-current]")) {
  const line = tab.parentElement.getBoundingClientRect();
  const { left, width } = tab.getBoundingClientRect();
  tab.parentElement.scrollLeft += left + width / 2 - (line.left + line.width / 2);
}
