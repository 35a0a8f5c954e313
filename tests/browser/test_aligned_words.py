"""Words that are marked because they are aligned with the one that is pointed at."""

from playwright.sync_api import Page, expect

from annotation.kinds import KINDS
from tests.browser.judging_page import PHONE, press, submit
from tests.browser.site import Site
from tests.browser.test_kinds import make

# Each translation is its candidate. Its words are aligned with the first three of the source, in
# the opposite order; what follows the third belongs to it.
ALIGN = """
from annotation.models import *
from annotation.formats.tokens import split_at_spaces
project = Project.objects.get(pk={project})
project.highlights = True
project.save()
for sentence in project.sentences.all():
    candidates = Candidate.objects.filter(segment__sentence=sentence).order_by("pk")
    for translation, candidate in zip(sentence.translations.order_by("pk"), candidates):
        count = len(candidate.text.split())
        translation.text = candidate.text
        translation.tokens = split_at_spaces(candidate.text).places
        translation.alignment = " ".join(f"{{2 - min(i, 2)}}-{{i}}" for i in range(count))
        translation.save()
"""
MARKED = """() => [...CSS.highlights.get("aligned-words") ?? []].map((range) => {
  const text = range.startContainer.parentElement.closest("[data-words]");
  return [text.className || "candidate", range.toString()];
})"""
PLACE = """([text, number]) => {
  const words = text.textContent.split(/(?<=\\s)/);
  const start = words.slice(0, number).join("").length;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let [at, node] = [0, walker.nextNode()];
  while (at + node.length <= start) [at, node] = [at + node.length, walker.nextNode()];
  const range = new Range();
  range.setStart(node, start - at);
  range.setEnd(node, start - at + 1);
  const { left, top, width, height } = range.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


def aligned(site: Site, kind: str) -> int:
    project = make(site, KINDS[kind])
    site.installation.execute(ALIGN.format(project=project))
    return project


def place(page: Page, selector: str, number: int) -> list[float]:
    """Return where the word, counted from 0, of the first shown text that has it is."""
    shown = page.locator(f"{selector}:visible").all()
    text = next(text for text in shown if len(text.inner_text().split()) > number)
    text.scroll_into_view_if_needed()
    found: list[float] = page.evaluate(PLACE, [text.element_handle(), number])
    return found


def marked(page: Page) -> dict[str, list[str]]:
    """Return the marked words of the source and of the candidates, in the order of the page."""
    found: dict[str, list[str]] = {}
    for element, word in page.evaluate(MARKED):
        found.setdefault(element, []).append(word)
    return found


def candidates(page: Page, selector: str) -> list[list[str]]:
    return [text.inner_text().split() for text in page.locator(f"{selector}:visible").all()]


def test_pointing_at_a_word_marks_the_words_aligned_with_it(inspected, site):
    jana = inspected.visitor
    jana.judge(aligned(site, "sentence_ranking"))
    page = jana.page
    face = ".face bdi"
    texts = candidates(page, face)
    assert len(texts) > 2

    page.mouse.move(*place(page, ".source", 1))
    assert marked(page) == {"source": ["committee"], "candidate": [text[1] for text in texts]}

    # The others belong to the first word of the source.
    page.mouse.move(*place(page, face, 2))
    others = [word for text in texts for word in text[2:]]
    assert marked(page) == {"source": ["the"], "candidate": others}
    inspected.look("sheet with marked words")

    # The same words where differences are marked.
    press(page, "d")
    page.mouse.move(*place(page, face, 0))
    assert marked(page) == {"source": ["which"], "candidate": [text[0] for text in texts]}

    page.mouse.move(1, 1)
    assert marked(page) == {}

    # The next sheet has links of its own.
    press(page, *["1"] * len(texts))
    submit(page)
    page.mouse.move(*place(page, ".source", 1))
    assert marked(page)["source"] == ["committee"]
    assert len(marked(page)["candidate"]) == len(candidates(page, face))


def test_a_tap_marks_words_and_another_place_removes_the_marks(visit, site):
    jana = visit(**PHONE)
    jana.judge(aligned(site, "sentence_ranking"))
    page = jana.page
    page.touchscreen.tap(*place(page, ".source", 1))
    texts = candidates(page, ".candidate legend bdi")
    assert marked(page) == {"source": ["committee"], "candidate": [text[1] for text in texts]}
    page.locator(".sentence-source .label").tap()
    assert marked(page) == {}


def test_the_word_at_the_cursor_marks_its_words(visit, site):
    jana = visit()
    jana.judge(aligned(site, "error_spans"))
    page = jana.page
    texts = candidates(page, ".marked-text")
    longest = texts.index(max(texts, key=len))
    page.locator(".marked-text").nth(longest).focus()
    assert marked(page) == {"source": ["which"], "marked-text": [text[0] for text in texts]}
    press(page, "ArrowRight", "1", "ArrowRight")
    others = [word for text in texts for word in text[2:]]
    assert marked(page) == {"source": ["the"], "marked-text": others}
    press(page, "Tab")
    assert marked(page) == {}


def test_each_of_several_sources_is_with_its_translations(visit, site):
    jana = visit()
    jana.judge(aligned(site, "sentence_ranking"))
    page = jana.page
    # As where a sheet has several paragraphs.
    page.locator(".segment").evaluate("segment => { segment.dataset.aligned = ''; }")
    page.mouse.move(*place(page, ".face bdi", 1))
    assert [*marked(page)] == ["candidate"]
    page.mouse.move(*place(page, ".source", 1))
    assert "source" in marked(page)


def test_no_words_are_marked_where_the_project_does_not(visit, site):
    jana = visit()
    jana.judge(make(site, KINDS["sentence_ranking"]))
    page = jana.page
    expect(page.locator("[data-words]")).to_have_count(0)
    page.mouse.move(*place(page, ".source", 1))
    assert marked(page) == {}
