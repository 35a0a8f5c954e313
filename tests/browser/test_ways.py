"""Ways that not everybody takes: without single keys, by a long press, on paper."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.judging_page import add_project, centre, checked, join

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def three(site):
    return add_project(site, "Three", [3], sentences=20)


def hold(page: Page, part: Locator, milliseconds: int) -> None:
    """Put a finger on it and lift it again, by real touch events."""
    part.evaluate("part => part.scrollIntoView({block: 'center', behavior: 'instant'})")
    finger = page.context.new_cdp_session(page)
    x, y = centre(part)
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    page.wait_for_timeout(milliseconds)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_single_keys_can_be_switched_off_and_stay_off(visit, three):
    jana = visit()
    join(jana, three)
    page = jana.page
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Digits and letters alone").uncheck()
    page.get_by_role("button", name="Close").click()
    page.reload()
    for key in ("1", "G", "?"):
        page.keyboard.press(key)
    assert checked(page) == {}
    expect(page.locator("#help")).to_be_hidden()
    # Everything is still there for the keyboard: choose, go to a rank, put.
    page.locator(".tray .face").first.press("Space")
    page.locator('.zone[data-value="2"] .put').first.press("Enter")
    assert checked(page) == {"1-1": "2"}
    page.keyboard.press("Control+z")
    assert checked(page) == {}
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Digits and letters alone").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("1")
    assert list(checked(page).values()) == ["1"]


def test_a_long_press_chooses_several_to_be_put_together(visit, three):
    jana = visit(**PHONE)
    join(jana, three)
    page = jana.page
    faces = page.locator(".tray .face")
    hold(page, faces.nth(0), 700)
    faces.nth(2).tap()
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(2)
    page.locator('.zone[data-value="1"] .put').first.tap()
    assert checked(page) == {"1-1": "1", "1-3": "1"}
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(0)


def test_a_short_tap_chooses_one_only(visit, three):
    jana = visit(**PHONE)
    join(jana, three)
    page = jana.page
    faces = page.locator(".tray .face")
    hold(page, faces.nth(0), 60)
    faces.nth(2).tap()
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(1)


def test_on_paper_there_are_texts_and_places_and_no_buttons(visit, three):
    jana = visit(color_scheme="dark")
    join(jana, three)
    page = jana.page
    page.keyboard.press("2")
    page.emulate_media(media="print")
    for seen in (".source", ".segment", ".ladder", ".garbage", ".piece"):
        expect(page.locator(seen).first).to_be_visible()
    for unseen in (".site-tools", ".judge-tools", ".submit-bar", ".skip-link", ".grip"):
        expect(page.locator(unseen).first).to_be_hidden()
    paper, ink = page.evaluate(
        "[document.body, document.querySelector('.piece bdi')].map(part => getComputedStyle(part))"
        ".map((style, place) => place ? style.color : style.backgroundColor)"
    )
    assert paper == "rgb(255, 255, 255)"
    assert max(int(part) for part in ink.removeprefix("rgb(").removesuffix(")").split(",")) < 100
