"""The page of a project's webhooks: on any screen, without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import assert_nothing_sticks_out

pytestmark = pytest.mark.browser
ADDRESS = "https://hooks.example/" + "a-long-address/" * 8
REMOVE = "__import__('webhooks.models').models.Webhook.objects.all().delete()[0]"


@pytest.fixture(autouse=True)
def _none_is_left(site):
    yield
    site.installation.query(REMOVE)


def add(page):
    page.locator("#id_address").fill(ADDRESS)
    for box in page.locator("form:has(#id_address) [name=events]").all():
        box.check()
    page.locator("form:has(#id_address) .button-main").click()


@pytest.mark.parametrize("width", [360, 1920])
def test_it_works_without_scripts_on_any_screen(visit, site, width):
    window = visit(viewport={"width": width, "height": 800}, java_script_enabled=False)
    page = window.page
    page.goto(f"{site.address}/sign-in/")
    window.sign_in("administrator")
    page.goto(f"{site.address}/projects/{site.project}/manage/")
    page.get_by_role("link", name="Webhooks").click()
    add(page)
    page.get_by_role("button", name="Send a test").click()
    expect(page.locator(".deliveries tbody tr")).to_have_count(1)
    for summary in page.locator("summary").all():
        summary.click()
    assert_nothing_sticks_out(page)
    page.get_by_role("button", name="Remove the webhook").click()
    expect(page.locator(".webhook")).to_have_count(0)
