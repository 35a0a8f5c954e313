"""Judging with the keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    assignment,
    checked,
    choose_in_list,
    expect_next_sentence,
    expect_state,
    place_by_click,
    plan,
    press,
    press_at,
    segments,
    submit_button,
)


@pytest.fixture
def jana(visit):
    jana = visit()
    jana.judge()
    return jana


def focused(page):
    return page.evaluate("document.activeElement.closest('.piece, .candidate')?.dataset.card")


def test_enter_tab_and_space_are_enough(jana, site):
    page = jana.page
    page.locator(".tray .face").first.focus()
    places = plan(page)
    for _candidate in places:
        key = focused(page)
        press(page, "Enter")
        zone = "document.activeElement.closest('.zone').dataset.value"
        while page.evaluate(zone) != places[key] or not page.evaluate(
            "document.activeElement.matches('.put')"
        ):
            press(page, "Tab")
        press(page, "Space")
    assert checked(page) == places
    assert page.evaluate("document.activeElement.type") == "submit"
    first = assignment(page)
    press(page, "Enter")
    expect_next_sentence(page, first)
    assert site.placements(jana.name) == places


def test_a_candidate_needs_one_key(jana):
    page = jana.page
    for judged in range(1, 3):
        before = assignment(page)
        press(page, "1", "2", "G", "2", "1")
        assert list(checked(page).values()) == ["1", "2", "garbage", "2", "1"]
        press(page, "Shift+Enter")
        expect_next_sentence(page, before)
        expect(page.locator(".judge-progress strong").first).to_have_text(str(judged))


def test_the_focus_moves_to_the_next_candidate_and_segment(jana):
    page = jana.page
    press(page, "2")
    assert focused(page) == "1-2"
    press(page, "ArrowDown")
    assert focused(page) == "1-3"
    press(page, "1", "G")
    assert checked(page) == {"1-1": "2", "1-2": "garbage", "1-3": "1"}
    assert focused(page) == "2-1"
    press(page, "2", "1")
    expect(submit_button(page)).to_be_focused()
    press(page, "K", "K", "K", "J")
    assert focused(page)


def test_undo_and_redo_survive_a_reload(jana):
    page = jana.page
    undo, redo = page.locator(".undo"), page.locator(".redo")
    press(page, "1", "2", "G")
    placed = checked(page)
    expect_state(page, "saved")
    page.reload()
    press(page, "U", "Control+z", "U")
    assert checked(page) == {}
    expect(undo).to_be_disabled()
    press(page, "Shift+U", "Y", "Control+Shift+z")
    assert checked(page) == placed
    undo.click()
    assert checked(page) == {"1-1": "1", "1-2": "2"}
    redo.click()
    assert checked(page) == placed


@pytest.mark.slow
def test_clicks_and_the_list_are_undone_too(jana):
    page = jana.page
    place_by_click(page, {"1-1": "3"})
    page.locator(".view-switch").click()
    choose_in_list(page, "1-1", "garbage")
    press(page, "U")
    assert checked(page) == {"1-1": "3"}
    press(page, "U")
    assert checked(page) == {}
    press(page, "1", "2", "J", "2")
    assert checked(page) == {"1-1": "1", "1-2": "2", "2-1": "2"}


def test_keys_mean_the_same_on_keyboards_of_other_scripts(jana):
    page = jana.page
    press_at(page, "+", "Digit1")  # Czech
    press_at(page, "п", "KeyG")  # Russian
    assert checked(page) == {"1-1": "1", "1-2": "garbage"}
    press_at(page, "я", "KeyZ", ctrlKey=True)
    assert checked(page) == {"1-1": "1"}
    press_at(page, "z", "KeyY", ctrlKey=True)  # German and Czech
    assert checked(page) == {}
    # A character typed with AltGr is no shortcut.
    press_at(page, "ś", "KeyS", modifierAltGraph=True)  # Polish; S skips the sentence
    expect(page.locator("#skip")).to_be_hidden()
    press_at(page, "{", "Digit1", modifierAltGraph=True)
    assert checked(page) == {}
    press_at(page, "\u061f", "Slash")  # Arabic
    expect(page.locator("#help")).to_be_visible()


def test_the_focus_goes_to_the_button_only_when_redoing_placed_the_last_card(jana):
    page = jana.page
    while page.locator(".tray .piece").count():
        press(page, "1")
    face = page.locator(".rank .face").first
    face.focus()
    press(page, "Y")
    expect(face).to_be_focused()
    press(page, "U", "Y")
    expect(submit_button(page)).to_be_focused()


def test_ranks_from_ten_on_are_two_digits_in_quick_succession(visit, site):
    jana = visit()
    jana.judge(site.add_project("Ten candidates", [10]))
    page = jana.page
    press(page, "1", "0", "2", "1", "0", "1", "G")
    assert checked(page) == {"1-1": "10", "1-2": "2", "1-3": "10", "1-4": "1", "1-5": "garbage"}
    press(page, "1")
    expect(page.locator('.zone[data-value="1"] .piece')).to_have_count(2)


def test_the_key_of_a_numbered_step_is_its_number(visit, site):
    project = site.add_project("Grades", [5])
    labels = "\n".join(map(str, range(10, 0, -1)))
    site.query(
        f"Project.objects.filter(pk={project}).update(kind='grades', answer_options={labels!r})"
    )
    jana = visit()
    jana.judge(project)
    page = jana.page
    press(page, "9", "0", "1", "0", "1", "3")
    # The steps are stored by their places, from the best.
    assert checked(page) == {"1-1": "2", "1-2": "1", "1-3": "1", "1-4": "10", "1-5": "8"}
    expect(page.locator('.board .zone[data-value="1"] .put')).to_have_text(re.compile(r"\b10$"))
    expect(page.locator(".rank-number")).to_have_count(0)
    press(page, "?")
    expect(page.locator("#help dt").first).to_have_text(re.compile("^10 9 8"))
    expect(page.locator("#help dt").nth(1)).to_have_text("Backspace")


def test_keys_insert_between_ranks_and_put_back(jana):
    page = jana.page
    press(page, "1", "2", "I", "2")
    assert checked(page) == {"1-1": "1", "1-3": "2", "1-2": "3"}
    # All ranks are taken, so that those above move up.
    page.locator('.piece[data-card="1-1"] .face').focus()
    press(page, "I", "4")
    assert checked(page) == {"1-3": "1", "1-2": "2", "1-1": "3"}
    page.locator('.piece[data-card="1-1"] .face').focus()
    press(page, "0")
    assert focused(page) == "1-1"
    page.locator('.piece[data-card="1-2"] .face').focus()
    press(page, "Backspace")
    assert checked(page) == {"1-3": "1"}
    press(page, "I", "G")
    assert checked(page) == {"1-3": "1", "1-2": "garbage"}


def test_the_card_that_a_key_places_is_marked(jana):
    page = jana.page
    expect(page.locator(".piece.is-next")).to_have_attribute("data-card", "1-1")
    page.locator(".tray .face").first.focus()
    expect(page.locator(".piece.is-next")).to_have_count(0)


def test_letters_open_the_comment_and_the_dialog_for_skipping(jana):
    page = jana.page
    press(page, "C")
    expect(page.locator("#comment-1")).to_be_focused()
    press(page, "Tab", "S")
    expect(page.locator("#skip")).to_be_visible()


def test_several_candidates_are_selected_and_placed_at_once(jana):
    page = jana.page
    press(page, "J", "Space", "J", "Space", "2")
    assert checked(page) == {"1-1": "2", "1-2": "2"}
    press(page, "U")
    assert checked(page) == {}
    press(page, "Shift+ArrowDown", "Shift+ArrowDown", "G")
    assert checked(page) == dict.fromkeys(("1-1", "1-2", "1-3"), "garbage")
    board = page.locator(".board").last
    for face in board.locator(".face").all():
        face.click(modifiers=["ControlOrMeta"])
    board.locator('.zone[data-value="1"] .put').click()
    assert {card: checked(page)[card] for card in ("2-1", "2-2")} == {"2-1": "1", "2-2": "1"}


@pytest.mark.slow
def test_a_rank_that_does_not_exist_places_nothing(jana):
    usual = jana.page.locator("#status").inner_text()
    press(jana.page, "7")
    expect(jana.page.locator("#status")).not_to_have_text(usual)
    assert checked(jana.page) == {}
    expect(jana.page.locator("#status")).to_have_text(usual, timeout=5_000)


def test_single_key_shortcuts_are_listed_and_can_be_turned_off(jana):
    page = jana.page
    press(page, "?")
    expect(page.locator("#help")).to_be_visible()
    press(page, "1")
    assert checked(page) == {}
    page.locator("#help .single-keys").uncheck()
    press(page, "Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.reload()
    press(page, "1", "G", "?")
    assert checked(page) == {}
    expect(page.locator("#help")).to_be_hidden()
    page.locator(".tray .face").first.press("Space")
    page.locator('.zone[data-value="2"] .put').first.press("Enter")
    assert checked(page) == {"1-1": "2"}
    press(page, "Control+z")
    assert checked(page) == {}
    page.locator(".help-switch").click()
    page.locator("#help .single-keys").check()
    page.locator("#help .close").click()
    press(page, "1")
    assert list(checked(page).values()) == ["1"]


def test_differences_are_marked_and_texts_stay_the_same(jana):
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


# How much of what has the focus is under the bar, or under the text that stays in view.
COVERED = """() => {
  const at = document.activeElement, part = at.closest(".choice, .piece") ?? at;
  if (!at.closest(".segment, .segment-pager")) return 0;
  const {top, bottom} = part.getBoundingClientRect();
  const above = document.querySelector(".is-sticky")?.getBoundingClientRect().bottom ?? 0;
  const below = document.querySelector(".submit-bar").getBoundingClientRect().top;
  return Math.max(above - top, bottom - below, 0);
}"""


@pytest.mark.parametrize("script", [True, False])
def test_what_has_the_focus_is_not_under_the_bar(visit, site, script):
    jana = visit(viewport={"width": 768, "height": 700}, java_script_enabled=script)
    jana.judge(site.add_project("High", [5, 5, 5]))
    page = jana.page
    page.locator(".segment").first.wait_for()
    covered = []
    for key in ["Tab"] * 35 + ["Shift+Tab"] * 35:
        press(page, key)
        covered.append(page.evaluate(COVERED))
    assert max(covered) < 1
