"""The pages of media: the file itself, the list of administrators, the sheet of annotators."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.judging.sheet import sheet
from annotation.models import Assignment, Media, MediaPlay, Project, User
from annotation.projects.media import delete_files
from tests.annotation.judging.open_sentence import submit_sentence
from tests.crowd.coming import come, make_link
from tests.factories import assign_next, make_annotator, make_project
from tests.media_files import mp3, png, wav, webm, with_media

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> Iterator[None]:
    """The folders of files, where nothing but media may be left after the test."""
    settings.MEDIA_ROOT = tmp_path
    yield
    assert list(tmp_path.glob("uploads/*")) == []
    assert list(tmp_path.glob("incoming/*")) == []


@pytest.fixture
def project() -> Project:
    return make_project(sentences=2, queue_order="document")


@pytest.fixture
def boss(client: Client, project: Project) -> User:
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


@pytest.fixture
def jana(client: Client, project: Project) -> User:
    jana = make_annotator(project)
    client.force_login(jana)
    return jana


def post(client: Client, project: Project, *files: tuple[str, bytes], table: str = "") -> Any:
    given: dict[str, Any] = {"file": [SimpleUploadedFile(*file) for file in files]}
    if table:
        given["table"] = SimpleUploadedFile("lines.tsv", table.encode())
    return client.post(reverse("project-media", args=[project.pk]), given)


def zipped(**files: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return written.getvalue()


def names() -> list[tuple[int, str, str]]:
    return list(Media.objects.order_by("line", "name").values_list("line", "name", "media_type"))


# --- adding and removing -----------------------------------------------------------------------


def test_several_files_are_added_at_once(client: Client, project: Project, boss: User) -> None:
    answer = post(client, project, ("1.mp4", webm()), ("2.png", png()))
    assert answer.status_code == 302
    assert names() == [(1, "1.mp4", "video/webm"), (2, "2.png", "image/png")]


def test_a_zip_and_a_table_are_read(client: Client, project: Project, boss: User) -> None:
    files = zipped(**{"x/street.png": png(), "x/says.mp3": mp3(), "__MACOSX/x/._street.png": b"m"})
    table = "2\tstreet.png\n1\tsays.mp3\n"
    assert post(client, project, ("all.zip", files), table=table).status_code == 302
    assert names() == [(1, "says.mp3", "audio/mpeg"), (2, "street.png", "image/png")]


@pytest.mark.parametrize(
    ("files", "table", "named"),
    [
        ([("1.png", b"<svg/>")], "", "1.png"),
        ([("1.png", png()), ("2.html", b"<html>")], "", "2.html"),
        ([("3.png", png())], "", "3.png"),
        ([("all.zip", zipped(**{"1.png": png(), "2.svg": b"<svg/>"}))], "", "2.svg"),
        ([("all.zip", zipped(**{"1.png": png()})[:-30])], "", "all.zip"),
        ([("1.png", png())], "no table", "lines.tsv"),
    ],
)
def test_a_refusal_names_the_file_and_stores_nothing(
    client: Client, project: Project, boss: User, files: Any, table: str, named: str
) -> None:
    answer = post(client, project, *files, table=table)
    assert answer.status_code == 400
    assert named in answer.context["problems"][0]["words"]
    assert not Media.objects.exists()


def test_an_upload_without_a_file_is_refused(client: Client, project: Project, boss: User) -> None:
    assert post(client, project).status_code == 400


def test_an_upload_above_the_limit_is_refused(
    client: Client, project: Project, boss: User, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 100
    assert post(client, project, ("1.wav", wav())).status_code == 413
    assert not Media.objects.exists()


def test_a_medium_is_removed_once_that_is_confirmed(
    client: Client, project: Project, boss: User
) -> None:
    (row,) = with_media(project, _1_png=png())
    address = reverse("remove-medium", args=[project.pk, row.pk])
    assert client.post(address).status_code == 200
    assert Media.objects.exists()
    client.post(address, {"confirmed": "yes"})
    assert not Media.objects.exists()
    assert client.get(reverse("medium", args=[project.pk, row.pk])).status_code == 404


# --- the file ----------------------------------------------------------------------------------


def test_a_member_gets_the_file_and_its_parts(client: Client, project: Project, jana: User) -> None:
    (row,) = with_media(project, _1_wav=wav())
    address = reverse("medium", args=[project.pk, row.pk])
    answer = client.get(address)
    assert b"".join(answer) == wav()
    assert answer.headers["Content-Type"] == "audio/wav"
    assert "media-src 'self'" in answer.headers["Content-Security-Policy"]
    part = client.get(address, headers={"range": "bytes=0-3"})
    assert (part.status_code, b"".join(part)) == (206, b"RIFF")


def test_a_file_that_is_gone_is_not_found(client: Client, project: Project, jana: User) -> None:
    (row,) = with_media(project, _1_wav=wav())
    delete_files(row.project_id)
    assert client.get(reverse("medium", args=[project.pk, row.pk])).status_code == 404


def test_a_participant_of_a_start_link_gets_the_file(client: Client, project: Project) -> None:
    (row,) = with_media(project, _1_png=png())
    (foreign,) = with_media(make_project("others"), _1_png=png())
    come(make_link(project), client=client)
    answer = client.get(reverse("medium", args=[project.pk, row.pk]))
    assert b"".join(answer) == png()
    other = client.get(reverse("medium", args=[foreign.project_id, foreign.pk]))
    assert other.status_code in (302, 404)


# --- the sheet ---------------------------------------------------------------------------------


def test_a_sheet_shows_media_without_their_names(
    client: Client, project: Project, jana: User
) -> None:
    picture, sound = with_media(project, _1_png=png(), _1_wav=wav())
    page = client.get(reverse("judge", args=[project.pk])).content.decode()
    for row in (picture, sound):
        assert f"/projects/{project.pk}/media/{row.pk}/" in page
        assert row.name not in page
    assert f'data-medium="{sound.pk}"' in page
    assert "autoplay" not in page
    assert "annotation/judging/media" in page


def test_a_page_of_a_project_without_media_loads_nothing_for_them(
    client: Client, project: Project, jana: User
) -> None:
    page = client.get(reverse("judge", args=[project.pk])).content.decode()
    assert "annotation/judging/media" not in page


def test_media_cost_one_query_a_page(client: Client, project: Project, jana: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("judge", args=[project.pk]))
        return len(captured)

    queries()
    before = queries()
    with_media(project, _1_png=png(), _1_wav=wav(), _2_png=png())
    assert queries() == before + 1


def test_what_was_played_is_saved_with_the_draft_and_stored_with_the_judgement(
    client: Client, project: Project, jana: User
) -> None:
    (sound,) = with_media(project, _1_wav=wav())
    given = assign_next(jana, project)
    address = f"/api/projects/{project.pk}/assignments/{given.pk}/"
    played = {str(sound.pk): [3.5, 1]}
    draft = {"base": 0, "choices": {"1-1": 1}, "media": played}
    assert client.put(f"{address}draft/", draft, "application/json").status_code == 200
    page = client.get(reverse("judge", args=[project.pk]))
    assert page.context["played"] == f'{{"{sound.pk}": [3.5, 1]}}'
    shown = sheet(Assignment.objects.get(pk=given.pk))
    cards = [card.key for segment in shown.segments for card in segment.cards]
    body = {"token": shown.token, "choices": dict.fromkeys(cards, 1), "media": played}
    assert client.post(f"{address}submission/", body, "application/json").status_code == 201
    assert MediaPlay.objects.values_list("name", "seconds", "plays").get() == ("1.wav", 3.5, 1)


@pytest.mark.parametrize("media", [{"x": [1, 1]}, {"1": [-1, 1]}, {"1": [1]}, {"0": [1, 1]}, [1]])
def test_it_refuses_seconds_that_no_page_counts(
    client: Client, project: Project, jana: User, media: Any
) -> None:
    given = assign_next(jana, project)
    address = f"/api/projects/{project.pk}/assignments/{given.pk}/draft/"
    body = {"base": 0, "choices": {}, "media": media}
    assert client.put(address, body, "application/json").status_code == 400


def test_the_page_of_a_sentence_shows_media_with_their_names(
    client: Client, project: Project, boss: User
) -> None:
    (row,) = with_media(project, _1_png=png())
    page = client.get(reverse("sentence", args=[project.pk, 1])).content.decode()
    assert f"/projects/{project.pk}/media/{row.pk}/" in page
    assert row.name in page


def test_the_page_of_a_sentence_says_how_long_media_were_played(
    client: Client, project: Project, boss: User
) -> None:
    (sound,) = with_media(project, _1_wav=wav())
    address = reverse("sentence", args=[project.pk, 1])
    given = assign_next(make_annotator(project), project)
    submit_sentence(given, media={sound.pk: (2.5, 1)})
    assert client.get(address).context["past"][0].played == 2.5
    assert "data-played" in client.get(address).content.decode()
    MediaPlay.objects.all().delete()
    assert "data-played" not in client.get(address).content.decode()
