"""The pages about the API: one's tokens, and what the API can do."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import Inspector, inspector, jana
from tests.browser.test_pages import assert_nothing_sticks_out

__all__ = ["inspector", "jana"]
pytestmark = pytest.mark.browser


def test_pages_about_the_api_are_accessible(jana, inspector: Inspector, site):
    page = jana.page
    page.goto(f"{site.address}/sign-in/")
    jana.sign_in("administrator")
    page.goto(f"{site.address}/account/tokens/")
    inspector.look("no tokens")
    page.locator("form.settings .button-main").click()
    inspector.look("nothing filled in")
    page.locator("#id_name").fill("nightly export")
    page.locator("form.settings .button-main").click()
    expect(page.locator(".token")).to_have_text(re.compile(r"^sr_[\w-]{43}$"))
    inspector.look("a new token")
    page.goto(f"{site.address}/api/v1/docs/")
    inspector.look("closed")
    page.locator("#createProject summary").click()
    inspector.look("open")


@pytest.mark.parametrize("width", [360, 1920])
def test_a_token_lets_a_program_in_until_it_is_revoked(visit, site, width):
    window = visit(viewport={"width": width, "height": 800}, java_script_enabled=False)
    page = window.page
    page.goto(f"{site.address}/sign-in/")
    window.sign_in("administrator")
    page.goto(f"{site.address}/account/tokens/")
    page.get_by_label("Name of the token").fill("nightly export")
    page.get_by_role("button", name="Make the token").click()
    word = page.locator(".token").inner_text()

    def asked() -> int:
        # From outside the window, whose session would let it in.
        answer = window.context.browser.new_context().request.get(
            f"{site.address}/api/v1/projects/{site.project}/",
            headers={"Authorization": f"Bearer {word}"},
        )
        return int(answer.status)

    assert asked() == 200
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("status")).to_contain_text("revoked")
    assert asked() == 401
    page.get_by_role("link", name="What the API can do").click()
    for summary in page.locator("details summary").all():
        summary.click()
    # Whatever is open, and without any script.
    assert_nothing_sticks_out(page)
