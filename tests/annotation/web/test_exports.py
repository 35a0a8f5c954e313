"""The page of exports and its files."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotation.import_export.export_formats import DOWNLOADS
from annotation.kinds import KINDS, kind_of
from annotation.kinds.answers import OwnSteps
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
    ranked = [one.name for one in DOWNLOADS.values() if one.has_kind(kind_of(project))]
    assert len(ranked) > 5
    for name in ranked:
        assert reverse("export", args=[project.pk, name]) in page
        answer = file(client, project, name)
        assert answer.streaming
        assert answer["Content-Disposition"].startswith(
            f'attachment; filename="houses-{project.pk}.'
        )
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


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_the_page_offers_the_formats_of_the_kind(client, project, boss, kind):
    Project.objects.update(
        kind=kind.name, answer_options="Good\nBad" if isinstance(kind.answer, OwnSteps) else ""
    )
    page = page_of(client, "exports", project)
    offered = [name for name in DOWNLOADS if reverse("export", args=[project.pk, name]) in page]
    assert offered == [one.name for one in DOWNLOADS.values() if one.has_kind(kind)]
    assert {*kind.exports} <= {*offered}


def test_a_format_of_other_kinds_is_refused_on_the_page(client, project, boss):
    answer = file(client, project, "da")
    assert answer.headers["Location"] == address("exports", project)


def test_a_test_set_needs_whole_translations(client, project, boss):
    address_of_set = reverse("metrics-eval-set", args=[project.pk])
    assert client.get(address_of_set).headers["Location"] == address("exports", project)
    for sentence in project.sentences.all():
        for system in project.systems.all():
            sentence.translations.create(system=system, text="dům")
    packed = zipfile.ZipFile(io.BytesIO(client.get(address_of_set).content))
    assert "houses/human-scores/en-cs.segranks.seg.score" in packed.namelist()
