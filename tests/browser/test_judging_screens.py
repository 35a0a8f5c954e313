"""The judging page on screens of all sizes, in both directions of writing, and skipping."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import add_project, assignment, checked, expect_saved, join

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def three_of_six(site):
    return add_project(site, "Three of six", [6, 6, 6], sentences=20)


def height(part):
    box = part.bounding_box()
    assert box
    return box["height"]


def test_a_segment_of_six_candidates_fits_a_phone(visit, three_of_six):
    jana = visit(**PHONE)
    join(jana, three_of_six)
    page = jana.page
    segment = page.locator(".segment").first
    print(f"{height(segment):.0f} px of {844 - height(page.locator('.submit-bar')):.0f}")
    assert height(segment) <= 700
    assert height(segment) + height(page.locator(".submit-bar")) <= 844
    for value in ("1", "2", "3", "4", "5", "6"):
        page.keyboard.press(value)
    assert height(segment) <= 700


def test_a_sentence_of_three_segments_fits_a_large_screen(visit, three_of_six):
    jana = visit(viewport={"width": 1920, "height": 1080})
    join(jana, three_of_six)
    page = jana.page
    page.locator(".instructions summary").click()
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    for value in ("1", "2", "3", "4", "5", "6") * 3:
        page.keyboard.press(value)
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080


def test_empty_ranks_open_when_a_candidate_is_chosen_and_the_candidate_stays(visit, three_of_six):
    jana = visit(**PHONE)
    join(jana, three_of_six)
    page = jana.page
    page.keyboard.press("5")
    rank = page.locator(".rank").first
    face = page.locator(".rank .face").first
    face.evaluate("face => face.scrollIntoView({block: 'center', behavior: 'instant'})")
    page.wait_for_timeout(300)
    closed, top = height(rank), face.bounding_box()["y"]
    face.tap()
    assert closed <= 20
    assert height(rank) >= 32
    assert abs(face.bounding_box()["y"] - top) <= 1
    target = page.locator('.zone[data-value="2"]').first
    before = target.bounding_box()["y"]
    target.locator(".put").tap()
    assert abs(target.bounding_box()["y"] - before) <= 1


def test_a_small_laptop_has_the_garbage_beside_the_ladder(visit, three_of_six):
    jana = visit(viewport={"width": 1024, "height": 768})
    join(jana, three_of_six)
    ladder = jana.page.locator(".ladder").first.bounding_box()
    garbage = jana.page.locator(".garbage").first.bounding_box()
    assert garbage["x"] >= ladder["x"] + ladder["width"]
    assert garbage["y"] == pytest.approx(ladder["y"], abs=2)


@pytest.mark.parametrize("width", [360, 768, 2560])
def test_nothing_sticks_out(visit, three_of_six, width):
    jana = visit(viewport={"width": width, "height": 900})
    join(jana, three_of_six)
    for key in ("1", "G", "D"):
        jana.page.keyboard.press(key)
    jana.page.keyboard.press("Enter")
    assert jana.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_project_in_arabic_reads_from_right_to_left(visit, site):
    texts = ("خلف الأبواب المغلقة", "وراء الأبواب المغلقة", "خلف الأبواب")
    url = add_project(site, "Arabic", [3], target="ar", texts=texts)
    jana = visit(**PHONE)
    join(jana, url)
    text = jana.page.locator(".piece bdi").first
    assert text.evaluate("text => getComputedStyle(text).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"
    range_end = text.evaluate(
        "text => { const range = document.createRange(); range.selectNodeContents(text);"
        " return [range.getBoundingClientRect().right, text.getBoundingClientRect().right]; }"
    )
    assert range_end[0] == pytest.approx(range_end[1], abs=1)


def test_the_submit_button_does_not_flash(visit, three_of_six):
    jana = visit()
    join(jana, three_of_six)
    button = jana.page.get_by_role("button", name="Submit")
    assert button.evaluate("b => getComputedStyle(b).transitionDuration") == "0s"


def test_instructions_stay_as_they_were_left(visit, three_of_six):
    jana = visit()
    join(jana, three_of_six)
    details = jana.page.locator(".instructions")
    expect(details).to_have_attribute("open", "")
    expect(details).to_contain_text("drag it by its handle")
    details.locator("summary").click()
    jana.page.wait_for_timeout(100)
    jana.page.reload()
    expect(details).not_to_have_attribute("open", "")


# --- skipping ---------------------------------------------------------------------------------


def skips(site, name):
    return site.installation.query(
        "[list(row) for row in Skip.objects.filter("
        f"assignment__annotator__username={name!r}).values_list('reason', 'comment')]"
    )


def test_a_sentence_is_skipped_with_a_reason(visit, site, three_of_six):
    jana = visit()
    join(jana, three_of_six)
    page, before = jana.page, assignment(jana.page)
    page.keyboard.press("1")
    expect_saved(page)
    page.get_by_role("link", name="Skip this sentence").click()
    page.get_by_role("radio", name="The segments make no sense").check()
    page.get_by_label("Comment").fill("cut in the middle of a word")
    page.get_by_role("button", name="Skip the sentence").click()
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)
    assert checked(page) == {}
    assert skips(site, jana.name) == [["wrong-segment", "cut in the middle of a word"]]


def test_a_sentence_is_skipped_without_javascript(visit, site, three_of_six):
    jana = visit(java_script_enabled=False)
    join(jana, three_of_six)
    page = jana.page
    before = assignment(page)
    page.get_by_role("link", name="Skip this sentence").click()
    expect(page.locator("h1")).to_have_text("Skip this sentence")
    page.get_by_role("radio", name="The text is offensive").check()
    page.get_by_role("button", name="Skip the sentence").click()
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)
    assert skips(site, jana.name) == [["offensive", ""]]
