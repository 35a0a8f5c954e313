import gzip
import json
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from annotation.import_export.exports import thesis_json
from annotation.import_export.imports import import_judgements
from annotation.models import Assignment, Candidate, Placement, Project, Segment
from tests.annotation.import_export.exchange_files import (
    JUDGEMENT,
    SEGMENT_ROWS,
    export,
    imported_project,
    judge,
    write_lines,
)
from tests.factories import make_annotator, make_project
from tests.installation import REPOSITORY, Installation

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A judgement of imported segments."""
    made = imported_project(tmp_path)
    import_judgements(project=made, path=write_lines(tmp_path / "j", [JUDGEMENT]))
    return made


def test_a_name_with_gz_compresses(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "out.json.gz"

    call_command("export_project", "house", str(path), "--format", "json")
    once = path.read_bytes()
    call_command("export_project", "house", str(path), "--format", "json")

    assert path.read_bytes() == once
    assert json.loads(gzip.decompress(path.read_bytes())) == {
        "7,small cat": [{"malá kočka": 1, "malý kočka": 3, "kočka": 100}]
    }


def test_a_failure_leaves_what_was_there(project: Project, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / "segments.tsv"
    path.write_text("before")
    Candidate.objects.filter(text="kočka").update(text="with\ttab")

    with pytest.raises(CommandError, match="holds a tab or a line break"):
        call_command("export_project", "house", str(path), "--format", "segments")

    assert path.read_text() == "before"
    assert list(folder.iterdir()) == [path]


def test_a_new_file_may_be_read_as_the_umask_says(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "new"
    beside = tmp_path / "beside"
    beside.touch()

    call_command("export_project", "house", str(path), "--format", "json")

    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(beside.stat().st_mode)


def test_a_file_that_cannot_be_written_is_one_sentence(project: Project, tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "file", tmp_path):
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export_project", "house", str(path), "--format", "json")


def test_a_rank_of_a_hundred_is_not_written_as_garbage(tmp_path: Path) -> None:
    project = make_project(segments={"0": [f"c{n}" for n in range(3)]}, sentences=1)
    judge(project, Segment.objects.get(), make_annotator(project))
    Placement.objects.update(rank=100, ranks_offered=120)

    with pytest.raises(CommandError, match="cannot tell from garbage: export as archive or csv"):
        export(project, tmp_path, "json")


def test_a_project_that_is_being_prepared_is_refused(tmp_path: Path) -> None:
    project = make_project()
    Project.objects.update(state="preparing")

    with pytest.raises(CommandError, match="is not prepared"):
        export(project, tmp_path, "archive")


def test_an_unknown_project_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no project 'none'"):
        call_command("export_project", "none", str(tmp_path / "x"), "--format", "json")


def test_who_reads_may_have_enough(tmp_path: Path, installed: Installation) -> None:
    imported = tmp_path / "s"
    imported.write_text("".join(f"{n}\tword\t\tword\tslovo\t0\n" for n in range(1, 20_000)))
    installed.manage("import_segments", "words", str(imported), "--languages", "en-cs")

    run = subprocess.run(
        f"{sys.executable} manage.py export_project words - --format segments | head -1",
        shell=True,
        cwd=REPOSITORY,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout == "1\tword\t\tword\tslovo\t0\n"
    assert run.stderr == ""


@pytest.mark.django_db(transaction=True)
def test_an_export_shows_one_moment_and_nobody_waits_for_it() -> None:
    # More than a page, so that the last is read after the other's submission.
    project = make_project(sentences=250)
    jana = make_annotator(project)
    first, *_others, last = (
        sentence.segments.earliest("pk") for sentence in project.sentences.all()
    )
    judge(project, first, jana)
    export_under_way = thesis_json(project)
    beginning = next(export_under_way)

    def judge_meanwhile() -> None:
        judge(project, last, jana)
        connection.close()

    other = Thread(target=judge_meanwhile)
    other.start()
    other.join()
    text = beginning + "".join(export_under_way)

    assert Assignment.objects.count() == 2
    assert list(json.loads(text)) == ["1,the old house"]
    assert list(json.loads("".join(thesis_json(project)))) == [
        "1,the old house",
        "250,the old house",
    ]


def test_standard_output_holds_nothing_else(tmp_path: Path, installed: Installation) -> None:
    imported = tmp_path / "s"
    imported.write_text("".join("\t".join(row) + "\n" for row in SEGMENT_ROWS))
    installed.manage("import_segments", "house", str(imported), "--languages", "en-cs")

    run = installed.manage("export_project", "house", "-", "--format", "segments")

    assert run.stdout == imported.read_text()
    assert run.stderr == ""
