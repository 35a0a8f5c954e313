"""The overview updates itself while others judge."""

import pytest
from playwright.sync_api import expect

from tests.browser.judging_page import place_all, submit

# Milliseconds: the page looks for news every fifteen seconds.
SOON = 40_000
# Counts how often each live part of the page changed, by its name.
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
def project(site):
    return site.add_project("Overview", [2])


@pytest.fixture
def overview(visit, site, project):
    boss = visit(timezone_id="Europe/Prague")
    boss.sign_in_as_administrator()
    boss.page.goto(site.url("overview", project))
    return boss


def figure(page, name):
    return page.locator(f'[data-live="{name}"]')


def look_now(page):
    """Have the page look for news at once, as when the reader comes back to it."""
    with page.expect_response("**/overview/now/**") as answer:
        page.evaluate(LOOK)
    return answer.value


def judge_one(window):
    place_all(window.page)
    submit(window.page)


def test_only_what_is_new_changes_and_the_focus_stays(visit, overview, project):
    page = overview.page
    jana = visit()
    jana.judge(project)
    look_now(page)
    expect(figure(page, "now")).to_contain_text(jana.name)
    expect(page.locator('[data-live="note"]')).to_contain_text("Europe/Prague")
    table = page.locator("#overview [role=region][tabindex]").first
    table.focus()
    page.evaluate(WATCH)

    assert look_now(page).status == 304
    assert page.evaluate("window.changes") == {}
    judge_one(jana)
    assert look_now(page).status == 200

    page.wait_for_function("() => window.changes.headline")
    changed = set(page.evaluate("Object.keys(window.changes)"))
    assert {"headline", "bar", "judged", "today", "rows", "together"} <= changed
    assert not changed & {"now", "inter", "note"}
    assert page.locator(".far progress").evaluate("bar => bar.value / bar.max") == 1 / 3
    expect(table).to_be_focused()
    # Screen readers announce the headline and nothing else.
    spoken = page.locator("#overview :is([aria-live], [role=status], [role=alert])")
    expect(spoken).to_have_count(1)
    expect(spoken).to_have_attribute("data-live", "headline")


@pytest.mark.slow
def test_it_looks_for_news_by_itself(visit, overview, project):
    jana = visit()
    jana.judge(project)
    expect(figure(overview.page, "now")).to_contain_text(jana.name, timeout=SOON)


@pytest.mark.slow
def test_it_says_that_the_server_is_unreachable_until_it_is_back(overview):
    page = overview.page
    look_now(page)
    page.route("**/overview/now/**", lambda route: route.abort())
    page.evaluate(LOOK)
    expect(page.locator("#overview-away")).to_be_visible()
    page.unroute("**/overview/now/**")
    look_now(page)
    expect(page.locator("#overview-away")).to_be_hidden()
    overview.excuse("ERR_FAILED")


@pytest.mark.slow
def test_it_can_be_read_without_javascript(visit, site, project):
    boss = visit(java_script_enabled=False)
    boss.sign_in_as_administrator()
    boss.page.goto(site.url("overview", project))
    expect(figure(boss.page, "judged")).to_contain_text("3")


def test_it_is_accessible(inspected, visit, site, project):
    jana = visit()
    jana.judge(project)
    judge_one(jana)
    inspected.visitor.sign_in_as_administrator()
    inspected.page.goto(site.url("overview", project))
    inspected.look("overview")
