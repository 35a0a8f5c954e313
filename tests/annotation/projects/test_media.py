"""Media beside the lines of a source: what is stored, refused, shown, copied and deleted."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.common import stored_files
from annotation.formats.errors import InputError
from annotation.formats.media_files import MOST_OF_LINE
from annotation.formats.problems import InputErrors
from annotation.models import Media, Project, Sentence, StoredFile
from annotation.models.stored_files import DatabaseStorage
from annotation.projects import media
from annotation.projects.deletion import continue_deletion, delete_project, request_deletion
from annotation.projects.media import (
    add_media,
    delete_files,
    file_of,
    remove_medium,
    remove_unused_files,
    shown_media,
    sizes_of,
)
from annotation.projects.sentence_copies import copy_sentence
from segranks.service_options import file_storage
from tests.factories import make_project
from tests.media_files import opened, png, wav, with_media

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
DAY = timedelta(days=1)


@pytest.fixture(autouse=True, params=["postgresql", "sqlite3"])
def _storage(tmp_path: Path, settings: Any, request: pytest.FixtureRequest) -> None:
    """Files in the database, as with PostgreSQL, and in a folder, as with SQLite."""
    settings.MEDIA_ROOT = tmp_path
    engine = {"ENGINE": f"django.db.backends.{request.param}"}
    settings.STORAGES = settings.STORAGES | {"default": file_storage(engine, None)}


@pytest.fixture
def project() -> Project:
    return make_project()


def files(pk: int) -> set[str]:
    """Return the names of the files of a project (id), which are their checksums."""
    return {Path(name).name for name in stored_files.files_in(f"media/{pk}")}


def test_a_file_is_beside_the_line_that_its_name_begins_with(project: Project) -> None:
    (row,) = with_media(project, _2_png=png())
    project.refresh_from_db()
    assert (row.line, row.name, row.media_type, project.media_count) == (2, "2.png", "image/png", 1)
    assert file_of(row).read() == png()
    assert files(project.pk) == {row.sha256}
    assert not list(stored_files.incoming().iterdir())


def test_a_table_puts_a_file_beside_several_lines(project: Project) -> None:
    table = {"film.wav": [1, 3], "a.png": [1]}
    given = {"film.wav": wav(), "a.png": png()}
    add_media(project=project, files=opened(given), table=table)
    assert set(Media.objects.values_list("line", "name")) == {
        (1, "film.wav"),
        (3, "film.wav"),
        (1, "a.png"),
    }


def test_a_file_of_the_same_name_replaces_that_of_its_line(project: Project) -> None:
    (before,) = with_media(project, _1_png=png())
    (after,) = with_media(project, _1_png=wav())
    assert (after.pk, after.media_type) == (before.pk, "audio/wav")
    project.refresh_from_db()
    assert project.media_count == 1


@pytest.mark.parametrize(
    ("given", "table"),
    [
        ({"street.png": png()}, None),
        ({"9.png": png()}, None),
        ({"1.svg": b"<svg/>"}, None),
        ({"1.png": b""}, None),
        ({"a.png": png()}, {"b.png": [1]}),
        ({"a.png": png()}, {"a.png": [1], "b.png": [2]}),
        ({f"1-{number}.png": png() for number in range(MOST_OF_LINE + 1)}, None),
        ({"1.png": png(), "2.png": b"no picture"}, None),
        ({f"1{'x' * 200}.png": png()}, None),
        ({}, None),
    ],
)
def test_nothing_is_stored_of_files_with_one_that_is_refused(
    project: Project, given: dict[str, bytes], table: dict[str, list[int]] | None
) -> None:
    with pytest.raises(InputError):
        add_media(project=project, files=opened(given), table=table)
    assert not Media.objects.exists()
    project.refresh_from_db()
    assert project.media_count == 0


def test_all_problems_of_files_are_named_at_once(project: Project) -> None:
    given = {"street.png": png(), "1.svg": b"<svg/>", "9.png": png(), "2.png": png()}
    with pytest.raises(InputErrors) as raised:
        add_media(project=project, files=opened(given))
    named = sorted(error.place[0] for error in raised.value.errors)
    assert named == ["1.svg", "9.png", "street.png"]


def test_it_refuses_a_file_and_a_project_above_the_limits(project: Project, settings: Any) -> None:
    settings.MAX_MEDIUM_BYTES = len(wav()) - 1
    with pytest.raises(InputError, match=r"1\.wav"):
        with_media(project, _1_wav=wav())
    settings.MAX_MEDIUM_BYTES = settings.MAX_MEDIA_BYTES = len(wav()) + 1
    with_media(project, _1_wav=wav())
    with pytest.raises(InputError, match=r"2\.png"):
        with_media(project, _2_png=png())
    assert sizes_of(project).bytes == len(wav())


def test_a_file_beside_several_lines_counts_once(project: Project) -> None:
    add_media(project=project, files=opened({"film.wav": wav()}), table={"film.wav": [1, 2, 3]})
    assert sizes_of(project).bytes == len(wav())


def test_it_refuses_a_kind_whose_annotators_do_not_see_the_source() -> None:
    project = make_project(kind="direct_assessment")
    with pytest.raises(InputError):
        with_media(project, _1_png=png())


def test_the_table_refuses_what_no_medium_is(project: Project) -> None:
    (row,) = with_media(project, _1_png=png())
    for wrong in ({"line": 0}, {"media_type": "image/svg+xml"}, {"sha256": "0"}, {"size": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Media.objects.filter(pk=row.pk).update(**wrong)


# --- what is shown -----------------------------------------------------------------------------


def test_copies_and_further_translations_have_the_media_of_their_line(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first, second, _third = project.sentences.order_by("number")
    further = Sentence.objects.create(
        project=project, number=4, source_line=1, text=first.text, tokens=first.tokens
    )
    practice = copy_sentence(first, Sentence.Purpose.PRACTICE).sentence
    control = copy_sentence(further, Sentence.Purpose.CONTROL).sentence
    picture, sound = with_media(project, _1_png=png(), _1_wav=wav())
    other = make_project("others")
    with_media(other, _1_png=png(), _2_png=png())
    with django_assert_num_queries(1):
        shown = shown_media(project, [first.pk, second.pk, further.pk, practice.pk, control.pk])
    expected = [picture.pk, sound.pk]
    of_line = (first.pk, further.pk, practice.pk, control.pk)
    found = {pk: [one.pk for one in of_row] for pk, of_row in shown.items()}
    assert found == dict.fromkeys(of_line, expected)


def test_a_project_without_media_costs_no_query(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert shown_media(project, [1, 2]) == {}


# --- removing, copying, deleting ---------------------------------------------------------------


def test_a_removed_medium_is_gone_at_once_and_its_file_a_day_later(project: Project) -> None:
    (row, _other) = with_media(project, _1_png=png(), _2_wav=wav())
    assert remove_medium(project=project, pk=row.pk)
    assert remove_medium(project=project, pk=row.pk) is None
    project.refresh_from_db()
    assert project.media_count == 1
    remove_unused_files()
    assert row.sha256 in files(project.pk)
    age()
    remove_unused_files()
    assert files(project.pk) == set(Media.objects.values_list("sha256", flat=True))


def test_what_a_killed_process_and_deleted_projects_left_is_removed(
    project: Project, tmp_path: Path
) -> None:
    (row,) = with_media(project, _1_png=png())
    gone = project.pk + 1000
    for name in (f"media/{project.pk}/0", f"media/{gone}/0", "media/notes/0"):
        given = tmp_path / "given"
        given.write_bytes(b"part")
        stored_files.keep(given, name)
    remove_unused_files()
    assert files(gone) == {"0"}
    age()
    remove_unused_files()
    assert files(project.pk) == {row.sha256}
    assert sorted(stored_files.folders_in("media")) == [str(project.pk), "notes"]


def test_a_file_that_is_added_again_is_in_use(project: Project) -> None:
    (row,) = with_media(project, _1_png=png())
    remove_medium(project=project, pk=row.pk)
    age()
    with_media(project, _2_png=png())
    Media.objects.all().delete()
    remove_unused_files()
    assert files(project.pk) == {row.sha256}


def test_a_deletion_deletes_the_files(project: Project) -> None:
    with_media(project, _1_png=png())
    delete_project(project)
    assert not files(project.pk)
    assert not Media.objects.exists()


def test_a_deletion_that_was_killed_after_the_files_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_media(project, _1_png=png())
    request_deletion(project)
    delete = media.delete_files

    def killed(pk: int, most: int) -> None:
        delete(pk, most=most)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("annotation.projects.deletion.delete_files", killed)
        with pytest.raises(KeyboardInterrupt):
            continue_deletion(project.pk)
    assert Project.with_hidden.filter(pk=project.pk).exists()
    continue_deletion(project.pk)
    assert not Project.with_hidden.filter(pk=project.pk).exists()
    assert not files(project.pk)


def test_files_in_the_database_are_deleted_by_pages(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not isinstance(default_storage, DatabaseStorage):
        pytest.skip("a folder is deleted at once")
    monkeypatch.setattr("annotation.projects.deletion.FILES_PER_PAGE", 1)
    with_media(project, _1_png=png(), _2_wav=wav())
    request_deletion(project)
    left, leases = [], set()

    def look() -> bool:
        left.append(len(files(project.pk)))
        leases.add(Project.with_hidden.get().delete_after)
        return False

    continue_deletion(project.pk, look)
    assert left == [2, 1, 0]
    # It was renewed each time.
    assert len(leases) == 3
    assert not Project.with_hidden.exists()


def test_a_copy_has_files_of_its_own(project: Project) -> None:
    (row,) = with_media(project, _1_png=png())
    made = make_project("copy")
    for _again in range(2):
        with transaction.atomic():
            media.copy_media(project, made)
    made.refresh_from_db()
    copied = made.media.get()
    assert (copied.line, copied.name, copied.sha256) == (1, "1.png", row.sha256)
    assert (made.media_count, copied.is_missing) == (1, False)
    delete_project(project)
    assert file_of(copied).read() == png()


def test_a_copy_says_that_a_file_is_missing(project: Project) -> None:
    with_media(project, _1_png=png())
    delete_files(project.pk)
    made = make_project("copy")
    with transaction.atomic():
        media.copy_media(project, made)
    made.refresh_from_db()
    assert made.media_count == 0
    assert made.media.get().is_missing


# --- files that an archive names ---------------------------------------------------------------


@pytest.fixture
def named(project: Project) -> Media:
    """A medium of lines 1 and 2 that an archive names, and whose file is not here."""
    rows = with_media(project, _1_png=png())
    row = rows[0]
    Media.objects.filter(pk=row.pk).update(is_missing=True, name="street.png")
    Media.objects.create(
        project=project,
        line=2,
        name="street.png",
        media_type="image/png",
        size=row.size,
        sha256=row.sha256,
        is_missing=True,
    )
    Project.objects.filter(pk=project.pk).update(media_count=0)
    delete_files(project.pk)
    project.refresh_from_db()
    return row


def test_a_file_that_the_archive_names_is_known_by_its_content(
    project: Project, named: Media
) -> None:
    assert sizes_of(project).missing == 2
    add_media(project=project, files=opened({"any name.png": png()}))
    assert set(Media.objects.values_list("line", "name", "is_missing")) == {
        (1, "street.png", False),
        (2, "street.png", False),
    }
    assert project.media_count == 2


def test_it_refuses_another_content_under_a_name_of_the_archive(
    project: Project, named: Media
) -> None:
    with pytest.raises(InputError, match=named.sha256):
        add_media(project=project, files=opened({"street.png": wav()}), table={"street.png": [1]})
    assert project.media.filter(is_missing=True).count() == 2


def age() -> None:
    """Let all stored files be two days old."""
    before = timezone.now() - 2 * DAY
    StoredFile.objects.update(modified=before)
    for path in stored_files.own_folder(stored_files.MEDIA).rglob("*"):
        os.utime(path, (before.timestamp(), before.timestamp()))
