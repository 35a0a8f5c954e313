"""Judging a sentence in a real browser, in every way there is to place a candidate."""

from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    Finger,
    assignment,
    centre,
    checked,
    drag,
    excuse,
    pieces,
    place_by_click,
    plan,
    segments,
    show_together,
    submit,
)

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_every_candidate_is_dragged_with_the_mouse_and_stored_where_it_was_let_go(visit, site):
    jana = visit()
    jana.judge()
    places = plan(jana.page)
    first = assignment(jana.page)
    for piece, zone in pieces(jana.page, places):
        drag(jana.page, piece, zone)
    assert checked(jana.page) == places
    assert submit(jana.page) not in {first, ""}
    assert site.placements(jana.name) == places
    expect(jana.page.locator(".judge-progress")).to_contain_text("judged by you: 1 of")


def test_it_works_without_javascript(visit, site):
    jana = visit(java_script_enabled=False)
    jana.judge()
    expect(jana.page.locator(".board")).to_have_count(0)
    places = {}
    for segment in segments(jana.page):
        cards = segment.locator(".candidate").all()
        for number, card in enumerate(cards, start=1):
            label = "Garbage" if number == 1 else f"Rank {number}"
            card.get_by_role("radio", name=label).check()
            key = str(card.get_attribute("data-card"))
            places[key] = "garbage" if number == 1 else str(number)
    first = jana.page.locator("input[name=assignment]").input_value()
    jana.page.get_by_role("button", name="Submit").click()
    expect(jana.page.locator("input[name=assignment]")).not_to_have_value(first)
    assert site.placements(jana.name) == places


def test_without_javascript_the_browser_asks_for_what_is_missing(visit, site):
    jana = visit(java_script_enabled=False)
    jana.judge()
    first = jana.page.locator("input[name=assignment]").input_value()
    jana.page.get_by_role("button", name="Submit").click()
    expect(jana.page.locator("input[name=assignment]")).to_have_value(first)
    assert site.placements(jana.name) == {}


def test_a_candidate_is_clicked_and_then_its_place(visit, site):
    jana = visit()
    jana.judge()
    places = plan(jana.page)
    for piece, zone in pieces(jana.page, places):
        piece.locator(".face").click()
        expect(piece.locator(".face")).to_have_attribute("aria-pressed", "true")
        zone.locator(".put").click()
        expect(zone.locator(f'[data-card="{piece.get_attribute("data-card")}"]')).to_be_visible()
    assert checked(jana.page) == places
    assert submit(jana.page)
    assert site.placements(jana.name) == places


def test_keys_alone_are_enough_from_the_first_candidate_to_submit(visit, site):
    jana = visit()
    jana.judge()
    keyboard, page = jana.page.keyboard, jana.page
    page.locator(".tray .face").first.focus()
    places = plan(page)
    for _candidate in places:
        key = page.evaluate("document.activeElement.closest('.piece').dataset.card")
        keyboard.press("Enter")
        while page.evaluate("document.activeElement.closest('.zone').dataset.value") != places[key]:
            keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('.face')"):
                continue
        if page.evaluate("!document.activeElement.matches('.put')"):
            keyboard.press("Tab")
        keyboard.press("Space")
    assert checked(page) == places
    assert page.evaluate("document.activeElement.type") == "submit"
    first = assignment(page)
    keyboard.press("Enter")
    expect(page.locator("input[name=assignment]")).not_to_have_value(first)
    assert site.placements(jana.name) == places


def test_a_phone_places_everything_by_tapping(visit, site):
    jana = visit(**PHONE)
    jana.judge()
    places = plan(jana.page)
    for piece, zone in pieces(jana.page, places):
        piece.locator(".face").tap()
        zone.locator(".put").tap()
    assert checked(jana.page) == places
    assert submit(jana.page)
    assert site.placements(jana.name) == places


def test_a_finger_drags_by_the_grip(visit):
    jana = visit(**PHONE)
    jana.judge()
    finger = Finger(jana.page)
    for value in ("1", "garbage"):
        piece = jana.page.locator(".tray").first.locator(".piece").last
        key = str(piece.get_attribute("data-card"))
        piece = jana.page.locator(f'.piece[data-card="{key}"]')
        zone = jana.page.locator(".board").first.locator(f'.zone[data-value="{value}"]')
        show_together(jana.page, piece, zone)
        finger.drag(centre(piece.locator(".grip")), partial(centre, zone))
        expect(zone.locator(".piece")).to_have_attribute("data-card", key)
        assert checked(jana.page)[key] == value


def test_a_finger_on_the_text_scrolls_and_drags_nothing(visit):
    jana = visit(**PHONE | {"viewport": {"width": 390, "height": 500}})
    jana.judge()
    piece = jana.page.locator(".tray .piece").first
    piece.evaluate("piece => piece.scrollIntoView({block: 'center', behavior: 'instant'})")
    before = jana.page.evaluate("scrollY")
    x, y = centre(piece.locator(".face"))
    Finger(jana.page).drag((x, y), lambda: (x, y - 200))
    jana.page.wait_for_timeout(300)
    assert jana.page.evaluate("scrollY") > before + 100
    assert checked(jana.page) == {}
    expect(jana.page.locator(".piece-flying")).to_have_count(0)


def test_the_grip_is_large_enough_for_a_finger_and_never_scrolls(visit):
    jana = visit(**PHONE)
    jana.judge()
    for grip in jana.page.locator(".grip").all():
        box = grip.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert grip.evaluate("grip => getComputedStyle(grip).touchAction") == "none"


def test_submitting_is_possible_only_when_everything_is_placed(visit):
    jana = visit()
    jana.judge()
    page = jana.page
    button = page.get_by_role("button", name="Submit")
    places = plan(page)
    for left, (piece, zone) in zip(range(len(places), 0, -1), pieces(page, places), strict=True):
        expect(button).to_be_disabled()
        expect(page.locator("#status")).to_have_text(f"Candidates left to place: {left}")
        piece.locator(".face").click()
        zone.locator(".put").click()
    expect(button).to_be_enabled()
    expect(page.locator("#status")).to_have_text("Everything is placed.")
    page.locator(".rank .piece").first.locator(".face").click()
    page.locator(".board.is-choosing .tray").click(position={"x": 5, "y": 5})
    expect(button).to_be_disabled()
    assert len(checked(page)) == len(places) - 1


def test_dragging_back_among_the_unplaced_takes_the_choice_back(visit):
    jana = visit()
    jana.judge()
    board = jana.page.locator(".board").first
    piece = board.locator(".piece").first
    drag(jana.page, piece, board.locator('.zone[data-value="2"]'))
    assert len(checked(jana.page)) == 1
    drag(jana.page, board.locator(".rank .piece"), board.locator(".tray"))
    assert checked(jana.page) == {}
    expect(board.locator(".tray .piece")).to_have_count(board.locator(".piece").count())


def test_list_and_board_show_the_same_choices_and_the_choice_of_view_stays(visit):
    jana = visit()
    jana.judge()
    page = jana.page
    board = page.locator(".board").first
    board.locator(".tray .face").first.click()
    board.locator('.zone[data-value="2"] .put').click()
    page.get_by_role("button", name="Show as a list").click()
    expect(board).to_be_hidden()
    card = page.locator(".candidate:has(:checked)")
    expect(card).to_have_count(1)
    card.get_by_role("radio", name="Garbage").check()
    page.get_by_role("button", name="Show as a board").click()
    expect(board.locator(".garbage .piece")).to_have_count(1)
    page.get_by_role("button", name="Show as a list").click()
    page.reload()
    expect(page.locator(".list").first).to_be_visible()
    expect(page.locator(".board").first).to_be_hidden()


def test_a_reload_shows_the_same_sentence_in_the_same_order(visit):
    jana = visit()
    jana.judge()
    order = jana.page.locator(".face").all_inner_texts()
    first = assignment(jana.page)
    jana.page.reload()
    assert assignment(jana.page) == first
    assert jana.page.locator(".face").all_inner_texts() == order


def test_nothing_but_places_on_the_screen_tells_candidates_apart(visit):
    jana = visit()
    jana.judge()
    for number, segment in enumerate(segments(jana.page), start=1):
        for kind in (".candidate", ".piece"):
            cards = segment.locator(kind)
            keys = [f"{number}-{position}" for position in range(1, cards.count() + 1)]
            assert cards.evaluate_all("cards => cards.map(card => ({...card.dataset}))") == [
                {"card": key} for key in keys
            ]
            named = segment.locator(f"{kind} [name], {kind} [id]")
            names = named.evaluate_all("parts => parts.map(part => part.id || part.name)")
            assert list(dict.fromkeys(names)) in ([], [f"card-{key}" for key in keys])


def test_a_double_click_on_submit_stores_once_and_disturbs_nobody(visit, site):
    jana = visit()
    jana.judge()
    places = plan(jana.page)
    place_by_click(jana.page, places)
    first = assignment(jana.page)
    jana.page.get_by_role("button", name="Submit").dblclick()
    expect(jana.page.locator("input[name=assignment]")).not_to_have_value(first)
    assert site.placements(jana.name) == places


def test_a_sentence_submitted_in_another_tab_is_refused_kindly(visit, site):
    jana = visit()
    jana.judge()
    other = jana.context.new_page()
    other.goto(site.judge)
    for page in (jana.page, other):
        page.bring_to_front()
        place_by_click(page, dict.fromkeys(plan(page), "garbage"))
    jana.page.bring_to_front()
    submit(jana.page)
    other.bring_to_front()
    other.get_by_role("button", name="Submit").click()
    expect(other.locator("#notice")).to_contain_text("submitted")
    other.get_by_role("link", name="Go on judging").click()
    expect(other.locator("input[name=assignment]")).to_have_value(assignment(jana.page))
    excuse(jana, "409")
