"""The page of exports and its files."""

import json

import pytest
from django.urls import reverse

from annotation.import_export.exports import DOWNLOADS
from annotation.models import Project
from tests.annotation.judging.open_sentence import submit_sentence
from tests.annotation.web.manage_page import address, boss, page_of, project
from tests.factories import assign_next, make_annotator

__all__ = ["boss", "project"]
pytestmark = pytest.mark.django_db


def file(client, project, name):
    return client.get(reverse("export", args=[project.pk, name]))


def test_every_file_is_offered_and_streamed(client, project, boss):

    submit_sentence(assign_next(boss, project))
    page = page_of(client, "exports", project)
    for name in DOWNLOADS:
        assert reverse("export", args=[project.pk, name]) in page
        answer = file(client, project, name)
        assert answer.streaming
        assert answer["Content-Disposition"].startswith('attachment; filename="houses.')
        assert b"".join(answer)


def test_ranks_by_segment_are_the_json_of_the_thesis(client, project, boss):

    submit_sentence(assign_next(boss, project))
    exported = json.loads(b"".join(file(client, project, "json")))
    assert [len(ranks) for ranks in exported.values()] == [1] * len(exported)


def test_an_observer_gets_no_archive(client, project, boss):
    client.force_login(make_annotator(project, "observer", "observer"))
    archive = reverse("export", args=[project.pk, "archive"])
    assert archive not in page_of(client, "exports", project)
    assert client.get(archive).status_code == 403


def test_an_unknown_format_and_the_pickle_are_not_found(client, project, boss):
    for name in ("pickle", "docx"):
        assert file(client, project, name).status_code == 404


def test_a_project_that_is_not_prepared_is_refused_on_the_page(client, project, boss):
    Project.objects.update(state="preparing")
    answer = file(client, project, "csv")
    assert answer.headers["Location"] == address("exports", project)
    assert reverse("export", args=[project.pk, "csv"]) not in page_of(client, "exports", project)
