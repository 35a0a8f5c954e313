"""Placing the candidates of a sentence in every way that the page offers, and submitting it."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    PHONE,
    Finger,
    assignment,
    centre,
    checked,
    choose_in_list,
    drag,
    expect_next_sentence,
    expect_state,
    hold,
    pieces,
    place_all,
    place_by_click,
    plan,
    press,
    segments,
    show_segment,
    show_together,
    submit,
    submit_button,
)


def test_candidates_dragged_with_the_mouse_are_stored_where_they_were_dropped(visit, site):
    jana = visit()
    jana.judge()
    places = plan(jana.page)
    first = assignment(jana.page)
    for piece, zone in pieces(jana.page, places):
        drag(jana.page, piece, zone)
    assert checked(jana.page) == places
    assert submit(jana.page) not in {first, ""}
    assert site.placements(jana.name) == places
    expect(jana.page.locator(".judge-progress strong").first).to_have_text("1")


def test_a_candidate_dropped_on_a_line_is_inserted_and_undone_at_once(visit):
    jana = visit()
    jana.judge()
    page = jana.page
    press(page, "1", "2")
    board = page.locator(".board").first
    third = board.locator('.piece[data-card="1-3"]')
    second_rank = board.locator('.zone[data-value="2"]')
    show_together(page, third, second_rank)
    x, y = centre(third)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 4, y + 8, steps=4)
    box = second_rank.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3, steps=12)
    expect(second_rank).to_have_class(re.compile("is-line-above"))
    page.mouse.up()
    assert checked(page) == {"1-1": "1", "1-3": "2", "1-2": "3"}
    press(page, "U")
    assert checked(page) == {"1-1": "1", "1-2": "2"}
    third.locator(".face").click()
    board.locator('.zone[data-value="1"] .insert').click()
    assert checked(page) == {"1-3": "1", "1-1": "2", "1-2": "3"}


def test_a_sentence_is_changed_after_submitting_with_a_comment(visit, site):
    jana = visit()
    jana.judge()
    page = jana.page
    places = place_all(page)
    page.locator(".comment summary").first.click()
    page.locator("#comment-1").fill("The subject is missing.")
    expect_state(page, "saved")
    page.reload()
    expect(page.locator("#comment-1")).to_have_value("The subject is missing.")
    submit(page)
    page.locator("#submitted a").click()
    expect(page.locator("#comment-1")).to_have_value("The subject is missing.")
    page.locator("#comment-1").fill("")
    submit_button(page).click()
    page.wait_for_url("**/judge/")
    assert site.placements(jana.name) == places
    page.locator(".submit-bar [rel=prev]").click()
    expect(page.locator("#comment-1")).to_have_value("")


def test_a_candidate_is_seen_in_its_whole_translation(visit, site):
    project = site.add_project("Whole", [2])
    site.installation.execute(f"""
from annotation.models import *
Project.objects.filter(pk={project}).update(show_whole_translations=True)
system = System.objects.filter(project={project}).order_by("pk").first()
for sentence in Sentence.objects.filter(project={project}):
    Translation.objects.create(sentence=sentence, system=system,
        text="Sešli se za zavřenými dveřmi.", tokens="0-5 6-8 9-11 12-21 22-28 28-29",
        alignment="0-2 1-3 2-4")
""")
    jana = visit()
    jana.judge(project)
    page = jana.page
    button = page.locator(".whole-switch")
    expect(button).to_have_count(1)
    button.click()
    shown = page.locator("#whole .whole-texts")
    expect(shown).to_have_text("Sešli se za zavřenými dveřmi.")
    expect(shown.locator("mark")).to_have_text("za zavřenými dveřmi")
    press(page, "Escape")
    expect(button).to_be_focused()
    assert checked(page) == {}
    page.locator(".piece", has=button).locator(".face").focus()
    press(page, "W")
    expect(shown).to_be_visible()


def test_a_phone_shows_one_segment_at_a_time_and_marks_it_in_the_source(visit):
    jana = visit(**PHONE)
    jana.judge()
    page = jana.page
    first, second = segments(page)[:2]
    marked = page.locator(".source mark.is-current")
    expect(first).to_be_visible()
    expect(second).to_be_hidden()
    expect(marked).to_have_attribute("data-segments", "1")
    page.locator(".next-segment").tap()
    expect(first).to_be_hidden()
    expect(second).to_be_visible()
    expect(marked).to_have_attribute("data-segments", "2")
    expect(page.locator(".help-switch")).to_be_hidden()
    page.locator(".more-switch").tap()
    page.locator(".view-switch").tap()
    expect(page.locator(".list").nth(1)).to_be_visible()
    expect(page.locator(".tool-buttons")).to_be_hidden()


def test_the_form_works_without_javascript(visit, site):
    jana = visit(java_script_enabled=False)
    jana.judge()
    expect(jana.page.locator(".board")).to_have_count(0)
    places = plan(jana.page)
    for card, value in places.items():
        choose_in_list(jana.page, card, value)
    first = assignment(jana.page)
    submit_button(jana.page).click()
    expect_next_sentence(jana.page, first)
    assert site.placements(jana.name) == places


def test_a_phone_places_everything_by_tapping(visit, site):
    jana = visit(**PHONE)
    jana.judge()
    places = plan(jana.page)
    for piece, zone in pieces(jana.page, places):
        piece.locator(".face").tap()
        expect(piece.locator(".face")).to_have_attribute("aria-pressed", "true")
        zone.locator(".put").tap()
    assert checked(jana.page) == places
    assert submit(jana.page)
    assert site.placements(jana.name) == places


def test_a_finger_drags_by_the_grip(visit):
    jana = visit(**PHONE)
    jana.judge()
    finger = Finger(jana.page)
    for grip in jana.page.locator(".segment.is-current .grip").all():
        box = grip.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    for value in ("1", "garbage"):
        piece = jana.page.locator(".tray").first.locator(".piece").last
        key = str(piece.get_attribute("data-card"))
        piece = jana.page.locator(f'.piece[data-card="{key}"]')
        zone = jana.page.locator(".board").first.locator(f'.zone[data-value="{value}"]')
        show_together(jana.page, piece, zone)
        finger.drag(centre(piece.locator(".grip")), partial(centre, zone))
        expect(zone.locator(".piece")).to_have_attribute("data-card", key)
        assert checked(jana.page)[key] == value


@pytest.mark.parametrize("touch", [True, False], ids=["finger", "mouse"])
def test_a_dragged_card_is_as_wide_as_its_text_and_stays_under_the_pointer(visit, touch):
    narrow = {"viewport": {"width": 360, "height": 740}}
    jana = visit(**(PHONE | narrow if touch else narrow))
    jana.judge()
    page = jana.page
    piece = page.locator(".tray .piece").first
    zone = page.locator('.board .zone[data-value="2"]').first
    show_together(page, piece, zone)
    x, y = start = centre(piece.locator(".grip"))

    def look():
        left, right, text = page.evaluate(
            """() => {
              const flying = document.querySelector(".piece-flying");
              const range = document.createRange();
              range.selectNodeContents(flying.querySelector("bdi"));
              const { left, right } = flying.getBoundingClientRect();
              return [left, right, range.getBoundingClientRect().width];
            }"""
        )
        assert text < right - left < text + 60
        assert left < x < right
        return centre(zone)

    if touch:
        Finger(page).drag(start, look)
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + 12, steps=4)
        page.mouse.move(*look(), steps=8)
        page.mouse.up()
    expect(zone.locator(".piece")).to_have_count(1)


def test_a_finger_on_the_text_scrolls_and_drags_nothing(visit):
    jana = visit(**PHONE | {"viewport": {"width": 390, "height": 500}})
    jana.judge()
    piece = jana.page.locator(".tray .piece").first
    piece.evaluate("piece => piece.scrollIntoView({block: 'center', behavior: 'instant'})")
    before = jana.page.evaluate("scrollY")
    x, y = centre(piece.locator(".face"))
    Finger(jana.page).drag((x, y), lambda: (x, y - 200))
    jana.page.wait_for_function("before => scrollY > before + 100", arg=before)
    assert checked(jana.page) == {}
    expect(jana.page.locator(".piece-flying")).to_have_count(0)


def test_a_cancelled_touch_places_nothing(visit):
    jana = visit(**PHONE)
    jana.judge()
    page = jana.page
    piece = page.locator(".tray .piece").first
    zone = page.locator('.board .zone[data-value="1"]').first
    show_together(page, piece, zone)
    grip = centre(piece.locator(".grip"))
    Finger(page).drag(grip, partial(centre, zone), last="touchCancel")
    expect(page.locator(".piece-flying, .is-dragging")).to_have_count(0)
    assert checked(page) == {}


def test_a_long_press_selects_several_candidates(visit):
    jana = visit(**PHONE)
    jana.judge()
    page = jana.page
    faces = page.locator(".tray").first.locator(".face")
    hold(page, faces.nth(0), 700)
    faces.nth(2).tap()
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(2)
    page.locator('.zone[data-value="1"] .put').first.tap()
    assert checked(page) == {"1-1": "1", "1-3": "1"}
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(0)
    show_segment(page, 2)
    hold(page, page.locator(".tray").last.locator(".face").first, 60)
    expect(page.locator('.face[aria-pressed="true"]')).to_have_count(1)


def test_submitting_needs_every_candidate_placed(visit):
    jana = visit()
    jana.judge()
    page = jana.page
    places = plan(page)
    cards = list(places.items())
    place_by_click(page, dict(cards[:-1]))
    expect(submit_button(page)).to_be_disabled()
    submit_button(page).click(force=True)
    # The focus goes to the candidate that is missing, which is marked.
    expect(page.locator(".piece.is-missing")).to_have_attribute("data-card", cards[-1][0])
    focused = "document.activeElement.closest('.piece')?.dataset.card"
    assert page.evaluate(focused) == cards[-1][0]
    place_by_click(page, dict(cards[-1:]))
    expect(submit_button(page)).to_be_enabled()
    # Back among the candidates that are not placed: by a click, then by dragging.
    page.locator(".rank .piece").first.locator(".face").click()
    page.locator(".board.is-choosing .tray").click(position={"x": 5, "y": 5})
    expect(submit_button(page)).to_be_disabled()
    board = page.locator(".board").first
    drag(page, board.locator(".rank .piece").first, board.locator(".tray"))
    assert len(checked(page)) == len(places) - 2


def test_list_and_board_show_the_same_places_and_the_view_is_stored(visit):
    jana = visit()
    jana.judge()
    page = jana.page
    board, switch = page.locator(".board").first, page.locator(".view-switch")
    place_by_click(page, {"1-1": "2"})
    switch.click()
    expect(board).to_be_hidden()
    expect(page.locator('input[name="card-1-1"][value="2"]')).to_be_checked()
    choose_in_list(page, "1-1", "garbage")
    switch.click()
    expect(board.locator(".garbage .piece")).to_have_count(1)
    switch.click()
    page.reload()
    expect(page.locator(".list").first).to_be_visible()
    expect(page.locator(".board").first).to_be_hidden()


@pytest.mark.slow
def test_the_page_does_not_say_which_candidates_belong_together(visit):
    jana = visit()
    jana.judge()
    for number, segment in enumerate(segments(jana.page), start=1):
        for kind in (".candidate", ".piece"):
            cards = segment.locator(kind)
            keys = [f"{number}-{position}" for position in range(1, cards.count() + 1)]
            assert cards.evaluate_all("cards => cards.map(card => ({...card.dataset}))") == [
                {"card": key} for key in keys
            ]


def test_a_double_click_on_submit_stores_once(visit, site):
    jana = visit()
    jana.judge()
    places = place_all(jana.page)
    first = assignment(jana.page)
    submit_button(jana.page).dblclick()
    expect_next_sentence(jana.page, first)
    assert site.placements(jana.name) == places


def test_a_sentence_submitted_in_another_tab_is_refused_with_a_way_on(visit, site):
    jana = visit()
    jana.judge()
    other = jana.context.new_page()
    other.goto(site.url("judge"))
    for page in (jana.page, other):
        page.bring_to_front()
        place_by_click(page, dict.fromkeys(plan(page), "garbage"))
    jana.page.bring_to_front()
    submit(jana.page)
    other.bring_to_front()
    submit_button(other).click()
    other.locator("#notice a").click()
    expect(other.locator("input[name=assignment]")).to_have_value(assignment(jana.page))
    jana.excuse("409")


def test_a_sentence_is_skipped_with_a_reason(visit, site):
    jana = visit()
    jana.judge()
    page, before = jana.page, assignment(jana.page)
    press(page, "1")
    expect_state(page, "saved")
    page.locator(".skip-switch").click()
    page.locator("#skip input[value=wrong-segment]").check()
    page.locator("#skip-comment").press_sequentially("1G2ud?")
    assert page.locator("#skip-comment").input_value() == "1G2ud?"
    page.locator("#skip .button-skip").click()
    expect_next_sentence(page, before)
    assert checked(page) == {}
    skips = site.query(
        "[list(row) for row in Skip.objects.filter("
        f"assignment__annotator__username={jana.name!r}).values_list('reason', 'comment')]"
    )
    assert skips == [["wrong-segment", "1G2ud?"]]
