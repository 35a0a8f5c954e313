"""Every page in a real browser: no complaint, no other host, right on any screen."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
SCREENS = [
    pytest.param({"width": 360, "height": 740}, id="360"),
    pytest.param({"width": 768, "height": 1024}, id="768"),
    pytest.param({"width": 1920, "height": 1080}, id="1920"),
]


def assert_nothing_sticks_out(page: Page) -> None:
    width, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= inner, page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", SCREENS)
def test_every_page_fits_the_screen_and_keeps_the_policy(visit, site, viewport, scheme):
    jana = visit(viewport=viewport, color_scheme=scheme)
    page = jana.page
    page.goto(f"{site.address}/sign-in/")
    assert_nothing_sticks_out(page)
    jana.sign_in("administrator")
    assert_nothing_sticks_out(page)
    paths = (
        "/",
        f"/projects/{site.project}/judge/",
        f"/projects/{site.project}/results/",
        f"/projects/{site.project}/mine/",
        f"/projects/{site.project}/manage/",
        f"/projects/{site.project}/invitations/",
        "/account/",
        f"/projects/{site.project}/crowd/",
        f"/projects/{site.project}/crowd/new/",
        "/my-data/",
    )
    for path in paths:
        response = page.goto(site.address + path)
        assert response
        assert response.status == 200
        page.wait_for_load_state("networkidle")
        assert_nothing_sticks_out(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/")


def test_pages_about_problems_keep_the_policy_too(visit, site):
    jana = visit()
    for path, words in (
        ("/no/such/page/", "There is nothing here"),
        ("/sign-in/link/made-up/", "We do not know this link"),
    ):
        jana.page.goto(site.address + path)
        expect(jana.page.locator("h1")).to_have_text(words)
    # The console reports the status of the page itself; anything else is a complaint.
    jana.complaints = [line for line in jana.complaints if "404 (Not Found)" not in line]


def test_a_link_signs_in_once(visit, site):
    name, link = site.add_user()
    first, second = visit(), visit()
    first.page.goto(link)
    expect(first.page.locator("main")).to_contain_text(name)
    first.page.get_by_role("button", name="Sign me in").click()
    first.page.get_by_role("link", name="Not now").click()
    expect(first.page.locator("h1")).to_have_text("Your projects")
    second.page.goto(link)
    expect(second.page.locator("h1")).to_have_text("This link has been used up")
    second.complaints = [line for line in second.complaints if "410 (Gone)" not in line]


def test_the_first_accounts_sign_in_with_the_printed_passwords(visit, site):
    for name, password in site.process.passwords.items():
        window = visit()
        window.page.goto(site.address)
        window.sign_in_by_password(name, password)
        expect(window.page.locator("h1")).to_have_text("Your projects")
        expect(window.page.get_by_role("link", name=re.compile("Judge.*Demo"))).to_be_visible()


def test_the_administration_keeps_the_policy(visit, site):
    boss = visit()
    boss.page.goto(f"{site.address}/admin/")
    boss.sign_in_by_password("admin", site.process.passwords["admin"])
    for path in ("", "annotation/project/", "annotation/user/", "annotation/membership/"):
        boss.page.goto(f"{site.address}/admin/{path}")
        expect(boss.page.locator("#site-name")).to_contain_text("SegRanks")


def test_a_czech_browser_gets_czech_pages(visit, site):
    jana = visit(locale="cs-CZ")
    jana.judge()
    page = jana.page
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    expect(page.get_by_role("button", name="Odevzdat")).to_be_visible()
    expect(page.locator(".garbage").first).to_contain_text("Odpad")
    expect(page.locator("summary")).to_have_text("Jak hodnotit")
    expect(page.locator("#status")).to_contain_text("Zbývá umístit")


def test_the_language_is_switched_and_the_page_stays(visit, site):
    jana = visit()
    jana.judge()
    jana.page.get_by_role("button", name="česky").click()
    expect(jana.page.locator("html")).to_have_attribute("lang", "cs")
    assert jana.page.url == site.judge
    jana.page.get_by_role("button", name="English").click()
    expect(jana.page.locator("html")).to_have_attribute("lang", "en")


def test_motion_is_left_out_for_those_who_want_none(visit):
    jana = visit(reduced_motion="reduce")
    jana.judge()
    board = jana.page.locator(".board").first
    board.locator(".tray .face").first.click()
    board.locator('.zone[data-value="1"] .put').click()
    assert jana.page.evaluate("document.getAnimations().length") == 0
