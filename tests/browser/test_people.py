"""Signing in, being invited, sessions, API tokens and the crowd."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import place_all, submit

PASSWORD = "nine-quiet-rivers"
PLATFORM = "https://app.prolific.com/"
BACK = f"{PLATFORM}submissions/complete?cc=C1"


def sign_in_by_form(page, name, password):
    page.locator("#id_username").fill(name)
    page.locator("#id_password").fill(password)
    page.locator("#id_password").press("Enter")


def test_pages_for_strangers_are_accessible(inspected, site):
    page = inspected.page
    for path in (
        "/sign-in/",
        "/register/",
        "/sign-in/link/made-up/",
        "/invitations/made-up/",
        "/password/forgotten/",
        "/no/such/page/",
    ):
        page.goto(site.address + path)
        inspected.look(path)
    page.goto(f"{site.address}/sign-in/")
    sign_in_by_form(page, "stranger", "wrong")
    page.locator(".errorlist").first.wait_for()
    inspected.look("wrong password")
    page.goto(f"{site.address}/register/")
    page.locator("#id_username").fill("no such name!")
    page.locator("#id_password1").fill("1")
    page.locator("#id_password2").fill("2")
    page.locator("main form .button-main").click()
    page.locator(".errorlist").first.wait_for()
    inspected.look("wrong registration")


def test_a_sign_in_link_works_once_and_the_password_from_then_on(inspected, visit, site):
    page = inspected.page
    name, _session = site.add_user("annotator", site.project)
    link = site.installation.call(
        "add_user", name, "--project", "1", "--address", site.address
    ).split()[-1]
    page.goto(link)
    inspected.look("sign-in link")
    page.locator("main form button").click()
    page.wait_for_url("**/password/")
    inspected.look("choose a password")
    page.locator("#id_new_password1").fill(PASSWORD)
    page.locator("#id_new_password2").fill(PASSWORD)
    page.locator("main form .button-main").click()
    expect(page.locator(".project")).to_have_count(1)
    page.goto(link)
    inspected.look("used link")
    inspected.visitor.context.clear_cookies()
    page.goto(site.url("judge"))
    sign_in_by_form(page, name, PASSWORD)
    expect(page.locator("#judgement")).to_be_visible()
    inspected.visitor.context.clear_cookies(name="csrftoken")
    page.locator(".site-tools > form button").click()
    page.locator(".problem").wait_for()
    inspected.look("form too old")


def test_an_invitation_is_made_and_used(inspected, visit, site):
    boss, page = inspected.visitor, inspected.page
    boss.sign_in("administrator")
    page.goto(site.url("invitations"))
    page.locator("#id_days").fill("900")
    page.locator("#by-link .settings button").click()
    inspected.look("wrong invitation")
    page.locator("#id_days").fill("7")
    page.locator("#by-link .settings button").click()
    boss.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copy=fresh-link]").click()
    link = page.locator("#fresh-link").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link
    inspected.look("new invitation")
    boss.context.clear_cookies(name="sessionid")
    page.goto(link)
    inspected.look("invitation")
    page.locator("#id_username").fill(f"invited-by-{boss.name}")
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("#id_password2").fill(PASSWORD)
    page.locator("main form .button-main").click()
    expect(page.locator(".project")).to_have_count(1)
    page.goto(link)
    inspected.look("used invitation")


def test_account_pages_are_accessible_and_other_sessions_can_be_ended(inspected, visit, site):
    here, page = inspected.visitor, inspected.page
    here.sign_in("owner")
    there = visit()
    session = site.session_of(here.name)
    there.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    page.goto(f"{site.address}/account/")
    inspected.look("account")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    page.locator("main section").last.locator("> form button").click()
    expect(rows).to_have_count(1)
    there.page.goto(f"{site.address}/account/")
    there.page.wait_for_url("**/sign-in/?next=/account/")
    for path in ("/my-data/", "/account/address/", "/account/tokens/"):
        page.goto(site.address + path)
        inspected.look(path)
    page.locator("form.settings .button-main").click()
    inspected.look("wrong token")
    # Swagger UI is not ours, so axe does not judge it.
    page.goto(f"{site.address}/api/v1/docs/")
    expect(page.locator(".opblock").first).to_be_visible()


@pytest.mark.slow
def test_too_many_wrong_passwords_lock_the_name(inspected, site):
    page = inspected.page
    for _time in range(10):
        page.goto(f"{site.address}/sign-in/")
        sign_in_by_form(page, f"stranger-{inspected.visitor.name}", "wrong")
        page.wait_for_load_state()
    expect(page.locator("time[data-local]")).not_to_contain_text("UTC")
    inspected.look("locked")


@pytest.mark.parametrize("width", [360, pytest.param(1920, marks=pytest.mark.slow)])
def test_an_api_token_is_made_and_revoked_without_javascript(visit, site, width):
    window = visit(viewport={"width": width, "height": 800}, java_script_enabled=False)
    page = window.page
    window.sign_in("administrator")
    page.goto(f"{site.address}/account/tokens/")
    page.locator("#id_name").fill("nightly export")
    page.locator("form.settings .button-main").click()
    expect(page.locator("#new-token")).to_have_value(re.compile(r"^sr_[\w-]{43}$"))
    token = page.locator("#new-token").input_value()

    def status() -> int:
        # From another context: the session of the window would let it in.
        answer = window.context.browser.new_context().request.get(
            f"{site.address}/api/v1/projects/{site.project}/",
            headers={"Authorization": f"Bearer {token}"},
        )
        return int(answer.status)

    assert status() == 200
    page.locator("form[action*=revoke] button").click()
    page.locator("[data-question] button").click()
    expect(page.locator("form[action*=revoke]")).to_have_count(0)
    assert status() == 401


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1920])
def test_webhooks_work_without_javascript(visit, site, width):
    window = visit(viewport={"width": width, "height": 800}, java_script_enabled=False)
    page = window.page
    project = site.add_project("Webhooks", [2])
    window.sign_in("administrator", project)
    page.goto(site.url("webhooks", project))
    page.locator("#id_address").fill("https://hooks.example/" + "a-long-address/" * 8)
    for box in page.locator("form:has(#id_address) [name=events]").all():
        box.check()
    page.locator("form:has(#id_address) .button-main").click()
    page.locator("form[action*=test] button").click()
    expect(page.locator(".deliveries tbody tr")).to_have_count(1)
    for summary in page.locator("summary").all():
        summary.click()
    width_and_room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width_and_room[0] <= width_and_room[1]
    page.locator("form[action*=remove] button").click()
    page.locator("[data-question] button").click()
    expect(page.locator(".webhook")).to_have_count(0)


def make_start_link(inspected, site):
    """Make a start link for one sentence, whose code is an address; return where it starts."""
    boss, page = inspected.visitor, inspected.page
    boss.sign_in("owner")
    page.goto(site.url("crowd/new"))
    page.locator("#id_platform").fill(f"Platform of {boss.name}")
    page.locator("#id_sentences").fill("1")
    page.locator("#id_address").fill(BACK)
    page.locator("#id_pay_per_hour").fill("-1")
    page.locator(".link-form .button-main").click()
    page.locator(".errorlist").first.wait_for()
    inspected.look("wrong start link")
    page.locator("#id_pay_per_hour").fill("10")
    page.locator(".link-form .button-main").click()
    field = page.locator(".start-link", has_text=f"Platform of {boss.name}").locator("input").first
    return field.input_value().split("?")[0]


def test_a_participant_gets_from_the_platform_and_back(inspected, visit, site):
    """Browsers follow no redirect to another site after a form: the page has to lead there."""
    start = make_start_link(inspected, site)
    page = inspected.page
    person = f"{start}?PROLIFIC_PID=person-of-{inspected.visitor.name}"
    worker, without_script = visit(), visit(java_script_enabled=False)
    for visitor in (worker, without_script):
        visitor.context.route(
            f"{PLATFORM}**", lambda route: route.fulfill(body="Submitted at Prolific")
        )
        visitor.excuse(f"another host was asked: {PLATFORM}")
    page.goto(start)
    inspected.look("no participant")
    worker.page.goto(person)
    worker.page.locator("form.agree button").click()
    place_all(worker.page)
    submit(worker.page)
    worker.page.wait_for_url(BACK)
    # Again, straight from the form of the first page, where no script runs.
    page_without_script = without_script.page
    page_without_script.goto(person)
    page_without_script.locator("form.agree button").click()
    page_without_script.locator(".done .button-main").click()
    page_without_script.wait_for_url(BACK)
    page.goto(site.url("crowd"))
    inspected.look("crowd")
    page.locator(".pay-table a[href$='/anonymise/']").last.click()
    inspected.look("anonymise")
    page.goto(person)
    inspected.look("start")
