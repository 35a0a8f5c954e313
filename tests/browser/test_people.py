"""Inviting people and coming by an invitation, one's account, and being locked out."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import Inspector

pytestmark = pytest.mark.browser
PASSWORD = "nine-quiet-rivers"


def forget_statuses(*visitors):
    """Pass over what the console says of the status of a page about a problem."""
    for visitor in visitors:
        visitor.complaints = [
            line
            for line in visitor.complaints
            if "server responded with a status" not in line and "'url': ''" not in line
        ]


@pytest.mark.parametrize("locale", ["en", "cs"])
def test_somebody_is_invited_and_comes(visit, site, locale):
    boss, eva = visit(locale=locale), visit(locale=locale)
    boss.sign_in("administrator")
    look = Inspector(boss.page)
    invitations = f"{site.address}/projects/{site.project}/invitations/"
    boss.page.goto(invitations)
    boss.page.locator("#id_days").fill("900")
    boss.page.locator(".settings .button-main").click()
    look.look("wrong invitation")
    boss.page.locator("#id_days").fill("7")
    boss.page.locator("#id_note").fill("Room 12")
    boss.page.locator(".settings .button-main").click()
    field = boss.page.locator("#fresh-link")
    boss.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    boss.page.locator("[data-copy]").click()
    link = field.input_value()
    assert boss.page.evaluate("navigator.clipboard.readText()") == link
    look.look("fresh invitation")

    eva.page.goto(link)
    at_eva = Inspector(eva.page)
    at_eva.look("invitation")
    name = f"eva-{boss.name}"
    eva.page.locator("#id_username").fill(name)
    eva.page.locator("#id_password1").fill(PASSWORD)
    eva.page.locator("#id_password2").fill(PASSWORD)
    eva.page.locator("main form .button-main").click()
    expect(eva.page.locator("main h2").first).to_have_text("Demo")
    eva.page.goto(link)
    at_eva.look("used invitation")
    # Somebody without a password, who can be helped.
    site.add_user()
    boss.page.goto(invitations)
    boss.page.locator("form[action*=new-link] button").first.click()
    expect(field).to_have_value(f"{site.address}/sign-in/link/" + field.input_value()[-44:])
    look.look("fresh link")
    forget_statuses(boss, eva)
    assert look.found + at_eva.found == []


def test_one_sees_and_ends_where_one_is_signed_in(visit, site):
    here, there = visit(), visit()
    here.sign_in()
    here.page.locator("#id_new_password1").fill(PASSWORD)
    here.page.locator("#id_new_password2").fill(PASSWORD)
    here.page.locator("main form .button-main").click()
    there.page.goto(site.address)
    there.sign_in_by_password(here.name, PASSWORD)
    here.page.goto(f"{site.address}/account/")
    look = Inspector(here.page)
    look.look("account")
    here.page.get_by_role("link", name="Give an address").click()
    expect(here.page.locator("main")).to_contain_text("No mail can be sent from here")
    look.look("no mail for a new address")
    here.page.goto(f"{site.address}/account/")
    rows = here.page.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("this one")
    here.page.get_by_role("button", name="Sign out everywhere else").click()
    expect(rows).to_have_count(1)
    there.page.goto(f"{site.address}/account/")
    there.page.wait_for_url("**/sign-in/?next=/account/")
    assert look.found == []
    forget_statuses(here)


def test_whoever_guesses_is_told_when_to_try_again(visit, site):
    guest = visit()
    for _time in range(10):
        guest.page.goto(f"{site.address}/sign-in/")
        guest.sign_in_by_password("nobody-of-this-name", "wrong")
    expect(guest.page.locator("h1")).to_have_text("Too many attempts")
    look = Inspector(guest.page)
    look.look("locked out")
    expect(guest.page.locator("time")).not_to_contain_text("UTC")
    assert look.found == []
    forget_statuses(guest)
