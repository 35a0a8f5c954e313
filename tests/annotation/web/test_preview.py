"""The preview of a new project, and the project that is made of what was sent."""

import re

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.urls import reverse

from annotation.models import Job, Membership, Project, Segment, Sentence, Upload
from tests.annotation.uploads import upload_files as files
from tests.annotation.web.new_project_page import (
    boss,
    fill_in,
    page_of,
    pages_of,
    prepare,
    send,
    uploads,
)
from tests.factories import make_project
from tests.jobs import run_job

# Fixtures, which are used by their names.
__all__ = ["boss", "uploads"]

# Previews are made of files; making projects is tried on every database elsewhere.
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_the_preview_shows_what_annotators_will_see(client, boss):
    upload = send(client)
    assert fill_in(client, upload).headers["Location"] == pages_of(upload)[1]
    page = page_of(client, upload, "new-project-sentences", min_length=2, max_length=4)
    assert "The old house stands near the river." in page
    assert 'class="segment"' in page
    assert 'class="candidate"' in page
    assert "which aligns the project too." in page
    # Nothing tells a system's name.
    assert "north" not in page


def test_other_lengths_give_other_segments(client, boss):
    upload = send(client, files.TEXTS | {"t.txt": files.TREES})
    fill_in(client, upload)

    def marked(shortest, longest):
        lengths = {"min_length": shortest, "max_length": longest}
        page = page_of(client, upload, "new-project-sentences", **lengths)
        return re.findall("<mark>(.*?)</mark>", page)

    assert marked(3, 6) == [
        "The old house",
        "stands near the river",
        "has seen the garden for years",
    ]
    assert marked(2, 3) == ["The old house", "near the river", "the garden", "for years"]
    assert marked(10, 15) == []


@pytest.mark.parametrize("lengths", [(0, 6), (3, 16), (6, 3), ("x", 6)])
def test_impossible_lengths_are_refused(client, boss, lengths):
    upload = send(client)
    fill_in(client, upload)
    query = dict(zip(("min_length", "max_length"), lengths, strict=True))
    address = reverse("new-project-sentences", args=[upload.token])
    assert client.get(address, query).status_code == 400
    assert prepare(client, upload, **query).status_code == 400
    assert not Project.objects.exists()


def test_without_a_script_the_page_has_the_sentences(client, boss):
    upload = send(client)
    fill_in(client, upload)
    assert "http-equiv" in page_of(client, upload, "new-project-preview")
    assert 'class="segment"' in page_of(client, upload, "new-project-preview", all="")


def test_a_parser_that_cannot_be_used_is_said(client, boss):
    upload = send(client)
    fill_in(client, upload, parser="stanza", source_language="xx")
    page = page_of(client, upload, "new-project-sentences", min_length=3, max_length=6)
    assert "stanza" in page
    assert "choose the parser phrases" in page


def test_the_preview_says_what_aligned_it_and_on_how_much(client, boss):
    upload = send(client, {name: text * 1000 for name, text in files.TEXTS.items()})
    fill_in(client, upload, aligner="systran", parser="phrases")
    page = page_of(client, upload, "new-project-sentences", min_length=2, max_length=4)
    assert "Words were aligned by systran" in page
    assert "learned in one run from 1500 sentences, there it learns from all" in page


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Stanza has no constituency model"), ("cs", "Stanza nemá na disku")],
)
def test_what_the_preview_lacks_is_said_in_the_language_of_the_page(client, boss, language, words):
    upload = send(client)
    fill_in(client, upload, parser="stanza", source_language="xx")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = page_of(client, upload, "new-project-sentences", min_length=3, max_length=6)
    assert words in page


# --- the project ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({}, {"parser": "auto", "aligner": "auto"}),
        ({"t.txt": files.TREES}, {"parser": "brackets", "aligner": "auto"}),
        ({"t.conllu": files.CONLLU}, {"parser": "conllu", "aligner": "auto"}),
        ({"s.segments": files.GIVEN}, {"parser": "given", "coverage": "algorithm1"}),
        (
            {"links/north.txt": files.LINKS, "links/south.txt": files.LINKS},
            {"parser": "auto", "aligner": "pharaoh"},
        ),
    ],
    ids=["texts", "trees", "conllu", "segments", "links"],
)
def test_it_becomes_a_project_that_can_be_prepared(client, boss, uploads, more, options):
    upload = send(client, files.TEXTS | more)
    fill_in(client, upload, description="Many houses.")
    answer = prepare(client, upload, min_length=2, max_length=4)
    project = Project.objects.get()
    assert answer.headers["Location"] == reverse("preparing", args=[project.pk])
    assert (project.name, project.description) == ("Houses", "Many houses.")
    # Segments that came as a file have the lengths that they have.
    lengths = (3, 6) if "s.segments" in more else (2, 4)
    assert (project.min_length, project.max_length) == lengths
    assert project.memberships.get().role == Membership.Role.OWNER
    assert {key: project.job.options[key] for key in options} == options
    # What files were called is kept, and not what we called them.
    assert {file["name"] for file in project.provenance["files"].values()} == set(
        files.TEXTS | more
    )
    run_job(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == ("open", "")
    assert project.provenance["counts"]["candidates"] > 0


@pytest.mark.django_db(transaction=True)
def test_the_upload_is_gone_once_there_is_a_project(client, boss, uploads):
    upload = send(client)
    fill_in(client, upload)
    prepare(client, upload)
    assert Project.objects.exists()
    assert not Upload.objects.exists()
    assert not list(uploads.iterdir())
    Job.objects.all().delete()


def test_a_project_can_be_left_closed(client, boss):
    upload = send(client)
    fill_in(client, upload)
    address = reverse("new-project-preview", args=[upload.token])
    client.post(address, {"min_length": 3, "max_length": 6, "prepare": ""})
    run_job(Job.objects.get().pk)
    assert Project.objects.get().state == Project.State.CLOSED


def test_ready_made_segments_become_an_open_project(client, boss):
    upload = send(client, {"segments.tsv": files.SEGMENTS, "systems.tsv": files.SYSTEMS})
    assert "The files fit together: 2 sentences." in page_of(client, upload)
    fill_in(client, upload)
    page = page_of(client, upload, "new-project-preview", all="")
    assert "<mark>the old</mark>" in page
    assert "ready-made" in page
    assert prepare(client, upload).status_code == 302
    project = Project.objects.get()
    assert project.state == Project.State.OPEN
    assert list(project.systems.values_list("name", flat=True)) == ["north", "south"]
    assert project.provenance["files"]["segments"]["name"] == "segments.tsv"


def test_given_segments_are_the_segments_of_the_project(client, boss):
    upload = send(client, files.TEXTS | {"source.segments": files.GIVEN})
    assert upload.files.get(name="source.segments").role == "given"
    # What is chosen of parsers and coverages has no say then.
    fill_in(client, upload, parser="stanza", coverage="predicates")
    page = page_of(client, upload, "new-project-preview", all="")
    assert re.findall("<mark>(.*?)</mark>", page) == ["old house", "near the river", "the garden"]
    assert "lengths are as they are" in page
    assert 'type="range"' not in page
    assert "Parser:" not in page
    prepare(client, upload)
    project = Project.objects.get()
    run_job(project.job.pk)
    project.refresh_from_db()
    assert (project.state, project.job.error) == ("open", "")
    rows = Segment.objects.order_by("sentence__number", "pk")
    assert [row.text for row in rows] == ["old house", "near the river", "the garden"]
    assert project.provenance["parser"]["version"] == "segments from source.segments"
    manage = client.get(reverse("manage-project", args=[project.pk])).content.decode()
    assert "as they stand in source.segments" in manage


def test_a_name_that_was_taken_meanwhile_is_told(client, boss):
    upload = send(client)
    fill_in(client, upload)
    make_project("Houses", sentences=1)
    answer = prepare(client, upload)
    assert answer.headers["Location"] == pages_of(upload)[0]
    told = " ".join(str(message) for message in get_messages(answer.wsgi_request))
    assert "There is a project 'Houses' already" in told
    assert Sentence.objects.count() == 1
    assert Upload.objects.exists()
