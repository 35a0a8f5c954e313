"""A person of a crowd judges what he was asked for, and gets back to his platform."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site, Visitor
from tests.browser.judging_page import excuse, place_by_click, plan, submit

pytestmark = pytest.mark.browser
BACK = "https://app.prolific.com/submissions/complete?cc=C1"


def make_link(boss: Visitor, site: Site) -> str:
    """Make a start link without a code, as its page says it is done; return its address."""
    page = boss.page
    boss.sign_in("administrator")
    page.goto(f"{site.address}/projects/{site.project}/crowd/new/")
    page.locator("#id_platform").fill(f"Platform of {boss.name}")
    page.locator("#id_sentences").fill("1")
    page.locator("#id_address").fill(BACK)
    page.locator(".link-form .button-main").click()
    field = page.locator(".start-link", has_text=f"Platform of {boss.name}").locator("input")
    return field.input_value().split("?")[0] + f"?PROLIFIC_PID=person-of-{boss.name}"


def with_platform(visitor: Visitor) -> Visitor:
    """Let there be a platform, which the browser of nobody else may reach."""
    visitor.context.route(
        "https://app.prolific.com/**", lambda route: route.fulfill(body="Submitted at Prolific")
    )
    return visitor


def test_the_way_ends_at_the_platform(site: Site, visit: Callable[..., Visitor]) -> None:
    """Forms may lead to no other site, and each redirect after one counts as its own."""
    start = make_link(visit(), site)
    worker = with_platform(visit())
    worker.page.goto(start)
    worker.page.locator("form.agree button").click()
    place_by_click(worker.page, plan(worker.page))
    submit(worker.page)
    expect(worker.page.locator("body")).to_have_text("Submitted at Prolific")
    assert worker.page.url == BACK
    # And again, straight from the form of the first page, and where no script runs.
    without_script = with_platform(visit(java_script_enabled=False))
    for again in (worker, without_script):
        again.page.goto(start)
        again.page.locator("form.agree button").click()
        if again is without_script:
            again.page.locator(".done .button-main").click()
        expect(again.page.locator("body")).to_have_text("Submitted at Prolific")
        assert again.page.url == BACK
    for visitor in (worker, without_script):
        excuse(visitor, "another host was asked: https://app.prolific.com/")
