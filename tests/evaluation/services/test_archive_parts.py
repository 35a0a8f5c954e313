from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.formats.errors import InputError
from annotation.import_export.archive_import import import_project
from annotation.models import Project, User
from crowd.anonymisation import anonymise
from evaluation.models import ReportSchedule, SentenceJudgement, SentencePlacement
from evaluation.services.reports import schedule_of, set_schedule
from evaluation.services.sentence_judgements import import_sentence_judgements
from tests.annotation.import_export.exchange_files import archive_file, edit_archive, first_record
from tests.evaluation.formats.wmt_files import write_five_way
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
# The last one is there twice.
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


def test_a_restored_project_is_exported_unchanged(project: Project, tmp_path: Path) -> None:
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
    # More than a page.
    rows = [(number % 3 + 1, f"judge {number}", "A 1 B 2") for number in range(510)]
    path = write_five_way(tmp_path / "many.csv", rows)
    import_sentence_judgements(project=project, path=path, file_format="wmt-five")

    restored = import_project(path=archive_file(project, tmp_path), name="again")

    assert len(stored(restored)) == 514
    assert stored(restored) == stored(project)


def test_an_archive_has_no_names_of_anonymised_judges(project: Project, tmp_path: Path) -> None:
    jana = User.objects.get(username="jana")
    other = make_project("castles")
    import_again(other, tmp_path)

    name = anonymise(jana, typed_name="jana")

    text = archive_file(project, tmp_path).read_text()
    assert "jana" not in text
    assert f'"judge":"{name}"' in text
    # The key of a ranking keeps the name; in other projects, it may be another person's.
    assert import_again(project, tmp_path) == 0
    assert "jana" in archive_file(other, tmp_path).read_text()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.update(sentence=9), "there is no sentence 9 in the archive"),
        (lambda r: r["ranks"][0].__setitem__(0, "X"), "there is no system 'X' in the archive"),
        (lambda r: r["ranks"][0].__setitem__(0, "B"), "the database refuses a record"),
    ],
)
def test_it_refuses_a_ranking_that_contradicts_the_archive(
    project: Project, tmp_path: Path, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    path = edit_archive(
        archive_file(project, tmp_path),
        lambda lines: change(first_record(lines, "sentence_judgement")),
    )

    with pytest.raises(InputError, match=message):
        import_project(path=path, name="again")

    assert Project.objects.get() == project
    assert ReportSchedule.objects.count() == 1
    assert SentenceJudgement.objects.count() == 4
