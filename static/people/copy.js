/* Buttons that copy the text of a field; without this, people select and copy it. */

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  field.addEventListener("focus", () => field.select());
  // Browsers have a clipboard on HTTPS and localhost only.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    // The rest of the button says to screen readers which text it copies.
    button.firstChild.textContent = button.dataset.copied;
  });
}
