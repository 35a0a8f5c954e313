"""How long after Submit the next sheet is painted.

    python -m tests.load.paint [--before CHECKOUT]

In Chromium without a window, on SQLite, with real texts where they are at hand: milliseconds from
the click on Submit until the frame after the first one that has the next sheet (painted), and until
the candidates of that lie on boards (ready). With CHECKOUT, a folder with another commit, both are
served at once and measured in turns.
"""

import argparse
import shutil
import statistics
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.load.figures import machine, percentile
from tests.load.served import ROOT, site

# In every document: waits for a sheet that is not the one that was submitted.
WATCH = """
const passed = () => Date.now() - Number(sessionStorage.getItem("clicked"));
const watch = (name, isThere) => {
  const sheet = document.querySelector("input[name=assignment]")?.value;
  if (!sheet || sheet === sessionStorage.getItem("submitted") || !document.querySelector(isThere)) {
    return requestAnimationFrame(() => watch(name, isThere));
  }
  requestAnimationFrame(() => sessionStorage.setItem(name, sessionStorage[name] ?? passed()));
};
window.watchForSheet = () => { watch("painted", ".submit-bar button"); watch("ready", ".piece"); };
if (sessionStorage.getItem("submitted")) window.watchForSheet();
"""
PLACE = """
for (const radio of document.querySelectorAll(".choice input[value='1']")) {
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
SUBMIT = """
for (const name of ["painted", "ready"]) sessionStorage.removeItem(name);
sessionStorage.setItem("submitted", document.querySelector("input[name=assignment]").value);
sessionStorage.setItem("clicked", Date.now());
window.watchForSheet();
document.querySelector("#judgement button[type=submit]").click();
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--before", type=Path, help="a folder with another commit")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--times", type=int, default=60)
    options = parser.parse_args()
    roots = {"now": ROOT} | ({"before": options.before.resolve()} if options.before else {})
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        stack.callback(browser.close)
        pages: dict[str, Page] = {}
        for name, root in roots.items():
            made = stack.enter_context(site(sqlite=True, root=root))
            made.make_project(options.sentences, judges=1)
            project, sessions = made.sign_in(1)
            server = stack.enter_context(made.serving())
            address = f"http://127.0.0.1:{server.port}"
            context = browser.new_context(bypass_csp=True)
            context.add_cookies([{"name": "sessionid", "value": sessions[0], "url": address}])
            context.add_init_script(WATCH)
            pages[name] = context.new_page()
            pages[name].goto(f"{address}/projects/{project}/judge/")
        print(machine(), flush=True)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in pages}
        for _time in range(options.times):
            for name, page in pages.items():
                found[name].append(submit(page))
    print(f"{'':8}{'painted':>16}{'ready':>16}   ms: median, p95")
    for name, values in found.items():
        # After the first ones, modules and templates are loaded.
        figures = zip(*values[len(values) // 4 :], strict=True)
        shown = (f"{statistics.median(some):8.0f}{percentile(some, 95):8.0f}" for some in figures)
        print(f"{name:8}{''.join(shown)}")


def submit(page: Page) -> tuple[float, float]:
    """Submit the open sheet; return the milliseconds until the next is painted and ready."""
    page.evaluate(PLACE)
    # As for a person, the draft is saved before.
    page.wait_for_selector("#saving[data-state=saved]")
    page.evaluate(SUBMIT)
    page.wait_for_function("sessionStorage.getItem('painted') && sessionStorage.getItem('ready')")
    painted, ready = (
        float(page.evaluate(f"sessionStorage.getItem('{name}')")) for name in ("painted", "ready")
    )
    return painted, ready


if __name__ == "__main__":
    main()
