"""The judging page on small and large screens, on paper, and in other languages."""

import pytest
from playwright.sync_api import expect

from annotation.kinds import KINDS
from tests.browser.axe import overflow_of
from tests.browser.judging_page import PHONE, press, show_segment, submit_button
from tests.browser.test_kinds import make

# What a person can tap, and does not get when they tap its centre.
COVERED = """() => [...document.querySelectorAll(
  "a:not(.skip-link), button:enabled, summary, input:not([type=hidden]), .grip, .rank-number"
)].filter(part => part.checkVisibility({visibilityProperty: true, opacityProperty: true})).flatMap(
  part => {
    part.scrollIntoView({block: "center", behavior: "instant"});
    const {left, top, width, height} = part.getBoundingClientRect();
    if (width < 2 || height < 2) return [];
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    const target = part.closest("a, button, summary, label") ?? part;
    const same = target.contains(found) || found?.contains(target) && !found.closest("button, a");
    return same ? [] : [`${part.outerHTML.slice(0, 80)} is under ${found?.outerHTML.slice(0, 80)}`];
  })"""
NARROW_PHONE = PHONE | {"viewport": {"width": 360, "height": 740}}


@pytest.fixture(scope="module")
def three_of_six(site):
    return site.add_project("Three of six", [6, 6, 6], sentences=3, judges=50)


def height(part):
    box = part.bounding_box()
    assert box
    return box["height"]


def bottom(part):
    box = part.bounding_box()
    assert box
    return box["y"] + box["height"]


def test_a_segment_of_six_candidates_fits_a_phone(visit, three_of_six):
    jana = visit(**PHONE)
    jana.judge(three_of_six)
    page = jana.page
    # The task is seen at once.
    expect(page.locator(".summary-lead")).to_be_visible()
    assert bottom(page.locator(".piece").first) < 844
    segment = page.locator(".segment").first
    assert height(segment) <= 700
    assert height(segment) + height(page.locator(".submit-bar")) <= 844
    press(page, *"123456")
    show_segment(page, 1)
    assert height(segment) <= 700


@pytest.mark.slow
def test_a_sentence_of_three_segments_fits_a_large_screen(visit, three_of_six):
    jana = visit(viewport={"width": 1920, "height": 1080})
    jana.judge(three_of_six)
    page = jana.page
    # The footer of the site may be below.
    main = page.locator("main")
    assert bottom(main) <= 1080
    press(page, *"123456" * 3)
    assert bottom(main) <= 1080


@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "desktop"])
def test_ranks_keep_their_height_while_one_works(visit, three_of_six, options):
    jana = visit(**options)
    jana.judge(three_of_six)
    page = jana.page
    ladder = page.locator(".ladder").first
    heights = "ladder => [...ladder.children].map(rank => rank.getBoundingClientRect().height)"
    before = ladder.evaluate(heights)
    assert min(before) >= 32
    press(page, "5", "2", "G")
    page.locator(".rank .face").first.click()
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert ladder.evaluate(heights) == pytest.approx(before, abs=0.5)


@pytest.mark.slow
def test_garbage_is_beside_the_ladder_on_a_small_laptop(visit, three_of_six):
    jana = visit(viewport={"width": 1024, "height": 768})
    jana.judge(three_of_six)
    ladder = jana.page.locator(".ladder").first.bounding_box()
    garbage = jana.page.locator(".garbage").first.bounding_box()
    assert garbage["x"] >= ladder["x"] + ladder["width"]
    assert garbage["y"] == pytest.approx(ladder["y"], abs=2)


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(w, marks=pytest.mark.slow) for w in (768, 2560))]
)
def test_nothing_overflows_the_screen(visit, three_of_six, width):
    jana = visit(viewport={"width": width, "height": 900})
    jana.judge(three_of_six)
    press(jana.page, "1", "G", "D", "Enter")
    assert overflow_of(jana.page) == 0


def test_arabic_reads_from_right_to_left(visit, site):
    texts = ("خلف الأبواب المغلقة", "وراء الأبواب المغلقة", "خلف الأبواب")
    jana = visit(**PHONE)
    jana.judge(site.add_project("Arabic", [3], target="ar", texts=texts))
    text = jana.page.locator(".piece bdi").first
    assert text.evaluate("text => getComputedStyle(text).direction") == "rtl"
    assert text.get_attribute("lang") == "ar"
    text_end, box_end = text.evaluate(
        "text => { const range = document.createRange(); range.selectNodeContents(text);"
        " return [range.getBoundingClientRect().right, text.getBoundingClientRect().right]; }"
    )
    assert text_end == pytest.approx(box_end, abs=1)


def test_instructions_open_and_stay_as_they_were_left(visit):
    jana = visit()
    jana.judge()
    details = jana.page.locator(".instructions")
    stored = "() => Object.keys(localStorage).some(key => key.includes('instructions'))"
    expect(details).not_to_have_attribute("open", "")
    details.locator("summary").click()
    jana.page.wait_for_function(stored)
    jana.page.reload()
    expect(details).to_have_attribute("open", "")


def test_the_language_is_switched_and_the_page_stays(visit, site):
    jana = visit(locale="cs-CZ")
    jana.judge()
    html = jana.page.locator("html")
    expect(html).to_have_attribute("lang", "cs")
    press(jana.page, "1")
    jana.page.locator(".languages summary").click()
    jana.page.locator(".languages button[value=en]").click()
    expect(html).to_have_attribute("lang", "en")
    assert jana.page.url == site.url("judge")
    expect(jana.page.locator(".rank .piece")).to_have_count(1)


@pytest.mark.slow
def test_nothing_moves_for_those_who_want_no_motion(visit):
    jana = visit(reduced_motion="reduce")
    jana.judge()
    press(jana.page, "1")
    assert jana.page.evaluate("document.getAnimations().length") == 0
    transition = submit_button(jana.page).evaluate("b => getComputedStyle(b).transitionDuration")
    assert transition == "0s"


@pytest.mark.slow
def test_print_shows_texts_and_places_and_no_buttons(visit):
    jana = visit(color_scheme="dark")
    jana.judge()
    page = jana.page
    press(page, "2")
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


def test_a_tap_at_the_centre_of_everything_hits_it_while_a_card_is_chosen(visit, three_of_six):
    jana = visit(**NARROW_PHONE)
    jana.judge(three_of_six)
    page = jana.page
    for keys in ("", "123", "45"):
        press(page, *keys)
        page.locator(".tray .face").first.tap()
        expect(page.locator(".board.is-choosing").first).to_be_visible()
        page.wait_for_function("() => document.getAnimations().length === 0")
        assert page.evaluate(COVERED) == []
        for insert in page.locator(".insert:visible").all():
            box = insert.bounding_box()
            assert min(box["width"], box["height"]) >= 44
        press(page, "Escape")
        expect(page.locator(".board.is-choosing")).to_have_count(0)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS.values()],
    ids=lambda kind: kind.name,
)
def test_a_tap_at_the_centre_of_everything_hits_it_in_every_kind(visit, site, kind):
    jana = visit(**NARROW_PHONE)
    jana.judge(make(site, kind))
    page = jana.page
    page.locator(".segment").first.wait_for()
    if kind.answer.has_board:
        # Of whole sentences a phone shows a list.
        expect(page.locator(".list").first).to_be_visible(visible=kind.unit.narrow_view == "list")
        press(page, "1", "2", "2")
        if kind.unit.narrow_view == "board":
            page.locator(".tray .face").first.tap()
    page.wait_for_function("() => document.getAnimations().length === 0")
    assert page.evaluate(COVERED) == []


def test_grades_start_as_a_list_on_a_phone_with_targets_for_fingers(visit, site):
    jana = visit(**NARROW_PHONE)
    jana.judge(make(site, KINDS["grades"]))
    page = jana.page
    expect(page.locator(".list")).to_be_visible()
    expect(page.locator(".board")).to_be_hidden()
    assert overflow_of(page) == 0
    for target in page.locator(".breadcrumb a, .comment summary, #status a, .choice").all():
        assert height(target) >= 44
    assert page.evaluate(COVERED) == []
