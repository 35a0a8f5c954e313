"""What is placed is saved at once, here and on the server, and no older version wins silently."""

import sys

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    assignment,
    checked,
    expect_next_sentence,
    expect_state,
    place_all,
    place_by_click,
    plan,
    press,
    submit,
    submit_button,
)
from tests.installation import wait_until
from tests.services import free_port

FAILED = ("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION")
STORED = "Object.keys(localStorage).filter(key => key.startsWith('segranks-draft-'))"
PASSWORD = "seven-shy-sparrows"


@pytest.fixture
def jana(visit):
    jana = visit()
    jana.judge()
    return jana


@pytest.fixture
def url(site):
    return site.url("judge")


@pytest.fixture
def another_device(visit, jana, url):
    """A second window of the same person, in another browser."""

    def open_it(**options):
        other = visit(**options)
        other.sign_in_like(jana)
        other.page.goto(url)
        return other.page

    return open_it


def draft(site, name):
    found = site.query(
        "[list(row) for row in Assignment.objects.filter("
        f"annotator__username={name!r}, draft_version__gt=0).values_list('draft_version',"
        " 'draft_choices', 'draft_active_seconds')]"
    )
    return found[0] if found else None


def assert_placed(page, places):
    expect(page.locator(".tray .piece")).to_have_count(page.locator(".piece").count() - len(places))
    assert checked(page) == places
    for card, value in places.items():
        zone = page.locator(f'.zone[data-value="{value}"]')
        expect(zone.locator(f'.piece[data-card="{card}"]')).to_be_visible()


def test_a_change_is_on_the_server_within_two_seconds(jana, site):
    page = jana.page
    expect_state(page, "nothing")
    press(page, "1", "G")
    with page.expect_response("**/draft/") as saved:
        started = page.evaluate("Date.now()")
    # By the clock of the browser: how fast the tests go on does not count.
    assert saved.value.request.timing["startTime"] - started < 2000
    assert saved.value.status == 200
    expect_state(page, "saved")
    version, choices, seconds = draft(site, jana.name)
    assert version == 1
    assert choices == {"1-1": 1, "1-2": "garbage"}
    assert seconds > 0


def test_another_device_continues_from_the_draft(jana, another_device):
    press(jana.page, "1", "G")
    expect_state(jana.page, "saved")
    other = another_device(viewport={"width": 390, "height": 844})
    assert checked(other) == {"1-1": "1", "1-2": "garbage"}
    expect(other.locator(".garbage .piece")).to_have_attribute("data-card", "1-2")
    press(other, "2")
    expect_state(other, "saved")
    jana.page.reload()
    assert checked(jana.page) == {"1-1": "1", "1-2": "garbage", "1-3": "2"}


@pytest.mark.parametrize("choice", ["theirs", "mine"])
def test_the_annotator_chooses_between_two_versions(jana, another_device, site, choice):
    press(jana.page, "1")
    expect_state(jana.page, "saved")
    other = another_device()
    press(other, "3")
    expect_state(other, "saved")
    press(jana.page, "G")
    expect_state(jana.page, "conflict")
    notice = jana.page.locator("#notice")
    expect(notice.locator("li")).to_have_count(1)
    assert checked(jana.page)["1-2"] == "garbage"
    assert draft(site, jana.name)[1]["1-2"] == 3
    notice.locator(f'button[data-choice="{choice}"]').click()
    expect_state(jana.page, "saved")
    expect(notice).to_be_hidden()
    value = {"theirs": 3, "mine": "garbage"}[choice]
    assert checked(jana.page)["1-2"] == str(value)
    assert draft(site, jana.name)[1]["1-2"] == value
    jana.excuse("409")


def test_changes_of_different_cards_on_two_devices_are_merged(jana, another_device, site, url):
    page = jana.page
    press(page, "1")
    expect_state(page, "saved")
    other = another_device()
    press(other, "3")
    expect_state(other, "saved")
    place_by_click(page, {"2-1": "2"})
    assert_placed(page, merged := {"1-1": "1", "1-2": "3", "2-1": "2"})
    expect_state(page, "saved")
    assert draft(site, jana.name)[1] == {"1-1": 1, "1-2": 3, "2-1": 2}
    # Also after a reload of what was placed without a network.
    jana.context.set_offline(True)
    place_by_click(page, {"1-3": "garbage"})
    expect_state(page, "offline")
    other.reload()
    place_by_click(other, {"2-2": "1"})
    expect_state(other, "saved")
    page.goto("about:blank")
    jana.context.set_offline(False)
    page.goto(url)
    assert_placed(page, merged | {"1-3": "garbage", "2-2": "1"})
    expect_state(page, "saved")
    assert draft(site, jana.name)[1]["1-3"] == "garbage"
    jana.excuse("409", *FAILED)


def test_a_rank_that_an_insertion_elsewhere_renumbers_is_not_merged(
    jana, another_device, site, url
):
    page = jana.page
    press(page, "1")
    expect_state(page, "saved")
    other = another_device()
    press(other, "i", "1")
    assert_placed(other, {"1-1": "2", "1-2": "1"})
    expect_state(other, "saved")
    # Meant as a tie with the first card.
    place_by_click(page, {"1-3": "1"})
    expect_state(page, "conflict")
    assert_placed(page, {"1-1": "1", "1-3": "1"})
    assert draft(site, jana.name)[1] == {"1-1": 2, "1-2": 1}
    jana.excuse("409")


def test_an_old_draft_of_this_device_never_wins_silently(jana, another_device, site, url):
    press(jana.page, "1")
    expect_state(jana.page, "saved")
    jana.context.set_offline(True)
    press(jana.page, "2")
    expect_state(jana.page, "offline")
    other = another_device()
    press(other, "3")
    expect_state(other, "saved")
    jana.page.goto("about:blank")
    jana.context.set_offline(False)
    jana.page.goto(url)
    expect_state(jana.page, "conflict")
    assert draft(site, jana.name)[1] == {"1-1": 1, "1-2": 3}
    jana.page.locator('#notice button[data-choice="theirs"]').click()
    assert checked(jana.page) == {"1-1": "1", "1-2": "3"}
    jana.excuse(*FAILED)


def test_two_windows_of_one_browser_show_the_same(jana, url):
    other = jana.context.new_page()
    other.goto(url)
    press(other, "1", "G")
    expect(jana.page.locator(".garbage .piece")).to_have_attribute("data-card", "1-2")
    expect_state(other, "saved")
    jana.page.bring_to_front()
    press(jana.page, "2")
    expect_state(jana.page, "saved")
    expect(jana.page.locator("#notice")).to_be_hidden()
    assert checked(other) == checked(jana.page) == {"1-1": "1", "1-2": "garbage", "1-3": "2"}


def test_work_goes_on_offline_and_is_submitted_when_the_network_is_back(jana, site):
    page = jana.page
    press(page, "1")
    expect_state(page, "saved")
    jana.context.set_offline(True)
    press(page, "2")
    expect_state(page, "offline")
    press(page, "G", "2", "1")
    before, places = assignment(page), checked(page)
    assert len(places) == 5
    press(page, "Shift+Enter")
    expect_state(page, "waiting")
    jana.context.set_offline(False)
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    jana.excuse(*FAILED)


def test_a_waiting_submission_survives_closing_the_page(jana, site, url):
    page = jana.page
    places = place_all(page)
    expect_state(page, "saved")
    before = assignment(page)
    jana.context.set_offline(True)
    press(page, "Shift+Enter")
    expect_state(page, "waiting")
    page.goto("about:blank")
    jana.context.set_offline(False)
    page.goto(url)
    # Either the closing page submits it, or the new one.
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    jana.excuse(*FAILED)


def test_a_waiting_submission_is_sent_from_a_page_without_a_sentence(jana, site):
    page = jana.page
    places = place_all(page)
    page.route("**/submission/", lambda route: route.abort())
    submit_button(page).click()
    expect_state(page, "waiting")
    page.unroute("**/submission/")
    with page.expect_response("**/submission/") as answer:
        page.goto(site.url("practice"))
    assert answer.value.status == 201
    assert site.placements(jana.name) == places
    page.wait_for_function(f"{STORED}.length === 0")
    jana.excuse(*FAILED, "ERR_FAILED")


@pytest.mark.slow
def test_a_change_cancels_a_waiting_submission(jana):
    page = jana.page
    press(page, *"11111")
    jana.context.set_offline(True)
    press(page, "Shift+Enter")
    expect_state(page, "waiting")
    press(page, "U")
    before = assignment(page)
    jana.context.set_offline(False)
    expect_state(page, "saved")
    assert assignment(page) == before
    assert len(checked(page)) == 4
    jana.excuse(*FAILED)


def test_a_lost_answer_does_not_repeat_the_submission(jana, site):
    page = jana.page
    places = place_all(page)
    before = assignment(page)
    lost: list[int] = []

    def lose_the_first(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/submission/", lose_the_first)
    submit_button(page).click()
    expect_next_sentence(page, before)
    assert lost == [201]
    assert site.placements(jana.name) == places
    jana.excuse(*FAILED)


@pytest.mark.parametrize("reload", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_draft_whose_answer_was_lost_is_no_conflict(jana, reload):
    page = jana.page
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/draft/", lose, times=1)
    cards = list(plan(page).items())
    place_by_click(page, dict(cards[:1]))
    expect_state(page, "offline")
    assert lost == [200]
    page.route("**/draft/", lambda route: route.abort())
    place_by_click(page, dict(cards[1:2]))
    page.unroute("**/draft/")
    if reload:
        page.reload()
    expect_state(page, "saved")
    assert_placed(page, dict(cards[:2]))
    expect(page.locator("#notice")).to_be_hidden()
    jana.excuse("ERR_FAILED", "409")


@pytest.mark.slow
def test_an_incomplete_answer_counts_as_not_saved(jana):
    page = jana.page
    page.route("**/draft/", lambda route: route.fulfill(status=200, body='{"version'))
    place_by_click(page, places := dict(list(plan(page).items())[::2]))
    expect_state(page, "offline")
    page.reload()
    assert_placed(page, places)
    page.unroute("**/draft/")
    expect_state(page, "saved")


@pytest.mark.slow
def test_a_page_made_before_the_last_draft_shows_the_last_draft(jana):
    page = jana.page
    old = page.request.get(page.url).text()
    assert 'data-version="0"' in old
    place_by_click(page, places := dict(list(plan(page).items())[::2]))
    expect_state(page, "saved")
    # A slow server: it made the page before it saved the draft.
    page.route(page.url, lambda route: route.fulfill(body=old, content_type="text/html"))
    page.reload()
    page.unroute(page.url)
    assert page.locator("#sheet").get_attribute("data-version") == "0"
    assert_placed(page, places)
    page.locator(".undo").click()
    places.popitem()
    assert_placed(page, places)
    page.reload()
    assert_placed(page, places)
    expect(page.locator("#notice")).to_be_hidden()


def test_an_expired_session_loses_nothing(jana, site):
    page = jana.page
    site.installation.execute(
        "from annotation.models import User\n"
        f"user = User.objects.get(username={jana.name!r})\n"
        f"user.set_password({PASSWORD!r}); user.save()"
    )
    jana.context.clear_cookies(name="sessionid")
    places = place_all(page)
    before = assignment(page)
    submit_button(page).click()
    expect_state(page, "waiting")
    assert site.placements(jana.name) == {}
    page.reload()
    # The page sends people who are signed out to the sign-in page: their work stays in the browser.
    page.locator("#id_username").fill(jana.name)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("#id_password").press("Enter")
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    jana.excuse("403")


@pytest.mark.slow
def test_signing_in_again_in_another_tab_submits_what_waits(jana, site):
    page = jana.page
    places = place_all(page)
    expect_state(page, "saved")
    cookies = jana.context.cookies()
    jana.context.clear_cookies(name="sessionid")
    before = assignment(page)
    submit_button(page).click()
    with jana.context.expect_page() as opened:
        page.locator("#saving a").click()
    jana.context.add_cookies([cookie for cookie in cookies if cookie["name"] == "sessionid"])
    opened.value.close()
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    jana.excuse("403")


@pytest.mark.slow
def test_a_form_with_an_old_csrf_token_loses_nothing(jana, site):
    page = jana.page
    places = place_all(page)
    jana.context.clear_cookies(name="csrftoken")
    assert submit(page)
    assert site.placements(jana.name) == places
    # A draft refused for the same reason goes again, perhaps after the submission.
    jana.excuse("403", "409")


def test_an_error_of_the_server_loses_nothing(jana, site):
    page = jana.page
    places = place_all(page)
    before = assignment(page)
    page.route("**/submission/", lambda route: route.fulfill(status=500, body="Wrong"))
    submit_button(page).click()
    expect_state(page, "waiting")
    assert_placed(page, places)
    page.unroute("**/submission/")
    expect_next_sentence(page, before)
    assert site.placements(jana.name) == places
    jana.excuse("500")


@pytest.mark.slow
def test_a_refused_form_shows_what_was_posted(jana):
    page = jana.page
    places = place_all(page)
    card = next(iter(places))
    # The button of this page stays disabled: another page could send that.
    page.evaluate(
        "card => { for (const radio of document.getElementsByName(`card-${card}`))"
        " radio.checked = false; document.getElementById('judgement').submit(); }",
        card,
    )
    page.get_by_role("alert").first.wait_for()
    assert_placed(page, {name: value for name, value in places.items() if name != card})
    jana.excuse("400")


@pytest.mark.slow
def test_browser_storage_is_cleaned_up(jana):
    page = jana.page
    page.evaluate(
        "days => days.forEach(ago => localStorage.setItem(`segranks-draft-someone-${ago}`,"
        " JSON.stringify({sentence: '1-1', time: Date.now() - ago * 86400000, choices: {}})))",
        [1, 29, 31, 400],
    )
    page.evaluate("localStorage.setItem('segranks-draft-broken', '{')")
    page.evaluate("localStorage.setItem('other', 'stays')")
    page.reload()
    left = set(page.evaluate(STORED))
    assert {key for key in left if "someone" in key} == {
        "segranks-draft-someone-1",
        "segranks-draft-someone-29",
    }
    assert "segranks-draft-broken" not in left
    assert page.evaluate("localStorage.other") == "stays"
    place_all(page)
    submit(page)
    assert checked(page) == {}
    own = page.evaluate(f"{STORED}.map(key => JSON.parse(localStorage[key]).choices)")
    assert [choices for choices in own if choices and len(choices)] == []


def test_two_annotators_of_one_browser_do_not_see_each_others_choices(jana):
    place_all(jana.page)
    jana.context.clear_cookies()
    jana.judge()
    assert checked(jana.page) == {}
    jana.excuse("403")


def test_another_account_of_this_browser_is_named_and_nothing_is_lost(jana, site):
    page = jana.page
    press(page, "1")
    expect_state(page, "saved")
    before = jana.context.cookies()
    petr, cookie = site.add_user("annotator", site.project)
    jana.context.add_cookies(
        [one | {"value": cookie} if one["name"] == "sessionid" else one for one in before]
    )
    press(page, "2")
    expect_state(page, "otherAccount")
    notice = page.locator("#notice")
    expect(notice).to_contain_text(petr)
    expect(notice).to_contain_text(jana.name)
    assert draft(site, jana.name)[1] == {"1-1": 1}
    jana.context.add_cookies(before)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect_state(page, "saved")
    expect(notice).to_be_hidden()
    assert draft(site, jana.name)[1] == {"1-1": 1, "1-2": 2}
    jana.excuse("403")


def test_a_pause_without_network_does_not_count_as_time(visit, site):
    jana = visit(viewport={"width": 360, "height": 740})
    page = jana.page
    page.clock.install()
    jana.judge()
    progress = page.locator(".judge-progress").bounding_box()
    page.mouse.move(100, 300)
    page.clock.run_for(40_000)
    page.mouse.move(100, 310)
    page.clock.run_for(40_000)
    # What it says from the first minute on moves nothing.
    expect(page.locator("#session")).to_be_visible()
    assert page.locator(".judge-progress").bounding_box() == progress
    jana.context.set_offline(True)
    press(page, "1")
    page.clock.run_for(5_000)
    expect_state(page, "offline")
    page.clock.run_for(600_000)
    jana.context.set_offline(False)
    press(page, "2")
    page.clock.run_for(70_000)
    expect_state(page, "saved")
    assert 80 < draft(site, jana.name)[2] < 250
    jana.excuse(*FAILED)


@pytest.mark.slow
def test_without_browser_storage_everything_else_works(visit, site):
    jana = visit()
    jana.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})"
    )
    jana.judge()
    places = place_all(jana.page)
    assert submit(jana.page)
    assert site.placements(jana.name) == places


def test_a_sentence_that_went_to_another_annotator_can_still_be_submitted_once_free(visit, site):
    jana = visit()
    jana.judge(site.add_project("Taken", [3, 2]))
    page = jana.page
    press(page, *"11111")
    expect_state(page, "saved")
    number = assignment(page)
    site.query(
        f"[Assignment.objects.filter(pk={number}).update(state='returned', lease_until=None),"
        "Assignment.objects.create(project=(a := Assignment.objects.get("
        f"pk={number})).project, sentence=a.sentence, kind='first', slot=1, created=a.created,"
        " state='submitted', submitted=a.created, annotator=User.objects.get(username='admin')"
        ").pk][0]"
    )
    press(page, "Shift+Enter")
    notice = page.locator("#notice a")
    expect(notice).to_be_visible()
    assert len(checked(page)) == 5
    # The next page tries again, and is refused again.
    with page.expect_response(f"**/{number}/submission/") as answer:
        notice.click()
    assert answer.value.status == 409
    expect_next_sentence(page, number)
    site.query(
        f"Assignment.objects.filter(kind='first', state='submitted', sentence__assignments={number}"
        ", annotator__username='admin').delete()[0]"
    )
    with page.expect_response(f"**/{number}/submission/") as answer:
        page.reload()
    assert answer.value.status == 201
    assert len(site.placements(jana.name)) == 5
    jana.excuse("409")


@pytest.mark.slow
@pytest.mark.process
def test_a_restart_of_the_server_loses_nothing(installation, browser):
    port = str(free_port())

    def start():
        process = installation.start(sys.executable, "manage.py", "up", "--port", port)
        process.wait_for_line("Ctrl-C")
        return process

    try:
        process = start()
        wait_until(lambda: installation.query("Project.objects.filter(state='open').count()"))
        page = browser.new_page()
        page.goto(f"{process.address}/sign-in/?next=/projects/1/judge/")
        page.locator("#id_username").fill("annotator1")
        page.locator("#id_password").fill(process.passwords["annotator1"])
        page.locator("#id_password").press("Enter")
        page.wait_for_url("**/judge/")
        page.locator(".tray .piece").first.wait_for()
        press(page, "1")
        expect_state(page, "saved")
        process.interrupt()
        press(page, "2")
        expect_state(page, "offline")
        before, places = assignment(page), checked(page)
        start()
        expect(page.locator("#saving")).to_have_attribute("data-state", "saved", timeout=30_000)
        page.reload()
        assert checked(page) == places
        place_by_click(page, plan(page))
        press(page, "Shift+Enter")
        expect_next_sentence(page, before)
    finally:
        installation.end()
