"""The next sentence takes the place of the one before, without a navigation."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    assignment,
    checked,
    expect_next_sentence,
    expect_state,
    place_all,
    place_by_click,
    press,
    submit,
    submit_button,
)

FAILED = ("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
FOCUSED = "document.activeElement.closest('.piece')?.dataset.card ?? document.activeElement.id"


@pytest.fixture
def jana(visit):
    jana = visit()
    jana.judge()
    mark(jana.page)
    return jana


def mark(page):
    """Mark the document, so that `is_same` can tell whether it is still there."""
    page.evaluate("window.isMarked = true")


def is_same(page):
    return page.evaluate("window.isMarked === true")


def skip(page):
    page.locator(".skip-switch").click()
    page.locator("#skip input[value=other]").check()
    page.locator("#skip-comment").fill("No idea.")
    page.locator("#skip .button-skip").click()


def test_the_next_sheet_begins_anew_and_is_saved(jana, site):
    page = jana.page
    for judged in range(1, 4):
        before = assignment(page)
        places = place_all(page)
        page.evaluate("scrollTo({top: 200, behavior: 'instant'})")
        submit_button(page).click()
        expect_next_sentence(page, before)
        assert checked(page) == {}
        expect(page.locator(".undo")).to_be_disabled()
        expect_state(page, "nothing")
        expect(page.locator("#submitted")).to_be_visible()
        expect(page.locator("#announced")).not_to_be_empty()
        expect(page.locator(".judge-progress strong").first).to_have_text(str(judged))
        assert page.evaluate("scrollY") == 0
        assert page.evaluate(FOCUSED) == "sheet"
    place_by_click(page, first := {"1-1": "2"})
    expect(page.locator("#submitted")).to_have_count(0)
    expect_state(page, "saved")
    assert is_same(page)
    shown = assignment(page)
    page.reload()
    assert assignment(page) == shown
    assert checked(page) == first
    press(page, "U")
    assert checked(page) == {}
    expect(page.locator(".undo")).to_be_disabled()
    assert len(places) == 5


def test_keys_go_on_with_the_first_candidate(jana):
    page = jana.page
    before = assignment(page)
    place_all(page)
    press(page, "Shift+Enter")
    expect_next_sentence(page, before)
    assert page.evaluate(FOCUSED) == "1-1"
    press(page, "3")
    assert checked(page) == {"1-1": "3"}
    assert is_same(page)


def test_a_double_click_says_nothing_of_the_next_sheet(jana):
    page = jana.page
    before = assignment(page)
    place_all(page)
    submit_button(page).click()
    expect_next_sentence(page, before)
    submit_button(page).dispatch_event("click", {"detail": 2})
    expect(page.locator(".is-missing")).to_have_count(0)


def test_the_back_button_leads_to_the_open_sheet(jana):
    page = jana.page
    place_all(page)
    shown = submit(page)
    page.locator("[rel=prev]").click()
    page.locator(".revision").wait_for()
    page.go_back()
    expect(page.locator("input[name=assignment]")).to_have_value(shown)


def test_another_window_with_the_sentence_before_says_that_it_was_submitted(jana, site):
    page = jana.page
    other = jana.context.new_page()
    other.goto(site.url("judge"))
    before = assignment(other)
    key = page.evaluate("Object.keys(localStorage).find(key => key.startsWith('segranks-draft'))")
    place_all(page)
    shown = submit(page)
    expect_state(other, "over")
    assert assignment(other) == before
    # What happens to the record of the sentence before is nothing to the next one.
    page.evaluate("key => dispatchEvent(new StorageEvent('storage', {key}))", key)
    expect_state(page, "nothing")
    expect(page.locator("#notice")).to_be_hidden()
    other.locator("#notice a").click()
    expect(other.locator("input[name=assignment]")).to_have_value(shown)
    assert is_same(page)


def test_a_submission_that_waited_goes_on_in_place(jana, site):
    page = jana.page
    before = assignment(page)
    places = place_all(page)
    jana.context.set_offline(True)
    submit_button(page).click()
    expect_state(page, "waiting")
    page.locator(".help-switch").click()
    jana.context.set_offline(False)
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    expect(page.locator("#help")).to_be_hidden()
    place_by_click(page, {"1-1": "1"})
    expect_state(page, "saved")
    assert is_same(page)
    jana.excuse(*FAILED)


def test_a_card_that_is_being_dragged_when_the_sheet_ends_is_dropped_nowhere(jana):
    page = jana.page
    before = assignment(page)
    place_all(page)
    page.route("**/submission/", lambda route: route.abort())
    submit_button(page).click()
    expect_state(page, "waiting")
    # Its card still moves to its rank.
    piece = page.locator(".piece").first
    piece.hover(position={"x": 20, "y": 10})
    box = piece.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40, steps=8)
    expect(page.locator(".piece-flying")).to_be_visible()
    page.unroute("**/submission/")
    expect_next_sentence(page, before)
    expect(page.locator(".piece-flying")).to_have_count(0)
    page.mouse.move(box["x"] + 80, box["y"] + 60, steps=4)
    page.mouse.up()
    assert checked(page) == {}
    jana.excuse(*FAILED)


def test_a_sentence_is_skipped_in_place(jana):
    page = jana.page
    before = assignment(page)
    press(page, "1")
    skip(page)
    expect_next_sentence(page, before)
    assert checked(page) == {}
    expect(page.locator("#skipped")).to_be_visible()
    expect(page.locator("#announced")).not_to_be_empty()
    assert is_same(page)
    # The dialog is as new.
    page.locator(".skip-switch").click()
    expect(page.locator("#skip input:checked")).to_have_count(0)
    expect(page.locator("#skip-comment")).to_have_value("")


def test_a_late_answer_is_nothing_to_the_next_sheet(jana):
    page = jana.page
    before = assignment(page)
    place_all(page)
    late = []
    page.route("**/skip/", lambda route: late.append(route))
    page.route("**/submission/", lambda route: route.abort())
    submit_button(page).click()
    expect_state(page, "waiting")
    skip(page)
    page.unroute("**/submission/")
    expect_next_sentence(page, before)
    shown = assignment(page)
    late[0].fulfill(status=200, json={"next": None})
    # The draft is saved after the late answer has come.
    place_by_click(page, {"1-1": "1"})
    expect_state(page, "saved")
    assert assignment(page) == shown
    assert is_same(page)
    jana.excuse(*FAILED)


def test_a_page_whose_frame_has_changed_is_loaded(visit, site):
    project = site.add_project("Before", [2], sentences=2)
    jana = visit()
    jana.judge(project)
    page = jana.page
    site.query(f"Project.objects.filter(pk={project}).update(name='After')")
    before = assignment(page)
    place_all(page)
    submit_button(page).click()
    expect_next_sentence(page, before)
    expect(page.locator("h1")).to_have_text("After")
