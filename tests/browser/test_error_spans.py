"""Marking errors with the mouse, a finger and keys."""

from playwright.sync_api import Locator, Page, expect

from annotation.kinds import KINDS
from tests.browser.judging_page import PHONE, centre, expect_state, press, press_at, submit
from tests.browser.test_kinds import make

ESA = KINDS["error_spans"]


def detail(page: Page, card: str) -> str:
    return page.locator(f'input[name="detail-{card}"]').input_value()


def words(page: Page, card: str) -> Locator:
    return page.locator(f'[data-marking="{card}"] [role=option]')


def score_all(page: Page) -> None:
    for field in page.locator(".score-number").all():
        field.fill("50")
        field.blur()


def test_errors_are_marked_with_the_mouse_and_keys(inspected, site):
    project = make(site, ESA)
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    card, other = [
        found.get_attribute("data-card")
        for found in page.locator(".candidate").all()
        if found.locator("[role=option]").count() > 1
    ][:2]
    mouse = words(page, card)
    first, second = mouse.nth(0).inner_text(), mouse.nth(1).inner_text()
    # A part of the first word, to the end of the second one.
    length = len(first) + 1 + len(second)
    mouse.nth(0).scroll_into_view_if_needed()
    page.mouse.move(*centre(mouse.nth(0)))
    page.mouse.down()
    box = mouse.nth(1).bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    start = int(detail(page, card).split("-")[0])
    assert 0 < start < len(first)
    assert detail(page, card) == f"{start}-{length} minor"
    page.locator(f'[data-marking="{card}"] mark [role=option]').first.click()
    page.locator(f'[data-marking="{card}"] .mark-missing').click()
    assert detail(page, card) == f"{start}-{length} major, missing minor"

    page.locator(f'[data-marking="{other}"] .marked-text').focus()
    start = len(words(page, other).nth(0).inner_text()) + 1
    press(page, "ArrowRight")
    press_at(page, "ě", "Digit2")
    end = start + len(words(page, other).nth(1).inner_text())
    assert detail(page, other) == f"{start}-{end} major"
    inspected.look("sheet with marked errors")
    press(page, "Delete", "Home", "Shift+ArrowRight", "Enter")
    assert detail(page, other) == f"0-{end} minor"
    press(page, "Control+z", "Control+z")
    assert detail(page, other) == f"{start}-{end} major"
    expect(page.locator(f'[data-marking="{other}"] .marked-text')).to_be_focused()

    marked = {key: detail(page, key) for key in (card, other)}
    expect_state(page, "saved")
    page.reload()
    assert {key: detail(page, key) for key in marked} == marked
    expect(page.locator(f'[data-marking="{card}"] mark.error-major')).to_have_count(1)
    score_all(page)
    submit(page)
    # The next sheet has marks of its own.
    text = page.locator(f'[data-marking="{card}"]').get_attribute("data-text")
    words(page, card).last.click()
    words(page, card).first.click()
    assert detail(page, card) == f"0-{len(text or '')} minor"
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
    card = page.locator(".candidate").first.get_attribute("data-card")
    length = len(page.locator(f'[data-marking="{card}"]').get_attribute("data-text"))
    words(page, card).last.tap()
    words(page, card).first.tap()
    assert detail(page, card) == f"0-{length} minor"
    words(page, card).first.tap()
    assert detail(page, card) == f"0-{length} major"
    page.locator(f'[data-marking="{card}"] .change-severity').tap()
    assert detail(page, card) == f"0-{length} minor"
    page.locator(f'[data-marking="{card}"] .remove-error').tap()
    assert detail(page, card) == ""
    page.locator(".undo").tap()
    assert detail(page, card) == f"0-{length} minor"


def test_without_javascript_the_score_is_given_and_marks_are_kept(visit, site):
    project = make(site, ESA)
    jana = visit()
    jana.judge(project)
    card = jana.page.locator(".candidate").first.get_attribute("data-card")
    jana.page.locator(f'[data-marking="{card}"] .mark-missing').click()
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
