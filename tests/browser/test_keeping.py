"""Nothing that was placed is lost, whatever happens before it is submitted."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    assignment,
    checked,
    excuse,
    expect_saved,
    place_by_click,
    plan,
    submit,
)

pytestmark = pytest.mark.browser
PASSWORD = "seven-shy-sparrows"
KEPT = "Object.keys(localStorage).filter(key => key.startsWith('segranks-kept-'))"


@pytest.fixture
def jana(visit):
    """Somebody in the middle of judging a sentence."""
    jana = visit()
    jana.judge()
    return jana


def place_half(page):
    places = dict(list(plan(page).items())[::2])
    place_by_click(page, places)
    assert checked(page) == places
    return places


def assert_still_placed(page, places):
    expect(page.locator(".tray .piece")).to_have_count(page.locator(".piece").count() - len(places))
    assert checked(page) == places
    for card, value in places.items():
        zone = page.locator(f'.zone[data-value="{value}"]')
        expect(zone.locator(f'.piece[data-card="{card}"]')).to_be_visible()


def test_a_reload_keeps_what_was_placed(jana):
    places = place_half(jana.page)
    jana.page.reload()
    assert_still_placed(jana.page, places)


def test_what_was_taken_back_stays_taken_back(jana):
    page = jana.page
    places = place_half(page)
    card = places.popitem()[0]
    page.locator(f'.piece[data-card="{card}"] .face').click()
    page.locator(".board.is-choosing .tray").click(position={"x": 5, "y": 5})
    page.reload()
    assert_still_placed(page, places)


def test_what_was_saved_while_the_page_was_made_anew_is_shown(jana):
    page = jana.page
    old = page.request.get(page.url).text()
    assert 'data-version="0"' in old
    places = place_half(page)
    expect_saved(page)
    # As on a slow server: the page was made before any of that was saved, and comes after it.
    page.route(page.url, lambda route: route.fulfill(body=old, content_type="text/html"))
    page.reload()
    page.unroute(page.url)
    assert page.locator("#judgement").get_attribute("data-version") == "0"
    assert_still_placed(page, places)
    # What is undone next goes on from what was saved.
    page.get_by_role("button", name="Undo").click()
    places.popitem()
    assert_still_placed(page, places)
    page.reload()
    assert_still_placed(page, places)
    assert page.get_by_role("button", name="Keep what I see here").count() == 0


def test_an_answer_that_breaks_off_saves_nothing(jana):
    """As when the page is left while the answer to a draft is on its way."""
    page = jana.page
    page.route("**/draft/", lambda route: route.fulfill(status=200, body='{"version'))
    places = place_half(page)
    expect(page.locator("#saving")).to_have_attribute("data-state", "offline")
    page.reload()
    assert_still_placed(page, places)
    page.unroute("**/draft/")
    expect_saved(page)


@pytest.mark.parametrize("reloading", [False, True])
def test_a_draft_whose_answer_was_lost_is_no_conflict(jana, reloading):
    """The server has it, and nobody else was there."""
    page = jana.page
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/draft/", lose, times=1)
    cards = list(plan(page).items())
    place_by_click(page, dict(cards[:1]))
    expect(page.locator("#saving")).to_have_attribute("data-state", "offline")
    assert lost == [200]
    page.route("**/draft/", lambda route: route.abort())
    place_by_click(page, dict(cards[1:2]))
    page.unroute("**/draft/")
    if reloading:
        page.reload()
    expect_saved(page)
    assert_still_placed(page, dict(cards[:2]))
    assert page.locator("#notice").inner_text() == ""
    excuse(jana, "ERR_FAILED", "409")


def test_the_choices_of_the_list_are_kept_too(jana):
    page = jana.page
    page.get_by_role("button", name="Show as a list").click()
    page.locator(".candidate").first.get_by_role("radio", name="Garbage").check()
    page.reload()
    expect(page.locator(".candidate").first.get_by_role("radio", name="Garbage")).to_be_checked()


def test_a_switch_of_the_language_keeps_what_was_placed(jana):
    places = place_half(jana.page)
    jana.page.get_by_role("button", name="česky").click()
    expect(jana.page.locator("html")).to_have_attribute("lang", "cs")
    assert_still_placed(jana.page, places)


def test_an_expired_session_loses_nothing(jana, site):
    page = jana.page
    page.goto(f"{site.address}/password/")
    page.locator("#id_new_password1").fill(PASSWORD)
    page.locator("#id_new_password2").fill(PASSWORD)
    page.get_by_role("button", name="Save the password").click()
    page.goto(site.judge)
    places = plan(page)
    place_by_click(page, places)
    expect_saved(page)
    jana.context.clear_cookies(name="sessionid")
    before = assignment(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#saving")).to_contain_text("you are signed out")
    assert site.placements(jana.name) == {}
    assert_still_placed(page, places)
    # In another tab, as the page proposes; then the submission goes by itself.
    with jana.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in again in another tab").click()
    other = opened.value
    other.locator("#id_username").fill(jana.name)
    other.locator("#id_password").fill(PASSWORD)
    other.locator("#id_password").press("Enter")
    other.wait_for_url(f"{site.address}/")
    other.close()
    expect(page.locator("input[name=assignment]")).not_to_have_value(before, timeout=20_000)
    assert site.placements(jana.name) == places
    excuse(jana, "403")


def test_a_form_that_is_too_old_loses_nothing(jana, site):
    page = jana.page
    places = plan(page)
    place_by_click(page, places)
    jana.context.clear_cookies(name="csrftoken")
    assert submit(page)
    assert site.placements(jana.name) == places
    # A draft that was refused too goes again, and perhaps comes after what was handed in.
    excuse(jana, "403", "409")


def test_a_failure_of_the_server_loses_nothing(jana, site):
    page = jana.page
    places = plan(page)
    place_by_click(page, places)
    before = assignment(page)
    page.route("**/submission/", lambda route: route.fulfill(status=500, body="Wrong"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#saving")).to_have_attribute("data-state", "waiting")
    assert_still_placed(page, places)
    page.unroute("**/submission/")
    expect(page.locator("input[name=assignment]")).not_to_have_value(before, timeout=20_000)
    assert site.placements(jana.name) == places
    excuse(jana, "500")


def test_choices_that_came_back_with_a_complaint_win(jana):
    page = jana.page
    places = plan(page)
    place_by_click(page, places)
    card = next(iter(places))
    # Somebody else's page would send that: the button of this one stays off.
    page.evaluate(
        "card => { for (const radio of document.getElementsByName(`card-${card}`))"
        " radio.checked = false; document.getElementById('judgement').submit(); }",
        card,
    )
    expect(page.get_by_role("alert")).to_contain_text("1 candidate is not placed yet")
    assert_still_placed(page, {name: value for name, value in places.items() if name != card})
    jana.complaints = [line for line in jana.complaints if "400" not in line]


def test_what_was_submitted_is_kept_no_longer(jana):
    page = jana.page
    places = plan(page)
    place_by_click(page, places)
    first = assignment(page)
    assert submit(page) != first
    assert checked(page) == {}
    kept = page.evaluate(f"{KEPT}.map(key => JSON.parse(localStorage[key]).choices)")
    assert [choices for choices in kept if choices] == []


def test_what_was_kept_long_ago_is_dropped(jana, site):
    page = jana.page
    page.evaluate(
        "days => days.forEach(ago => localStorage.setItem(`segranks-kept-someone-${ago}`,"
        " JSON.stringify({sentence: '1-1', time: Date.now() - ago * 86400000, choices: {}})))",
        [1, 29, 31, 400],
    )
    page.evaluate("localStorage.setItem('segranks-kept-broken', '{')")
    page.evaluate("localStorage.setItem('other', 'stays')")
    page.reload()
    left = set(page.evaluate(KEPT))
    assert {key for key in left if "someone" in key} == {
        "segranks-kept-someone-1",
        "segranks-kept-someone-29",
    }
    assert "segranks-kept-broken" not in left
    assert page.evaluate("localStorage.other") == "stays"


def test_two_annotators_of_one_browser_do_not_see_each_others_choices(jana, site):
    page = jana.page
    place_half(page)
    jana.context.clear_cookies()
    first = jana.name
    jana.judge()
    assert jana.name != first
    assert checked(page) == {}
    excuse(jana, "403")


def test_without_storage_everything_else_works(visit, site):
    jana = visit()
    jana.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    )
    jana.judge()
    places = plan(jana.page)
    place_by_click(jana.page, places)
    assert submit(jana.page)
    assert site.placements(jana.name) == places
