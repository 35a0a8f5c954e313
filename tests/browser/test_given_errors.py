"""Errors that were marked before, on the sheet with which an annotator begins."""

from playwright.sync_api import expect

from annotation.kinds import KINDS
from tests.browser.judging_page import expect_state
from tests.browser.test_error_spans import detail
from tests.browser.test_kinds import make

GIVE = """
from annotation.models import Candidate, Project
from annotation.projects.given_errors import store_given_errors
texts = Candidate.objects.filter(segment__sentence__project={project})
store_given_errors(
    project=Project.objects.get(pk={project}),
    name="a metric",
    by="program",
    details=dict.fromkeys(texts.values_list("pk", flat=True), "0-1 minor"),
)
"""


def test_given_errors_are_changed_as_ones_own(inspected, site):
    project = make(site, KINDS["error_spans"])
    site.installation.execute(GIVE.format(project=project))
    jana = inspected.visitor
    jana.judge(project)
    page = jana.page
    card = page.locator(".candidate").first.get_attribute("data-card")
    assert card
    assert detail(page, card) == "0-1 minor"
    expect(page.locator(f'[data-marking="{card}"] mark.error-minor')).to_have_count(1)
    # Nothing is saved before the annotator changes something.
    expect(page.locator("#sheet")).to_have_attribute("data-version", "0")
    inspected.look("sheet with errors marked before")
    page.locator(f'[data-card="{card}"] .remove-error').click()
    assert detail(page, card) == ""
    expect_state(page, "saved")
    page.reload()
    assert detail(page, card) == ""
    expect(page.locator("[data-marked-before]")).to_be_visible()
