"""How much work it is to mark errors, and how heavy and quick a sheet of many translations is.

    python -m tests.load.marking FOLDER

FOLDER has `source.txt` and `systems/NAME.txt`. In Chromium without a window, on SQLite. Sheets of
several paragraphs and systems are put together of the templates of the page, each source in the
section of its paragraph.

- The work: ten paragraphs of one system on a sheet, with 12 errors of one to three words at random
  places (a fixed seed), a third of them major, and ten scores. By keys: what is pressed; Shift is
  counted once for each selection, and a word is found by letters until the cursor is there. By
  mouse: a drag and a click count one each.
- The weight of a sheet of 5 paragraphs × 3 systems: bytes, and elements after the script ran.
- The time of each key on a sheet of 30 paragraphs × 3 systems, without the wait for the next frame:
  script, style, layout and paint.
"""

import argparse
import gzip
import json
import random
import re
import shutil
import statistics
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tests.load.figures import machine, percentile
from tests.load.served import site

PARAGRAPHS, ERRORS = 10, 12
# One that can be typed, as a person chooses the errors here by their words.
WORD = re.compile(r"(?<![\w'’.])[^\W\d_]+(?![\w'’])")
# Words of a paragraph.
WORDS = range(45, 81)
RENDER = """
import json, sys
from django.template.loader import render_to_string
from annotation.judging.rank_fields import CardFields, SegmentFields
from annotation.models import Project
from annotation.templatetags.languages import text_attributes
paragraphs = json.load(open({paragraphs!r}))
project = Project.objects.get()
segments = [
    SegmentFields([(source, True)], [
        CardFields(f"{{number}}-{{place}}", text, 101, "", False)
        for place, text in enumerate(texts, 1)
    ], is_whole=True)
    for number, (source, texts) in enumerate(paragraphs, 1)
]
context = {{"segments": segments, "project": project}}
html = render_to_string("annotation/judge/_segments.html", context)
for source, _texts in paragraphs:
    shown = f'<p class="source"{{text_attributes(project.source_language)}}>{{source}}</p>'
    html = html.replace("</header>", f"</HEADER>{{shown}}", 1)
print(json.dumps(html.replace("</HEADER>", "</header>")))
"""
# Milliseconds of a key, in a frame that begins before it.
PRESS = """key => new Promise(resolve => requestAnimationFrame(() => {
  const begin = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve(performance.now() - begin);
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {
    ...key, bubbles: true, cancelable: true}));
  port2.postMessage(0);
}))"""
BOX = """(text, [start, end]) => {
  const range = document.createRange();
  const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let at = 0;
  range.selectNodeContents(text);
  while (nodes.nextNode()) {
    const { length } = nodes.currentNode.data;
    if (at <= start && start < at + length) range.setStart(nodes.currentNode, start - at);
    if (at < end && end <= at + length) range.setEnd(nodes.currentNode, end - at);
    at += length;
  }
  const boxes = [...range.getClientRects()].filter(box => box.width > 1);
  const [first, last] = [boxes[0], boxes.at(-1)];
  return [first.x, first.y + first.height / 2, last.right, last.y + last.height / 2];
}"""

Paragraphs = list[tuple[str, list[str]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    texts = read(parser.parse_args().folder)
    with ExitStack() as stack:
        made = stack.enter_context(site(sqlite=True))
        names = {"source": [source for source, _outputs in texts[:3]]}
        names |= {
            f"{name}": [outputs[at] for _source, outputs in texts[:3]]
            for at, name in enumerate("ab")
        }
        for name, lines in names.items():
            (made.folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
        systems = [f"--system={name}={made.folder / name}.txt" for name in "ab"]
        made.manage(
            "create_project", "marking", "--languages=en-de", "--kind=error_spans",
            f"--source={made.folder / 'source.txt'}", *systems, "--intra-rate=0", "--inter-rate=0",
        )  # fmt: skip
        project, [session] = made.sign_in(1)

        def render(paragraphs: Paragraphs) -> str:
            path = made.folder / "paragraphs.json"
            path.write_text(json.dumps(paragraphs))
            return str(made.ask(RENDER.format(paragraphs=str(path))))

        work = render([(source, outputs[:1]) for source, outputs in texts[:PARAGRAPHS]])
        small = render([(source, outputs[:3]) for source, outputs in texts[:5]])
        many = [texts[at % len(texts)] for at in range(30)]
        large = render([(source, outputs[:3]) for source, outputs in many])
        server = stack.enter_context(made.serving())
        playwright = stack.enter_context(sync_playwright())
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        stack.callback(browser.close)
        address = f"http://127.0.0.1:{server.port}/projects/{project}/judge/"
        print(machine(), flush=True)
        errors = choose_errors([outputs[0] for _source, outputs in texts[:PARAGRAPHS]])
        print(f"keys       {by_keys(shown(browser, address, session, work), errors)}")
        print(f"gestures   {by_mouse(shown(browser, address, session, work), errors)}")
        weigh(shown(browser, address, session, small))
        measure(shown(browser, address, session, large))


def read(folder: Path) -> Paragraphs:
    """Return paragraphs of usual lengths with the outputs of three systems."""
    sources = (folder / "source.txt").read_text().splitlines()
    files = sorted((folder / "systems").glob("*.txt"))[:3]
    outputs = zip(*(path.read_text().splitlines() for path in files), strict=True)
    found = zip(sources, map(list, outputs), strict=True)
    return [each for each in found if len(each[0].split()) in WORDS]


def choose_errors(texts: list[str]) -> list[tuple[int, int, int, str]]:
    """Return errors: number of the paragraph, start, end, and the key of the severity."""
    chance = random.Random(41)
    chosen: list[tuple[int, int, int, str]] = []
    while len(chosen) < ERRORS:
        number = len(chosen)
        paragraph = number if number < len(texts) else chance.randrange(len(texts))
        words = [word.span() for word in WORD.finditer(texts[paragraph])]
        first = chance.randrange(len(words) - 3)
        start, end = words[first][0], words[first + chance.choice((0, 0, 1, 2))][1]
        if all(at != paragraph or end < one or other < start for at, one, other, _key in chosen):
            chosen.append((paragraph, start, end, "2" if number % 3 == 0 else "1"))
    return sorted(chosen)


def shown(browser: Browser, address: str, session: str, segments: str) -> Page:
    """Return a page whose sheet has these segments."""

    def put(route: Route) -> None:
        answer = route.fetch()
        before, rest = answer.text().split('<section class="sentence">', 1)
        after = rest[rest.index('<div class="submit-bar">') :]
        body = f'{before}<div class="sentence"></div>{segments}</div>{after}'
        route.fulfill(response=answer, body=body)

    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page = context.new_page()
    page.route(address, put)
    page.goto(address)
    page.wait_for_selector(".marked-text")
    # Nothing of the pages that were put together is stored.
    page.route(re.compile("/api/"), lambda route: route.abort())
    return page


# --- the work ----------------------------------------------------------------------------------


def by_keys(page: Page, errors: list[tuple[int, int, int, str]]) -> int:
    """Judge the sheet by keys; return how many were pressed."""
    pressed = 0

    def press(*keys: str) -> None:
        nonlocal pressed
        for key in keys:
            page.keyboard.press(key)
        pressed += len(keys)

    def at_cursor() -> int:
        return int(page.locator(".is-cursor").get_attribute("id").rsplit("-", 1)[1])  # type: ignore[union-attr]

    press("j")
    for number, text in enumerate(texts_of(page)):
        for _number, start, end, severity in (one for one in errors if one[0] == number):
            word = WORD.match(text, start)
            assert word
            for letter in word[0]:
                if at_cursor() != start:
                    press(letter.lower())
            for _other in range(text.count(word[0])):
                if at_cursor() != start:
                    press("/")
            if end > start + len(word[0]):
                # Shift itself.
                pressed += 1
            while end > page.evaluate(SELECTED):
                press("Shift+ArrowRight")
            press(severity)
        press("Enter", str(5 + number % 5), str(number), "Enter")
    check(page, errors)
    return pressed


SELECTED = """() => {
  const chosen = [...document.querySelectorAll(".is-selected, .is-cursor")];
  return Math.max(...chosen.map(one => Number(one.id.split("-").at(-1)) + one.textContent.length));
}"""


def by_mouse(page: Page, errors: list[tuple[int, int, int, str]]) -> int:
    """Judge the sheet with the mouse; return how many gestures that took."""
    gestures = 1
    for number in range(PARAGRAPHS):
        card = page.locator(".candidate").nth(number)
        text = card.locator(".marked-text")
        for _number, start, end, severity in (one for one in errors if one[0] == number):
            text.evaluate("text => text.scrollIntoView({block: 'center', behavior: 'instant'})")
            x, y, right, bottom = text.evaluate(BOX, [start, end])
            page.mouse.move(x + 0.5, y)
            page.mouse.down()
            page.mouse.move(right - 0.5, bottom, steps=5)
            page.mouse.up()
            gestures += 1
            if severity == "2":
                page.mouse.click(x + 4, y)
                gestures += 1
        slider = card.locator(".slider")
        box = slider.bounding_box()
        assert box
        slider.click(position={"x": box["width"] * (0.5 + number / 25), "y": box["height"] / 2})
        gestures += 1
    check(page, errors)
    # With the click on Submit.
    return gestures


def texts_of(page: Page) -> list[str]:
    return page.locator(".marked-text").all_text_contents()


def check(page: Page, errors: list[tuple[int, int, int, str]]) -> None:
    """Raise AssertionError unless all that was to be done is done."""
    names = {"1": "minor", "2": "major"}
    for number in range(PARAGRAPHS):
        card = page.locator(".candidate").nth(number)
        expected = [f"{start}-{end} {names[key]}" for at, start, end, key in errors if at == number]
        found = card.locator('[name^="detail-"]').input_value()
        assert found == ", ".join(expected), f"{found}, not {expected}"
        assert card.locator(".score-number").input_value()


# --- weight and time ---------------------------------------------------------------------------


def weigh(page: Page) -> None:
    """Print what a sheet weighs in the answer to a submission, and how many elements it has."""
    html = page.evaluate("fetch(location.href).then(answer => answer.text())")
    part = html[html.index('<div id="sheet"') : html.index('<div class="submit-bar">')]
    answer = json.dumps({"next": part}).encode()
    sizes = [len(some) / 1000 for some in (part.encode(), answer, gzip.compress(answer))]
    print("5 × 3      {:.1f} kB of HTML, {:.1f} kB as JSON, {:.1f} kB gzipped".format(*sizes))
    page.locator(".marked-text").first.focus()
    for name, those in {"sheet": "#sheet, #sheet *", "page": "*"}.items():
        count = page.locator(those).count()
        print(f"           {count} elements of the {name}, with a text in use")


def measure(page: Page) -> None:
    """Print the milliseconds of keys in a text of a large sheet."""
    page.locator(".marked-text").nth(40).focus()
    arrow = {"key": "ArrowRight", "code": "ArrowRight"}
    letters = [{"key": letter, "code": f"Key{letter.upper()}"} for letter in "dseu"]
    keys: dict[str, list[dict[str, Any]]] = {
        "to the next word": [{**arrow}] * 40,
        "find by a letter": [{**letter} for letter in letters] * 10,
        "select": [{**arrow, "shiftKey": True}] * 15,
        "mark, remove": [
            {"key": "1", "code": "Digit1"},
            {"key": "Delete", "code": "Delete"},
        ]
        * 20,
    }
    for name, those in keys.items():
        times = [page.evaluate(PRESS, key) for key in those]
        print(f"{name:18} {statistics.median(times):6.1f} ms, p95 {percentile(times, 95):6.1f}")


if __name__ == "__main__":
    main()
