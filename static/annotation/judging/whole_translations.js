/* Shows the whole translations of a candidate in a dialog, with its words marked. */
import { form } from "./placements.js";

/** Start the buttons of the candidates; return the action of the key, which takes a card. */
export function startWholeTranslations() {
  const dialog = document.getElementById("whole");
  if (!dialog) return undefined;
  const show = (card) => {
    const whole = form.querySelector(`.candidate[data-card="${card}"] .whole-texts`);
    if (!whole) return false;
    dialog.querySelector(".whole-shown").replaceChildren(whole.cloneNode(true));
    dialog.showModal();
    return true;
  };
  form.addEventListener("click", ({ target }) => {
    const button = target.closest(".whole-switch");
    if (button) show(button.closest(".piece").dataset.card);
  });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  return show;
}
