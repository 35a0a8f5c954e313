"""The documents of a project, published by a link."""

import pytest
from playwright.sync_api import expect

from tests.judged_project import add_judged_project

# Two annotators mark errors in all translations of a paused project.
MARK = """
from annotation.models import *
from django.utils import timezone
from secrets import token_hex
project, now = Project.objects.get(pk={project}), timezone.now()
Project.objects.filter(pk={project}).update(kind="error_spans", state="closed")
project.sentences.update(document="news/1")
for slot in (1, 2):
    user = User.objects.create(username="marker-" + token_hex(4))
    Membership.objects.create(project=project, user=user, role="annotator")
    for sentence in project.sentences.filter(purpose="judge"):
        given = Assignment.objects.create(
            project=project, sentence=sentence, annotator=user, kind="first", slot=slot,
            state="submitted", created=now, submitted=now)
        submission = Submission.objects.create(assignment=given, created=now)
        for segment in sentence.segments.all():
            judgement = Judgement.objects.create(
                submission=submission, segment=segment, created=now)
            for candidate in segment.candidates.all():
                placement = Placement.objects.create(
                    judgement=judgement, candidate=candidate, rank=20 * slot, ranks_offered=101)
                for side, start, severity in (
                    ("target", slot, "minor"), ("target", 3, "major"), ("source", 0, "neutral"),
                    ("missing", None, "major")):
                    ErrorSpan.objects.create(
                        placement=placement, side=side, start=start, severity=severity,
                        end=None if start is None else start + 3, category="accuracy/omission")
"""


@pytest.fixture(scope="module")
def marked(site):
    project = site.add_project("Marked", [4], sentences=3)
    site.installation.execute(MARK.format(project=project))
    return project


@pytest.fixture(scope="module")
def ranked(site, tmp_path_factory):
    project = add_judged_project(site.installation, tmp_path_factory.mktemp("judged"))
    site.installation.query(f"Project.objects.filter(pk={project}).update(state='closed')")
    return project


def publish(visit, site, project, pages):
    """Create a link on the page for it, and return it."""
    boss = visit()
    boss.sign_in("administrator", project)
    boss.page.goto(site.url("report/sharing", project))
    boss.page.locator("select[name=pages]").select_option(pages)
    boss.page.locator("form.settings [type=submit]").click()
    return boss.page.locator("#fresh-link").input_value()


def test_readers_compare_the_systems_that_they_choose_without_javascript(visit, site, marked):
    link = publish(visit, site, marked, "unnamed")
    page = visit(java_script_enabled=False).page
    page.goto(link)
    page.locator("tbody tr a").first.click()
    expect(page.locator(".line").first.locator(".column")).to_have_count(3)
    page.locator("input[name=system]").nth(1).uncheck()
    page.locator(".choose [type=submit]").click()
    columns = page.locator(".line").first.locator(".column")
    expect(columns).to_have_count(2)
    first, second = (column.bounding_box() for column in columns.all())
    assert first["y"] == pytest.approx(second["y"], abs=2)
    assert first["x"] < second["x"]
    assert not page.context.cookies()


def test_published_pages_are_accessible(inspected, visit, site, marked, ranked):
    page = inspected.page
    for project in (marked, ranked):
        link = publish(visit, site, project, "documents")
        page.goto(link)
        inspected.look("list of documents")
        page.locator("tbody tr a").first.click()
        inspected.look("a document")
        page.goto(f"{link}documents/?q=house")
        inspected.look("lines that are found")


def test_the_documents_of_members_are_accessible(inspected, site, ranked):
    boss, page = inspected.visitor, inspected.page
    boss.sign_in("administrator", ranked)
    for at in ("documents", "documents/1", "report/sharing"):
        page.goto(site.url(at, ranked))
        inspected.look(at)
