"""Media in archives and exports: names, checksums and what was played, but not the files."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import import_judgements
from annotation.judging.sheet import sheet
from annotation.judging.submission import submit
from annotation.models import Media, MediaPlay, Project
from annotation.projects.media import add_media
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, export
from tests.factories import assign_next, make_annotator, make_project
from tests.media_files import opened, wav, with_media

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "stored"


@pytest.fixture
def project() -> Project:
    """A project with a sound beside its only line, which was played."""
    project = make_project(sentences=1)
    (sound,) = with_media(project, _1_wav=wav())
    assignment = assign_next(make_annotator(project), project)
    page = sheet(assignment)
    submit(
        annotator=assignment.annotator,
        project=project,
        assignment_id=assignment.pk,
        token=page.token,
        choices={card.key: 1 for segment in page.segments for card in segment.cards},
        media={sound.pk: (4.5, 2)},
    )
    return project


def played() -> dict[str, Any]:
    return {"name": "1.wav", "sha256": Media.objects.get().sha256, "seconds": 4.5, "plays": 2}


def test_the_archive_names_media_whose_files_are_added_later(
    project: Project, tmp_path: Path
) -> None:
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()
    restored = import_project(path=first)
    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    assert restored.media_count == 0
    row = restored.media.get()
    assert (row.line, row.name, row.is_missing) == (1, "1.wav", True)
    play = MediaPlay.objects.get(submission__assignment__project=restored)
    assert (play.name, play.seconds, play.plays) == ("1.wav", 4.5, 2)
    add_media(project=restored, files=opened({"any.wav": wav()}))
    restored.refresh_from_db()
    assert restored.media_count == 1


@pytest.mark.parametrize("wrong", [{"line": 2}, {"media_type": "image/svg+xml"}, {"size": 0}])
def test_an_archive_with_media_that_cannot_be_is_refused(
    project: Project, tmp_path: Path, wrong: dict[str, Any]
) -> None:
    path = archive_file(project, tmp_path)

    def change(lines: list[Any]) -> None:
        record = next(line for line in lines if line.get("record") == "media")
        record |= wrong

    with pytest.raises(InputError, match=r", line \d+: "):
        import_project(path=edit_archive(path, change), name="again")
    assert not Project.with_hidden.filter(name="again").exists()


def test_csv_and_json_lines_name_what_was_played(project: Project, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode())))
    assert [json.loads(row["media"]) for row in rows] == [[played()]] * len(rows)
    lines = export(project, tmp_path, "judgements").decode().splitlines()
    assert [json.loads(line)["media"] for line in lines] == [[played()]] * len(lines)


def test_imported_judgements_have_what_was_played_once(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "judgements.jsonl"
    path.write_bytes(export(project, tmp_path, "judgements"))
    other = make_project("others", sentences=1)
    assert import_judgements(project=other, path=path).judgements == 2
    play = MediaPlay.objects.get(submission__assignment__project=other)
    assert (play.name, play.seconds, play.plays) == ("1.wav", 4.5, 2)
