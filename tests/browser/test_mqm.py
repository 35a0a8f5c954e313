"""Marking errors with their categories, in the translation and in the source."""

from playwright.sync_api import expect

from annotation.kinds import KINDS
from tests.browser.judging_page import PHONE, assert_light, expect_state, press, submit
from tests.browser.test_error_spans import Words, cards_of_words, detail, text_of
from tests.browser.test_kinds import make

MQM = KINDS["mqm"]
OWN = """severities: minor, major
most errors: 2
marks: [missing]
Accuracy/Omission
Accuracy/Other
Other"""


def make_with(site, options=""):
    project = make(site, MQM)
    site.query(f"Project.objects.filter(pk={project}).update(answer_options={options!r})")
    return project


def test_errors_get_categories_by_keys(inspected, site):
    jana = inspected.visitor
    jana.judge(make_with(site))
    page = jana.page
    assert_light(page, has_board=False)
    card, other = cards_of_words(page)[:2]
    text = text_of(page, card)
    start, end = Words(page, text).places[0]
    text.focus()
    palette = page.locator(".palette")
    press(page, "3")
    expect(palette).to_be_visible()
    inspected.look("palette")
    # Accuracy, mistranslation.
    press(page, "a", "m")
    expect(palette).to_be_hidden()
    first = f"{start}-{end} major Accuracy/Mistranslation"
    assert detail(page, card) == first
    expect(text).to_be_focused()
    # The last category again, with another severity, of words that overlap.
    press(page, "Shift+ArrowRight", "2", "Enter")
    long = Words(page, text).places[1][1]
    assert detail(page, card) == f"{first}, {start}-{long} minor Accuracy/Mistranslation"
    assert text.locator("mark mark").count() == 1
    # Another severity of the same mark needs no category, and Space asks for one.
    press(page, "3", "Space", "t", "i")
    assert f"{start}-{long} major Terminology/Inappropriate for context" in detail(page, card)
    press(page, "Delete")
    assert detail(page, card) == first
    inspected.look("sheet of mqm with a mark")
    # The source has errors of this translation.
    source = page.locator(".sentence .source")
    source.focus()
    press(page, "End", "1", "o")
    assert detail(page, card).startswith(f"{first}, source ")
    assert detail(page, card).endswith(" neutral Other")
    text_of(page, other).focus()
    expect(source.locator("mark")).to_have_count(0)
    text.focus()
    expect(source.locator("mark")).to_have_count(1)
    press(page, "Control+z")
    assert detail(page, card) == first
    expect_state(page, "saved")
    page.reload()
    assert detail(page, card) == first


def test_errors_answer_and_else_no_errors_is_said(visit, site):
    jana = visit()
    jana.judge(make_with(site))
    page = jana.page
    card, *_others = cards_of_words(page)
    cards = page.locator(".candidate")
    boxes = page.locator(".no-errors input")
    box = page.locator(f'.candidate[data-card="{card}"] .no-errors input')
    box.check()
    text_of(page, card).focus()
    press(page, "3", "s", "a")
    # An error takes back that there is none, in one step.
    expect(box).not_to_be_checked()
    page.locator(".undo").click()
    expect(box).to_be_checked()
    assert detail(page, card) == ""
    page.locator(".redo").click()
    for other in range(cards.count()):
        if cards.nth(other).get_attribute("data-card") != card:
            boxes.nth(other).check()
    assert submit(page) != ""
    assert site.query(
        "sorted(Placement.objects.filter(judgement__submission__assignment__annotator__username="
        f"{jana.name!r}).values_list('rank', flat=True))"
    ) == [1] * (cards.count() - 1) + [51]


def test_a_click_says_severity_and_category_and_there_are_so_many_errors(visit, site):
    jana = visit()
    jana.judge(make_with(site, OWN))
    page = jana.page
    card = cards_of_words(page)[0]
    mouse = Words(page, text_of(page, card))
    part = page.locator(f'[data-marking="{card}"]')
    palette = page.locator(".palette")
    mouse.drag(0, 0)
    palette.locator('[data-category="Accuracy/Omission"][data-severity=minor]').click()
    end = mouse.places[0][1]
    assert detail(page, card) == f"0-{end} minor Accuracy/Omission"
    # A mark and the list change it.
    mouse.click(0)
    palette.locator("[data-category=Other][data-severity=major]").click()
    assert detail(page, card) == f"0-{end} major Other"
    part.locator(".change-error").click()
    palette.locator(".palette-remove").click()
    assert detail(page, card) == ""
    # Something is missing; and all of it is.
    part.locator(".mark-missing").click()
    palette.locator('[data-category="Accuracy/Omission"][data-severity=major]').click()
    part.locator(".mark-whole").click()
    both = "missing major Accuracy/Omission, whole major [missing]"
    assert detail(page, card) == both
    expect(part.locator(".marked-error")).to_have_count(2)
    # There may be two errors.
    mouse.drag(1, 1)
    palette.locator(".palette-again").click()
    expect(part.locator(".marking-advice")).not_to_be_empty()
    assert detail(page, card) == both
    # Outside of the palette nothing is chosen.
    part.locator(".mark-whole").click()
    mouse.drag(1, 1)
    expect(palette).to_be_visible()
    page.mouse.click(2, 2)
    expect(palette).to_be_hidden()
    assert detail(page, card) == "missing major Accuracy/Omission"


def test_errors_get_categories_with_a_finger(visit, site):
    jana = visit(**PHONE)
    jana.judge(make_with(site))
    page = jana.page
    card = cards_of_words(page)[0]
    finger = Words(page, text_of(page, card))
    finger.tap(0)
    finger.tap(1)
    chosen = page.locator('.palette [data-category="Fluency/Grammar"][data-severity=minor]')
    chosen.tap()
    assert detail(page, card) == f"0-{finger.places[1][1]} minor Fluency/Grammar"
