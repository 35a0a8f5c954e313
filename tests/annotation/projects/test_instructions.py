"""Versions of instructions."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.safestring import SafeString

from annotation.models import Instructions
from annotation.projects.instructions import (
    current_instructions,
    divide,
    html_of,
    write_instructions,
)
from tests.crowd.coming import make_link
from tests.factories import make_annotator, make_project, next_assignment

pytestmark = pytest.mark.django_db


def test_versions_are_kept_and_the_latest_is_current() -> None:
    project = make_project()
    admin = make_annotator(project, "admin", role="administrator")
    assert current_instructions(project) is None
    first = write_instructions(project=project, author=admin, text="Be *kind*.")
    second = write_instructions(project=project, author=admin, text="Be **strict**.")
    assert (first.version, second.version) == (1, 2)
    assert current_instructions(project) == second
    write_instructions(project=project, author=admin, text="  ")
    assert current_instructions(project) is None
    assert Instructions.objects.count() == 3


def test_an_assignment_stores_the_version_that_was_shown() -> None:
    project = make_project()
    admin = make_annotator(project, "admin", role="administrator")
    first = write_instructions(project=project, author=admin, text="Be kind.")
    given = next_assignment(annotator=admin, project=project)
    write_instructions(project=project, author=admin, text="Be strict.")
    assert given
    given.refresh_from_db()
    assert given.instructions == first


def test_a_version_is_rendered_once(client: Client) -> None:
    project = make_project()
    boss = make_annotator(project, "boss", "administrator")
    written = write_instructions(project=project, author=boss, text="Be *kind*.")
    client.force_login(boss)
    pages = [
        reverse("project-instructions", args=[project.pk]),
        reverse("start", args=[make_link(project).token]),
    ]
    html = html_of(written.pk)
    # What would be another version; only a new rendering would show it.
    Instructions.objects.update(text="Be *quick*.")
    assert html_of(written.pk) == html == "<p>Be <em>kind</em>.</p>\n"
    for page in pages:
        shown = client.get(page, {"PROLIFIC_PID": "P-person"}).content.decode()
        assert html in shown
    # Other pages mark it as safe too.
    assert isinstance(html_of(written.pk), SafeString)


def test_a_section_for_documents_is_no_part_of_the_instructions_of_others() -> None:
    divided = divide(
        "Read.\n\n# Documents: news\nBe strict.\n## Names\nKeep them.\n"
        "# Documents: news_sport\nScores!\n# All\nThank you."
    )
    assert divided.general == "Read.\n\n# All\nThank you."
    assert divided.of_document("news_1") == "Be strict.\n## Names\nKeep them."
    assert divided.of_document("news_sport_2") == "Scores!"
    assert divided.of_document("talk") == divided.of_document("") == ""
