"""Judging by keys alone, undoing, and choosing several candidates."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    add_project,
    assignment,
    checked,
    expect_saved,
    join,
    place_by_click,
    plan,
    segments,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def six(site):
    return add_project(site, "Six candidates", [6], sentences=9)


@pytest.fixture(scope="module")
def two_segments(site):
    return add_project(site, "Two segments", [3, 2], sentences=20)


@pytest.fixture
def jana(visit, two_segments):
    jana = visit()
    join(jana, two_segments)
    return jana


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def focused(page):
    return page.evaluate("document.activeElement.closest('.piece, .candidate')?.dataset.card")


def test_eight_sentences_of_six_candidates_need_few_keys(visit, six):
    jana = visit()
    join(jana, six)
    page, pressed, candidates = jana.page, 0, 0
    for number in range(8):
        before = assignment(page)
        for value in ("1", "2", "2", "G", "6", "3"):
            page.keyboard.press(value)
            pressed, candidates = pressed + 1, candidates + 1
        assert list(checked(page).values()) == ["1", "2", "2", "garbage", "6", "3"]
        page.keyboard.press("Shift+Enter")
        pressed += 1
        expect(page.locator("input[name=assignment]")).not_to_have_value(before)
        expect(page.locator(".judge-progress")).to_contain_text(f"judged by you: {number + 1}")
    print(f"{pressed / candidates:.3f} key presses a candidate")
    assert pressed / candidates <= 1.3


def test_keys_alone_are_enough_from_signing_in_to_submitting(visit, site):
    jana = visit()
    page = jana.page
    _name, link = site.add_user()
    page.goto(link)

    def tab_to(selector):
        for _step in range(40):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no way to {selector}")

    tab_to("main form button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/password/")
    page.goto(site.address)
    tab_to("a[href$='/judge/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/judge/")
    before = assignment(page)
    for _candidate in plan(page):
        page.keyboard.press("1")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)


def test_the_focus_goes_on_to_the_next_candidate_and_segment(jana):
    page = jana.page
    press(page, "2")
    assert focused(page) == "1-2"
    press(page, "ArrowDown")
    assert focused(page) == "1-3"
    press(page, "1", "G")
    assert checked(page) == {"1-1": "2", "1-2": "garbage", "1-3": "1"}
    assert focused(page) == "2-1"
    press(page, "2", "1")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()
    press(page, "K", "K", "K", "J")
    assert focused(page)


def test_a_rank_that_does_not_exist_is_said_and_nothing_is_placed(jana):
    press(jana.page, "7")
    expect(jana.page.locator("#status")).to_have_text("Ranks go from 1 to 3")
    assert checked(jana.page) == {}
    expect(jana.page.locator("#status")).to_have_text("Candidates left to place: 5", timeout=5_000)


def test_undo_and_redo_go_back_to_the_beginning_and_survive_a_reload(jana):
    page = jana.page
    press(page, "1", "2", "G")
    placed = checked(page)
    expect_saved(page)
    page.reload()
    press(page, "U", "Control+z", "U")
    assert checked(page) == {}
    expect(page.locator(".tray .piece")).to_have_count(5)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    press(page, "Shift+U", "Y", "Control+Shift+z")
    assert checked(page) == placed
    page.get_by_role("button", name="Undo").click()
    assert checked(page) == {"1-1": "1", "1-2": "2"}
    page.get_by_role("button", name="Redo").click()
    assert checked(page) == placed


def test_what_was_dragged_or_chosen_in_the_list_is_undone_too(jana):
    page = jana.page
    place_by_click(page, {"1-1": "3"})
    page.get_by_role("button", name="Show as a list").click()
    page.locator('.candidate[data-card="1-1"]').get_by_role("radio", name="Garbage").check()
    press(page, "U")
    assert checked(page) == {"1-1": "3"}
    press(page, "U")
    assert checked(page) == {}


def test_the_list_is_judged_by_keys_too(jana):
    page = jana.page
    page.get_by_role("button", name="Show as a list").click()
    press(page, "1", "2", "J", "2")
    assert checked(page) == {"1-1": "1", "1-2": "2", "2-1": "2"}


def test_ranks_from_ten_on_are_two_digits_in_quick_succession(visit, site):
    jana = visit()
    join(jana, add_project(site, "Ten candidates", [10]))
    page = jana.page
    press(page, "1", "0", "2", "1", "0", "1", "G")
    assert checked(page) == {"1-1": "10", "1-2": "2", "1-3": "10", "1-4": "1", "1-5": "garbage"}
    press(page, "1")
    expect(page.locator("#status")).to_have_text("1…")
    expect(page.locator('.zone[data-value="1"] .piece')).to_have_count(2)


def test_several_are_chosen_with_keys_and_placed_at_once(jana):
    page = jana.page
    press(page, "J", "Space", "J", "Space", "2")
    assert checked(page) == {"1-1": "2", "1-2": "2"}
    press(page, "U")
    assert checked(page) == {}
    press(page, "Shift+ArrowDown", "Shift+ArrowDown", "G")
    assert len(checked(page)) == 3
    assert set(checked(page).values()) == {"garbage"}


def test_several_are_chosen_with_the_mouse_and_placed_at_once(jana):
    page = jana.page
    board = page.locator(".board").first
    for face in board.locator(".face").all()[1:]:
        face.click(modifiers=["ControlOrMeta"])
    board.locator('.zone[data-value="1"] .put').click()
    assert checked(page) == {"1-2": "1", "1-3": "1"}


def test_keys_are_left_alone_while_somebody_writes(jana):
    page = jana.page
    page.get_by_role("link", name="Skip this sentence").click()
    page.get_by_label("Comment").fill("")
    page.get_by_label("Comment").press_sequentially("1G2ud?")
    assert page.get_by_label("Comment").input_value() == "1G2ud?"
    assert checked(page) == {}


def test_a_submission_that_is_not_complete_says_what_is_missing_and_goes_there(jana):
    page = jana.page
    press(page, "1", "1", "1", "1")
    page.locator(".skip-switch").focus()
    page.get_by_role("button", name="Submit").click(force=True)
    expect(page.locator("#status")).to_have_text("Not placed yet: 1")
    assert focused(page) == "2-2"


def test_help_tells_the_keys(jana):
    page = jana.page
    press(page, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press(page, "1")
    assert checked(page) == {}
    press(page, "Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_differences_are_shown_on_a_key_and_texts_stay_the_same(jana):
    page = jana.page
    texts = page.locator(".face").all_inner_texts()
    press(page, "D")
    marked = segments(page)[0].locator(".piece .differs").all_inner_texts()
    assert "uzavřenými" in marked
    assert "dveřmi" not in marked
    assert page.locator(".face").all_inner_texts() == texts
    page.reload()
    expect(page.locator(".differences-switch")).to_have_attribute("aria-pressed", "true")
    press(page, "D")
    expect(page.locator(".differs")).to_have_count(0)
