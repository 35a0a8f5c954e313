/* Scrolls the current tab of a project into view where its line is longer than the screen. */

for (const tab of document.querySelectorAll(".tabs [aria-current], .subtabs [aria-current]")) {
  const tabs = tab.parentElement;
  const line = tabs.getBoundingClientRect();
  const { left, width } = tab.getBoundingClientRect();
  tabs.addEventListener("scroll", () => tabs.classList.toggle("is-scrolled", tabs.scrollLeft !== 0));
  tabs.scrollLeft += left + width / 2 - (line.left + line.width / 2);
}
