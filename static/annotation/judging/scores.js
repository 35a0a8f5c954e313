/* Scores: each number field gets a slider, which has no value until it is used. */
import { form, place, ranksOf, scoreField, valueOf } from "./placements.js";

/** Add the sliders. */
export function startScores() {
  const parts = [...form.querySelectorAll(".score")].map((part) => addSlider(part));
  form.addEventListener("placed", () => parts.forEach((show) => show()));
}

/** Add a slider above the ticks; return what shows the score on it. */
function addSlider(part) {
  const field = part.querySelector(".score-number");
  const card = field.name.slice("score-".length);
  const slider = document.createElement("input");
  slider.type = "range";
  slider.className = "slider";
  slider.min = field.min;
  slider.max = field.max;
  slider.setAttribute("aria-labelledby", part.querySelector("label").id);
  const show = () => {
    const isUnset = valueOf(card) === "";
    slider.classList.toggle("is-unset", isUnset);
    slider.value = isUnset ? field.min : field.value;
    slider.setAttribute("aria-valuetext", isUnset ? "–" : field.value);
  };
  const set = () => place({ [card]: ranksOf(card) - Number(slider.value) });
  slider.addEventListener("input", () => {
    // While the slider is dragged only the number follows.
    slider.classList.remove("is-unset");
    scoreField(card).value = slider.value;
  });
  slider.addEventListener("change", set);
  // A click on the start of an unused slider changes nothing that the browser would report.
  slider.addEventListener("click", () => { if (valueOf(card) === "") set(); });
  part.insertBefore(slider, part.querySelector(".ticks"));
  show();
  return show;
}
