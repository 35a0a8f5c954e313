"""What evaluation keeps about a project, in archives."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.imports import import_project
from annotation.models import Project, User
from crowd.anonymisation import anonymise
from evaluation.models import ReportSchedule, SentenceJudgement, SentencePlacement
from evaluation.services.importing import import_sentence_judgements
from evaluation.services.stored_reports import schedule_of, set_schedule
from tests.annotation.import_export.exchange_files import archive_file
from tests.evaluation.formats.wmt_files import write_five_way
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
# The last one was made twice.
ROWS = [
    (2, "jana", "A 1 B 2 C 3"),
    (1, "judge-2", "B 1 A 2"),
    (3, "judge-2", "C 1 A 1"),
    (3, "judge-2", "C 1 A 1"),
]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = make_project()
    make_annotator(project)
    set_schedule(project, "hour")
    import_again(project, tmp_path)
    return project


def import_again(project: Project, folder: Path) -> int:
    """Import the rankings, and return how many were new."""
    path = write_five_way(folder / "wmt.csv", ROWS)
    made = import_sentence_judgements(project=project, path=path, file_format="wmt-five")
    return made.stored


def stored(project: Project) -> list[tuple[int, str, dict[str, int]]]:
    return [
        (
            judgement.sentence.number,
            judgement.judge,
            {placed.system.name: placed.rank for placed in judgement.placements.all()},
        )
        for judgement in SentenceJudgement.objects.filter(project=project).order_by("pk")
    ]


def test_it_comes_back_byte_for_byte(project: Project, tmp_path: Path) -> None:
    first = archive_file(project, tmp_path)
    project.name = "elsewhere"
    project.save()

    restored = import_project(path=first)

    assert archive_file(restored, tmp_path).read_bytes() == first.read_bytes()
    assert schedule_of(restored) == "hour"
    assert stored(restored) == stored(project)
    assert len(stored(restored)) == 4
    assert SentenceJudgement.objects.count() == 8
    assert SentencePlacement.objects.count() == 18


def test_a_file_imported_again_is_known_in_the_restored_project_too(
    project: Project, tmp_path: Path
) -> None:
    restored = import_project(path=archive_file(project, tmp_path), name="again")

    assert import_again(restored, tmp_path) == 0
    assert import_again(project, tmp_path) == 0


def test_many_come_back_in_their_order(project: Project, tmp_path: Path) -> None:
    """More than are read, and stored, in one go."""
    rows = [(number % 3 + 1, f"judge {number}", "A 1 B 2") for number in range(1100)]
    path = write_five_way(tmp_path / "many.csv", rows)
    import_sentence_judgements(project=project, path=path, file_format="wmt-five")

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    assert len(stored(restored)) == 1104
    assert stored(restored) == stored(project)


def test_an_archive_names_nobody_who_was_made_unknown(project: Project, tmp_path: Path) -> None:
    jana = User.objects.get(username="jana")
    other = make_project("castles")
    import_again(other, tmp_path)

    name = anonymise(jana, typed_name="jana")

    text = archive_file(project, tmp_path).read_text()
    assert "jana" not in text
    assert f'"judge": "{name}"' in text
    # The file is known all the same; and somebody else of that name may be meant elsewhere.
    assert import_again(project, tmp_path) == 0
    assert "jana" in archive_file(other, tmp_path).read_text()


def forged(path: Path, tag: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """Change the first record with this tag, so that the checksum still fits."""
    lines = path.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith(f'{{"{tag}"'))
    value = json.loads(lines[at])
    change(value[tag])
    lines[at] = json.dumps(value)
    body = "".join(f"{line}\n" for line in lines[:-1])
    end = json.loads(lines[-1])
    end["end"]["sha256"] = hashlib.sha256(body.encode()).hexdigest()
    path.write_text(body + json.dumps(end) + "\n")
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(sentence=9), "there is no sentence 9 in the archive"),
        (lambda r: r["ranks"][0].__setitem__(0, "X"), "there is no system 'X' in the archive"),
        (lambda r: r["ranks"][0].__setitem__(0, "B"), "is refused by the database"),
    ],
)
def test_what_is_at_odds_leaves_nothing(
    project: Project, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    path = forged(archive_file(project, tmp_path), "sentence_judgement", change)

    with pytest.raises(InputError, match=message):
        import_project(path=path, name="again")

    assert Project.objects.get() == project
    assert ReportSchedule.objects.count() == 1
    assert SentenceJudgement.objects.count() == 4
