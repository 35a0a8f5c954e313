/* Whoever judges by keys goes on with Enter, or with the keys that hand in. */
const onward = document.querySelector(".continue");

document.addEventListener("keydown", (event) => {
  // A key that is still held down from the page before would pass this one by.
  if (event.key !== "Enter" || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("a, button, summary") && event.target !== onward) return;
  event.preventDefault();
  location.assign(onward.href);
});
