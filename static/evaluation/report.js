/* Draws the figures of a report, and saves them in the colours of paper. */

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
// Enough for print and for high-density screens.
const PNG_SCALE = 3;

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
    for (const button of figure.querySelectorAll("[data-save]")) button.disabled = false;
    figure.dataset.drawn = "yes";
  } catch (problem) {
    figure.querySelector(".plot-problem").hidden = false;
    figure.dataset.drawn = "no";
    console.info(problem);
  }
}

/** Save the figure in the colours of paper. */
async function save(figure, kind) {
  const room = document.createElement("div");
  const { view } = await vegaEmbed(room, await specification(figure.dataset.paper), EMBED);
  try {
    view.background("#ffffff");
    await view.runAsync();
    download(await (kind === "svg" ? asSvg(view) : asPng(view)), `${figure.dataset.name}.${kind}`);
  } finally {
    view.finalize();
  }
}

async function asSvg(view) {
  return new Blob([await view.toSVG()], { type: "image/svg+xml" });
}

async function asPng(view) {
  const canvas = await view.toCanvas(PNG_SCALE);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const figures = [...document.querySelectorAll(".plot")];
for (const figure of figures) {
  for (const button of figure.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => save(figure, button.dataset.save));
  }
}
// One after the other, so that the first appears early.
for (const figure of figures) await draw(figure);
