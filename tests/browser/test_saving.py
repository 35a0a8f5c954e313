"""Saved on the server within two seconds, here at once, and never silently the older version."""

import sys
import time

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    add_project,
    assignment,
    checked,
    excuse,
    expect_saved,
    join,
    place_by_click,
    plan,
    visit_as,
)
from tests.installation import wait_until
from tests.services import free_port

pytestmark = pytest.mark.browser
FAILED = ("Failed to load resource", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION")


@pytest.fixture(scope="module")
def url(site):
    return add_project(site, "Saving", [3, 2], sentences=30)


@pytest.fixture
def jana(visit, url):
    jana = visit()
    join(jana, url)
    return jana


def state(page):
    return page.locator("#saving")


def expect_state(page, name):
    expect(state(page)).to_have_attribute("data-state", name)


def draft(site, name):
    found = site.installation.query(
        "[list(row) for row in Draft.objects.filter("
        f"assignment__annotator__username={name!r}).values_list('version', 'choices',"
        " 'active_seconds')]"
    )
    return found[0] if found else None


def press(page, keys):
    for key in keys:
        page.keyboard.press(key)


def test_every_change_is_on_the_server_within_two_seconds(jana, site):
    page = jana.page
    expect(state(page)).to_have_text("Every change will be saved at once")
    press(page, "1G")
    with page.expect_response("**/draft/") as saved:
        started = time.monotonic()
    assert time.monotonic() - started < 2
    assert saved.value.status == 200
    expect(state(page)).to_have_text("Saved")
    version, choices, seconds = draft(site, jana.name)
    assert version == 1
    assert choices == {"1-1": 1, "1-2": "garbage"}
    assert seconds > 0


def test_another_device_shows_what_was_placed_and_goes_on(jana, visit, url):
    press(jana.page, "1G")
    expect_saved(jana.page)
    other = visit(viewport={"width": 390, "height": 844}, java_script_enabled=True)
    visit_as(other, jana)
    other.page.goto(url)
    assert checked(other.page) == {"1-1": "1", "1-2": "garbage"}
    expect(other.page.locator(".garbage .piece")).to_have_attribute("data-card", "1-2")
    press(other.page, "2")
    expect_saved(other.page)
    jana.page.reload()
    assert checked(jana.page) == {"1-1": "1", "1-2": "garbage", "1-3": "2"}


def test_a_device_without_javascript_shows_the_draft_too(jana, visit, url):
    press(jana.page, "2")
    expect_saved(jana.page)
    other = visit(java_script_enabled=False)
    visit_as(other, jana)
    other.page.goto(url)
    expect(other.page.locator('input[name="card-1-1"][value="2"]')).to_be_checked()


@pytest.mark.parametrize(("answer", "left"), [("Take that one", "theirs"), ("Keep what", "mine")])
def test_of_two_versions_the_annotator_chooses(jana, visit, url, site, answer, left):
    press(jana.page, "1")
    expect_saved(jana.page)
    other = visit()
    visit_as(other, jana)
    other.page.goto(url)
    press(other.page, "3")
    expect_saved(other.page)
    press(jana.page, "G")
    expect_state(jana.page, "conflict")
    notice = jana.page.locator("#notice")
    expect(notice).to_contain_text("has saved a newer version")
    expect(notice.locator("li")).to_contain_text("here: Garbage · there: 3")
    assert checked(jana.page)["1-2"] == "garbage"
    assert draft(site, jana.name)[1]["1-2"] == 3
    notice.get_by_role("button", name=answer).click()
    expect_saved(jana.page)
    expect(notice).to_be_hidden()
    value = {"theirs": 3, "mine": "garbage"}[left]
    assert checked(jana.page)["1-2"] == str(value)
    assert draft(site, jana.name)[1]["1-2"] == value
    excuse(jana, "409")


def test_an_old_draft_of_this_device_never_wins_silently(jana, visit, url, site):
    press(jana.page, "1")
    expect_saved(jana.page)
    jana.context.set_offline(True)
    press(jana.page, "2")
    expect_state(jana.page, "offline")
    other = visit()
    visit_as(other, jana)
    other.page.goto(url)
    press(other.page, "3")
    expect_saved(other.page)
    jana.page.goto("about:blank")
    jana.context.set_offline(False)
    jana.page.goto(url)
    expect_state(jana.page, "conflict")
    assert draft(site, jana.name)[1] == {"1-1": 1, "1-2": 3}
    jana.page.get_by_role("button", name="Take that one").click()
    assert checked(jana.page) == {"1-1": "1", "1-2": "3"}
    excuse(jana, *FAILED)


def test_two_windows_of_one_browser_show_the_same(jana, url):
    other = jana.context.new_page()
    other.goto(url)
    press(other, "1G")
    expect(jana.page.locator(".garbage .piece")).to_have_attribute("data-card", "1-2")
    expect_saved(other)
    jana.page.bring_to_front()
    press(jana.page, "2")
    expect_saved(jana.page)
    expect(jana.page.locator("#notice")).to_be_hidden()
    assert checked(other) == checked(jana.page) == {"1-1": "1", "1-2": "garbage", "1-3": "2"}


def test_without_a_network_work_goes_on_and_is_handed_in_when_it_is_back(jana, site):
    page = jana.page
    press(page, "1")
    expect_saved(page)
    jana.context.set_offline(True)
    press(page, "2")
    expect_state(page, "offline")
    expect(state(page)).to_contain_text("Not saved yet – no connection; kept on this device")
    press(page, "G21")
    before, places = assignment(page), checked(page)
    assert len(places) == 5
    page.keyboard.press("Shift+Enter")
    expect_state(page, "waiting")
    expect(page.locator("#status")).to_have_text("Waiting to be submitted.")
    jana.context.set_offline(False)
    expect(page.locator("input[name=assignment]")).not_to_have_value(before, timeout=15_000)
    assert site.placements(jana.name) == places
    excuse(jana, *FAILED)


def test_a_submission_that_waits_survives_closing_the_page(jana, site, url):
    page = jana.page
    place_by_click(page, places := plan(page))
    expect_saved(page)
    before = assignment(page)
    jana.context.set_offline(True)
    page.keyboard.press("Shift+Enter")
    expect_state(page, "waiting")
    page.goto("about:blank")
    jana.context.set_offline(False)
    page.goto(url)
    # The page that is closing can be the one that hands in, while the new one is being made.
    expect(page.locator("input[name=assignment]")).not_to_have_value(before)
    assert site.placements(jana.name) == places
    page.reload()
    expect(page.locator(".judge-progress")).to_contain_text("judged by you: 1 of")
    excuse(jana, *FAILED)


def test_a_lost_answer_does_not_double_the_submission(jana, site):
    page = jana.page
    place_by_click(page, places := plan(page))
    before = assignment(page)
    lost: list[int] = []

    def lose_the_first(route):
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/submission/", lose_the_first)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("input[name=assignment]")).not_to_have_value(before, timeout=15_000)
    assert lost == [201]
    assert site.placements(jana.name) == places
    excuse(jana, *FAILED)


def test_a_restart_of_the_server_in_the_middle_loses_nothing(installation, browser):
    port = str(free_port())

    def start():
        process = installation.start(sys.executable, "manage.py", "up", "--port", port)
        process.wait_for_line("Ctrl-C ends it")
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
        expect_saved(page)
        process.interrupt()
        press(page, "2")
        expect(state(page)).to_contain_text("Not saved yet")
        before, places = assignment(page), checked(page)
        start()
        expect(state(page)).to_have_text("Saved", timeout=30_000)
        page.reload()
        assert checked(page) == places
        place_by_click(page, plan(page))
        page.keyboard.press("Shift+Enter")
        expect(page.locator("input[name=assignment]")).not_to_have_value(before)
    finally:
        installation.end()


def test_a_change_while_a_submission_waits_calls_it_off(jana):
    page = jana.page
    press(page, "11111")
    jana.context.set_offline(True)
    page.keyboard.press("Shift+Enter")
    expect_state(page, "waiting")
    page.keyboard.press("U")
    expect(page.locator("#status")).to_have_text("Candidates left to place: 1")
    before = assignment(page)
    jana.context.set_offline(False)
    expect_saved(page)
    assert assignment(page) == before
    excuse(jana, *FAILED)


def test_work_on_a_sentence_that_went_to_somebody_else_is_explained_and_kept(jana, site, url):
    page = jana.page
    press(page, "11111")
    expect_saved(page)
    number = assignment(page)
    site.installation.query(
        f"[Assignment.objects.filter(pk={number}).update(state='returned', lease_until=None),"
        "Assignment.objects.create(project=(a := Assignment.objects.get("
        f"pk={number})).project, sentence=a.sentence, kind='first', slot=1, created=a.created,"
        " state='submitted', submitted=a.created, annotator=User.objects.get(username='admin')"
        ").pk][0]"
    )
    page.keyboard.press("Shift+Enter")
    notice = page.locator("#notice")
    expect(notice).to_contain_text("another annotator")
    assert len(checked(page)) == 5
    # Tried from the next page at once, and refused still.
    with page.expect_response(f"**/{number}/submission/") as answer:
        notice.get_by_role("link", name="Go on judging").click()
    assert answer.value.status == 409
    expect(page.locator("input[name=assignment]")).not_to_have_value(number)
    site.installation.query(
        f"Assignment.objects.filter(kind='first', state='submitted', sentence__assignments={number}"
        ", annotator__username='admin').delete()[0]"
    )
    with page.expect_response(f"**/{number}/submission/") as answer:
        page.reload()
    assert answer.value.status == 201
    assert len(site.placements(jana.name)) == 5
    excuse(jana, "409")
