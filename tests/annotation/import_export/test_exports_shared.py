import csv
import io
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from annotation.import_export.archive_import import import_project
from annotation.import_export.judgements_import import import_judgements
from annotation.models import Project
from annotation.pipeline.ready_made_segments import import_segments
from annotation.projects.deletion import delete_project
from tests.annotation.import_export.exchange_files import export
from tests.conftest import SHARED

FIRST_HALF = Path("data") / "wmt14-en-cs" / "first-half"
pytestmark = [pytest.mark.django_db, pytest.mark.shared, pytest.mark.slow]


@pytest.fixture
def half(shared: Path) -> Path:
    return shared / FIRST_HALF


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Load the data once, outside the transactions of the tests, which change nothing then."""
    half = SHARED / FIRST_HALF
    with django_db_blocker.unblock():
        load(half)
    yield
    with django_db_blocker.unblock():
        delete_project(Project.objects.get())


@pytest.fixture
def project(loaded: None) -> Project:
    return Project.objects.get()


def load(half: Path) -> None:
    call_command(
        "import_segments",
        "first half",
        str(half / "segments.tsv"),
        "--systems",
        str(half / "systems.tsv"),
        "--languages=en-cs",
    )
    call_command("import_judgements", "first half", str(half / "annotations.jsonl"))


def test_segments_and_systems_come_out_byte_for_byte(
    project: Project, half: Path, tmp_path: Path
) -> None:
    assert export(project, tmp_path, "segments") == (half / "segments.tsv").read_bytes()
    assert export(project, tmp_path, "systems") == (half / "systems.tsv").read_bytes()


def test_the_extracted_segments_are_the_thesis_own(
    project: Project, half: Path, tmp_path: Path
) -> None:
    ours = set(export(project, tmp_path, "source-segments").decode().splitlines())
    theirs = set((half / "source.segments").read_text(encoding="utf-8").splitlines())

    # The one that the thesis' import had split in two is in no other file.
    assert theirs - ours == {"203\tneither of them\t7 8 9"}
    assert ours < theirs


def test_the_archive_comes_back_byte_for_byte(project: Project, tmp_path: Path) -> None:
    written = export(project, tmp_path, "archive")
    path = tmp_path / "archive"
    path.write_bytes(written)
    call_command("delete_project", "first half", "--yes")

    restored = import_project(path=path)

    assert export(restored, tmp_path, "archive") == written


def test_the_thesis_json_comes_back_byte_for_byte(
    project: Project, half: Path, tmp_path: Path
) -> None:
    written = export(project, tmp_path, "json")
    path = tmp_path / "thesis.json"
    path.write_bytes(written)
    fresh = import_segments(name="fresh", languages="en-cs", segments=half / "segments.tsv")

    imported = import_judgements(project=fresh, path=path)

    assert imported.judgements == 4239
    assert export(fresh, tmp_path, "json") == written


def test_json_pickle_and_csv_say_what_was_judged(
    project: Project, half: Path, tmp_path: Path
) -> None:
    judged: dict[str, list[dict[str, int]]] = {}
    with (half / "annotations.jsonl").open(encoding="utf-8") as lines:
        for judgement in map(json.loads, lines):
            ranks = {
                text: 100 if rank == "garbage" else rank
                for text, rank in judgement["ranks"].items()
            }
            key = f"{judgement['sentence']},{judgement['segment']}"
            judged.setdefault(key, []).append(ranks)

    loaded = pickle.loads(export(project, tmp_path, "pickle"))
    rows = csv.DictReader(io.StringIO(export(project, tmp_path, "csv").decode()))

    assert json.loads(export(project, tmp_path, "json")) == judged
    assert {f"{number},{words}": ranks for (number, words), ranks in loaded.items()} == judged
    assert sum(1 for _row in rows) == sum(len(r) for all_r in judged.values() for r in all_r)
