/* The list of sentences: filters apply when they are changed, and rows are checked together. */

const filters = document.querySelector("#filters");
filters.addEventListener("change", ({ target }) => {
  // Which system differs matters only once the first one is chosen.
  if (target.name !== "differs" || filters.elements.system.value) filters.requestSubmit();
});
// Empty fields would make the address long.
filters.addEventListener("submit", () => {
  for (const field of filters.elements) if (field.name && !field.value) field.disabled = true;
});
// When the reader comes back, the page may be restored as it was left.
window.addEventListener("pageshow", () => {
  for (const field of filters.elements) field.disabled = false;
});

const all = document.querySelector("#check-all");
if (all) {
  const boxes = [...document.querySelectorAll('input[name="number"]')];
  const bar = document.querySelector("#checked-bar");
  const count = document.querySelector("#checked-count");
  const show = () => {
    const checked = boxes.filter((box) => box.checked).length;
    count.value = checked;
    bar.classList.toggle("checked-none", checked === 0);
    all.checked = checked === boxes.length;
    all.indeterminate = checked > 0 && checked < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  document.querySelector(".sentences-table tbody").addEventListener("change", show);
  window.addEventListener("pageshow", show);
}
