/* A button that shows or hides the password beside it. */
for (const button of document.querySelectorAll("[data-shows]")) {
  const input = document.getElementById(button.dataset.shows);
  const [show, hide] = [button.textContent, button.dataset.hide];
  button.addEventListener("click", () => {
    const isShown = input.type === "text";
    input.type = isShown ? "password" : "text";
    button.textContent = isShown ? show : hide;
    input.focus();
  });
  // Browsers must not offer what was typed as a plain text later.
  input.form.addEventListener("submit", () => (input.type = "password"));
}
