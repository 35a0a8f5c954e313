"""Marking errors with the mouse, a finger and keys."""

import re

from playwright.sync_api import Locator, Page, expect

from annotation.kinds import KINDS
from tests.browser.judging_page import PHONE, expect_state, press, press_at, submit
from tests.browser.test_kinds import make

ESA = KINDS["error_spans"]
# Where characters of a text are on the screen.
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
  const { x, y, width, height } = range.getClientRects()[0];
  return { x, y, width, height };
}"""


def detail(page: Page, card: str) -> str:
    return page.locator(f'input[name="detail-{card}"]').input_value()


def text_of(page: Page, card: str) -> Locator:
    return page.locator(f'[data-marking="{card}"] .marked-text')


def cursor(page: Page) -> str:
    return page.locator(".is-cursor").inner_text()


class Words:
    """Where the words of a text begin and end, and where they are on the screen."""

    def __init__(self, page: Page, text: Locator) -> None:
        self.page, self.text = page, text
        self.places = [word.span() for word in re.finditer(r"\S+", text.inner_text())]

    def point(self, word: int, share: float = 0.5) -> tuple[float, float]:
        """Return a point of a word, from 0 at its start to 1 at its end."""
        self.text.scroll_into_view_if_needed()
        box = self.text.evaluate(BOX, self.places[word])
        return box["x"] + box["width"] * share, box["y"] + box["height"] / 2

    def drag(self, first: int, last: int, share: float = 0.02) -> None:
        self.page.mouse.move(*self.point(first, share))
        self.page.mouse.down()
        self.page.mouse.move(*self.point(last, 0.99), steps=8)
        self.page.mouse.up()

    def click(self, word: int) -> None:
        self.page.mouse.click(*self.point(word))

    def tap(self, word: int) -> None:
        self.page.touchscreen.tap(*self.point(word))


def score_all(page: Page) -> None:
    for field in page.locator(".score-number").all():
        field.fill("50")
        field.blur()


def cards_of_words(page: Page) -> list[str]:
    """Return the cards whose texts have at least two words before the number at the end."""
    page.locator(".marked-text").first.wait_for()
    return [
        str(found.get_attribute("data-card"))
        for found in page.locator(".candidate").all()
        if len(found.locator(".marked-text").inner_text().split()) > 2
    ]


def test_errors_are_marked_with_the_mouse_and_keys(inspected, site):
    project = make(site, ESA)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    card, other = cards_of_words(page)[:2]
    mouse = Words(page, text_of(page, card))
    # A part of the first word, to the end of the second one.
    mouse.drag(0, 1, share=0.7)
    start, end = mouse.places[0][0], mouse.places[1][1]
    marked = int(detail(page, card).split("-")[0])
    assert start < marked < mouse.places[0][1]
    assert detail(page, card) == f"{marked}-{end} minor"
    mouse.click(1)
    page.locator(f'[data-marking="{card}"] .mark-missing').click()
    assert detail(page, card) == f"{marked}-{end} major, missing minor"

    keys = Words(page, text_of(page, other))
    text_of(page, other).focus()
    press(page, "ArrowRight")
    press_at(page, "ě", "Digit2")
    start, end = keys.places[1]
    assert detail(page, other) == f"{start}-{end} major"
    inspected.look("sheet with marked errors")
    press(page, "Delete", "Home", "Shift+ArrowRight", "Space")
    assert detail(page, other) == f"0-{end} minor"
    press(page, "Control+z", "Control+z")
    assert detail(page, other) == f"{start}-{end} major"
    expect(text_of(page, other)).to_be_focused()

    both = {key: detail(page, key) for key in (card, other)}
    expect_state(page, "saved")
    page.reload()
    assert {key: detail(page, key) for key in both} == both
    expect(text_of(page, card).locator("mark[data-look=severe]")).to_have_count(1)
    score_all(page)
    submit(page)
    # The next sheet has marks of its own.
    new = Words(page, text_of(page, card))
    new.click(-1)
    new.click(0)
    assert detail(page, card) == f"0-{new.places[-1][1]} minor"
    page.locator(".undo").click()
    assert detail(page, card) == ""
    assert site.query(
        "sorted(ErrorSpan.objects.filter(placement__judgement__submission__assignment__annotator__"
        f"username={jana.name!r}).values_list('severity', flat=True))"
    ) == ["major", "major", "minor"]


def test_errors_are_marked_with_a_finger_and_changed_in_the_list(visit, site):
    jana = visit(**PHONE)
    jana.judge(make(site, ESA))
    page = jana.page
    card = cards_of_words(page)[0]
    finger = Words(page, text_of(page, card))
    finger.tap(-1)
    finger.tap(0)
    length = finger.places[-1][1]
    assert detail(page, card) == f"0-{length} minor"
    finger.tap(0)
    assert detail(page, card) == f"0-{length} major"
    page.locator(f'[data-marking="{card}"] .change-error').tap()
    assert detail(page, card) == f"0-{length} minor"
    page.locator(f'[data-marking="{card}"] .remove-error').tap()
    assert detail(page, card) == ""
    page.locator(".undo").tap()
    assert detail(page, card) == f"0-{length} minor"


def test_words_are_found_by_what_they_begin_with(visit, site):
    texts = [f"Über den Berg und. Bald über das Tal {letter}, und dann bergab" for letter in "ab"]
    jana = visit()
    project = site.add_project("find", [2], target="de", texts=texts)
    site.query(f"Project.objects.filter(pk={project}).update(kind='error_spans')")
    jana.judge(project)
    page = jana.page
    text = page.locator(".marked-text").first
    text.focus()
    # Accents and capitals count no more than on a keyboard without them.
    press(page, "b", "e")
    assert cursor(page) == "Berg"
    # What no word begins with begins another one.
    press(page, "t", "a")
    assert cursor(page) == "Tal"
    press(page, "Escape", "u")
    assert cursor(page) == "und"
    # A search has any characters, and its words one after the other, until it ends.
    press(page, "Home", "/", "u", "b", "/")
    assert cursor(page) == "über"
    press(page, "Enter", "1")
    assert text.locator("mark").inner_text() == "über"
    press(page, "PageDown", "Home", "PageDown")
    assert cursor(page) == "Bald"
    press(page, "Shift+PageDown")
    assert cursor(page) == "bergab"
    # While words are selected, what is found is their end.
    press(page, "Home", "Shift+ArrowRight", "t", "2")
    assert text.locator("mark").inner_text().startswith("Über den")
    assert text.locator("mark").inner_text().endswith("Tal")


def test_a_sheet_is_judged_from_the_text_by_keys(visit, site):
    jana = visit()
    jana.judge(make(site, ESA))
    page = jana.page
    cards = cards_of_words(page)
    first = page.locator(".candidate").first.get_attribute("data-card")
    assert first
    text_of(page, first).focus()
    press(page, "Enter", "8", "4", "Enter")
    fields = page.locator(".score-number")
    expect(fields.first).to_have_value("84")
    # The next text has the focus, and only that one has an element for each word.
    second = page.locator(".candidate").nth(1).locator(".marked-text")
    expect(second).to_be_focused()
    expect(page.locator(".marked-text", has=page.locator("[data-unit]"))).to_have_count(1)
    # A low score without an error, and the highest one with an error, are odd, and can be given.
    advice = page.locator(".marking-advice")
    expect(advice.first).not_to_be_empty()
    page.locator(".mark-missing").first.click()
    expect(advice.first).to_be_empty()
    fields.first.fill("100")
    fields.first.blur()
    expect(advice.first).not_to_be_empty()
    second.focus()
    for _field in range(len(page.locator(".candidate").all()) - 1):
        press(page, "Enter", "9", "0", "Enter")
    assert len(cards) > 1
    # Enter in the last field has submitted the sheet.
    expect(page.locator(".slider.is-unset")).to_have_count(fields.count())


def test_without_javascript_the_score_is_given_and_marks_are_kept(visit, site):
    project = make(site, ESA)
    jana = visit()
    jana.judge(project)
    jana.page.locator(".mark-missing").first.click()
    expect_state(jana.page, "saved")
    plain = visit(java_script_enabled=False)
    plain.sign_in_like(jana)
    plain.page.goto(site.url("judge", project))
    expect(plain.page.locator("noscript p").first).to_be_visible()
    for field in plain.page.locator(".score-number").all():
        field.fill("100")
    plain.page.locator("#judgement button[type=submit]").click()
    expect(plain.page.locator("#submitted")).to_be_visible()
    assert site.query(
        "[str(span) for span in ErrorSpan.objects.filter(placement__judgement__submission__"
        f"assignment__annotator__username={jana.name!r})]"
    ) == ["missing minor"]
