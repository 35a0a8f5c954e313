"""The overview in a real browser: it changes by itself while others judge, and disturbs nobody."""

from itertools import count

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import add_project, excuse, join, place_by_click, plan, submit
from tests.browser.test_accessibility import Inspector

pytestmark = pytest.mark.browser
# It looks every fifteen seconds.
SOON = 40_000
NUMBERS = count(1)
# How often a part of the page was changed, by its name.
WATCH = """() => {
  window.changes = {};
  for (const part of document.querySelectorAll("[data-live]")) {
    new MutationObserver(() => {
      window.changes[part.dataset.live] = (window.changes[part.dataset.live] ?? 0) + 1;
    }).observe(part, {childList: true, characterData: true, subtree: true});
  }
}"""
LOOK = "() => document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def judging(site):
    """The judging page of a project of our own: in the demo others come and go."""
    return add_project(site, f"Watched {next(NUMBERS)}", (2,))


@pytest.fixture
def boss(visit):
    return sign_in(visit(timezone_id="Europe/Prague"))


def sign_in(window):
    window.page.goto(f"{window.site.address}/sign-in/")
    window.sign_in_by_password("admin", window.site.process.passwords["admin"])
    return window


def open_overview(window, judging):
    page = window.page
    page.goto(judging.replace("/judge/", "/overview/"))
    return page


def figure(page, name):
    return page.locator(f'dd[data-live="{name}"]')


def look_now(page):
    """Have the page look at once, as when somebody comes back to it, and wait for what it shows."""
    with page.expect_response("**/overview/now/**") as asked:
        page.evaluate(LOOK)
    page.wait_for_timeout(300)
    return asked.value


def judge_one(window):
    place_by_click(window.page, plan(window.page))
    submit(window.page)


def test_it_changes_by_itself_while_somebody_judges(visit, boss, judging):
    page = open_overview(boss, judging)
    expect(page.locator(".far-words")).to_have_text("Nothing is judged yet.")
    expect(figure(page, "now")).to_contain_text("0 ")

    jana = visit()
    join(jana, judging)
    expect(figure(page, "now")).to_contain_text(jana.name, timeout=SOON)
    expect(figure(page, "judged")).to_contain_text("0 of 3")
    judge_one(jana)

    expect(page.locator(".far-words")).to_contain_text("33 %", timeout=SOON)
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=jana.name))
    expect(row.locator(".tag-good")).to_be_visible()
    expect(row.get_by_role("cell").first).to_have_text("1")
    assert page.locator(".far progress").evaluate("bar => bar.value / bar.max") == 1 / 3


def test_only_what_is_different_changes_and_the_focus_stays(visit, boss, judging):
    jana = visit()
    join(jana, judging)
    page = open_overview(boss, judging)
    look_now(page)
    table = page.locator("[role=region][aria-labelledby=who-caption]")
    table.focus()
    page.evaluate(WATCH)

    assert look_now(page).status == 304
    assert page.evaluate("window.changes") == {}
    judge_one(jana)
    assert look_now(page).status == 200

    changed = set(page.evaluate("Object.keys(window.changes)"))
    assert {"headline", "bar", "judged", "today", "rows", "together"} <= changed
    assert not changed & {"now", "inter", "note"}
    expect(table).to_be_focused()
    # Nothing but the words in large type is read aloud.
    spoken = page.locator("#overview :is([aria-live], [role=status], [role=alert])")
    expect(spoken).to_have_count(1)
    expect(spoken).to_have_attribute("data-live", "headline")


def test_today_is_the_readers(boss, judging):
    page = open_overview(boss, judging)

    expect(page.locator('[data-live="note"]')).to_contain_text("midnight (Europe/Prague)")
    expect(page.locator(".note.by-hand")).to_be_hidden()


def test_it_says_when_the_server_is_away_and_goes_on_when_it_is_back(visit, boss, judging):
    page = open_overview(boss, judging)
    look_now(page)
    page.route("**/overview/now/**", lambda route: route.abort())
    page.evaluate(LOOK)
    expect(page.locator("#overview-away")).to_be_visible()

    page.unroute("**/overview/now/**")
    look_now(page)

    expect(page.locator("#overview-away")).to_be_hidden()
    excuse(boss, "ERR_FAILED")


def test_it_can_be_read_without_javascript(visit, judging):
    boss = sign_in(visit(java_script_enabled=False))
    page = open_overview(boss, judging)

    expect(figure(page, "judged")).to_contain_text("0 of 3")
    expect(page.locator(".note.by-hand")).to_be_visible()
    expect(page.get_by_text("keeps itself up to date")).to_be_hidden()


@pytest.mark.parametrize("locale", ["en", "cs"])
def test_everybody_can_use_it_on_any_screen(visit, judging, locale):
    jana, boss = visit(), sign_in(visit(locale=locale))
    join(jana, judging)
    judge_one(jana)
    inspector = Inspector(open_overview(boss, judging))
    inspector.look("overview")

    assert inspector.found == []
    boss.page.set_viewport_size({"width": 390, "height": 844})
    width = boss.page.evaluate("document.documentElement.scrollWidth")
    assert width == 390
    excuse(boss, "'url': ''")
