/* Draws the figures of a report. */

const EMBED = {
  actions: false,
  // The content security policy forbids compiled code and inline styles.
  ast: true,
  defaultStyle: false,
  renderer: "svg",
  tooltip: { disableDefaultStyle: true },
};
// The decimal separator of the page's language.
const parts = new Intl.NumberFormat(document.documentElement.lang).formatToParts(-1234567.8);
const part = (type) => parts.find((each) => each.type === type)?.value ?? "";
vega.formatLocale({ decimal: part("decimal"), thousands: part("group"), grouping: [3], currency: ["", ""] });

async function specification(address) {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function draw(figure) {
  const drawing = figure.querySelector(".drawing");
  try {
    await vegaEmbed(drawing, await specification(figure.dataset.screen), EMBED);
    // The figure element has the name and the description; the marks would be read one by one.
    drawing.querySelector("svg").setAttribute("aria-hidden", "true");
    figure.dataset.drawn = "yes";
  } catch (problem) {
    figure.querySelector(".plot-problem").hidden = false;
    figure.dataset.drawn = "no";
    console.info(problem);
  }
}

// The foot of printed pages: CSS cannot take the name of the project from the page.
const { foot } = document.querySelector("main > [data-foot]")?.dataset ?? {};
if (foot) document.documentElement.style.setProperty("--foot", `"${foot.replace(/["\\]/g, "\\$&")}"`);

// What was folded has a width only when it is opened.
document.querySelector("main").addEventListener("toggle", () => window.dispatchEvent(new Event("resize")), true);

// One after the other, so that the first appears early.
for (const figure of document.querySelectorAll(".plot")) await draw(figure);
