"""The annotator's own judgements, and revising one."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import (
    checked,
    choose_in_list,
    place_all,
    place_by_click,
    plan,
    press,
    submit,
    submit_button,
)


@pytest.fixture
def jana(visit):
    """An annotator who ranked all candidates of one sentence first."""
    jana = visit(timezone_id="Asia/Tokyo")
    jana.judge()
    press(jana.page, *"11111")
    submit(jana.page)
    return jana


def open_judgement(page, site):
    page.goto(site.url("mine"))
    page.locator(".past-one").click()
    page.wait_for_url("**/mine/*/")


def test_a_judgement_is_revised(jana, site):
    page = jana.page
    open_judgement(page, site)
    cards = list(plan(page))
    assert checked(page) == dict.fromkeys(cards, "1")
    place_by_click(page, {cards[0]: "garbage"})
    submit_button(page).click()
    expect(page.locator(".past .tag")).to_have_count(1)
    open_judgement(page, site)
    assert checked(page) == dict.fromkeys(cards, "1") | {cards[0]: "garbage"}


def test_times_are_those_of_the_reader_and_written_as_by_the_server(jana, visit, site):
    jana.page.goto(site.url("mine"))
    time = jana.page.locator("time")
    expect(time).not_to_contain_text("UTC")
    assert time.evaluate(
        "time => time.textContent === new Intl.DateTimeFormat(navigator.language,"
        " {dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo'})"
        ".format(new Date(time.dateTime))"
    )
    # In English the browser follows its reader's order of day and month.
    shown = []
    for has_script in (False, True):
        window = visit(locale="cs-CZ", timezone_id="UTC", java_script_enabled=has_script)
        window.sign_in_like(jana)
        window.page.goto(site.url("mine"))
        shown.append(window.page.locator(".past-one time").inner_text())
    by_server, by_browser = (" ".join(time.split()) for time in shown)
    assert by_server == f"{by_browser} UTC"


@pytest.mark.slow
def test_a_judgement_is_revised_without_javascript(jana, visit, site):
    plain = visit(java_script_enabled=False)
    plain.sign_in_like(jana)
    page = plain.page
    open_judgement(page, site)
    choose_in_list(page, "1-1", "garbage")
    submit_button(page).click()
    page.locator(".past-one").click()
    expect(page.locator('input[name="card-1-1"]:checked')).to_have_value("garbage")
    expect(page.locator("time")).to_contain_text("UTC")


def test_a_revision_under_way_survives_a_reload_and_can_be_cancelled(jana, site):
    page = jana.page
    open_judgement(page, site)
    stored = checked(page)
    card = next(iter(stored))
    page.locator(f'.piece[data-card="{card}"] .face').focus()
    press(page, "g")
    changed = stored | {card: "garbage"}
    assert checked(page) == changed
    page.reload()
    assert checked(page) == changed
    press(page, "u")
    assert checked(page) == stored
    press(page, "y")
    page.locator(".leave").click()
    page.wait_for_url("**/mine/")
    open_judgement(page, site)
    assert checked(page) == stored


def test_my_judgements_are_accessible(inspected, site):
    jana, page = inspected.visitor, inspected.page
    jana.sign_in()
    page.goto(site.url("mine"))
    inspected.look("nothing judged")
    page.goto(site.url("judge"))
    place_all(page)
    submit(page)
    page.goto(site.url("mine"))
    inspected.look("my judgements")
    page.locator(".past-one").click()
    inspected.look("revise")
    page.locator(".view-switch").click()
    page.locator("#judgement input:checked").first.evaluate("radio => radio.disabled = true")
    page.evaluate("document.getElementById('judgement').submit()")
    page.get_by_role("alert").first.wait_for()
    inspected.look("revise, incomplete, list")
